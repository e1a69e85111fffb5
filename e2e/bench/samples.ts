/** What is measured on a visit. Durations are in milliseconds, sizes in bytes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Browser, Response } from '@playwright/test'
import { pathOf, type Target } from './targets.ts'
import { type Conditions, counters, settledHeap, visit } from './visit.ts'

/** For how long after a panel is ready its work is still counted. */
const afterMs = 2000

/**
 * One cold load, until two seconds after the panel is ready. Times are the main thread's processor
 * time, except `readyMs`.
 */
export interface Load {
  readonly readyMs: number
  /** When buttons of the widget work; 0 where there is none. */
  readonly worksMs: number
  readonly scriptMs: number
  readonly layoutMs: number
  readonly taskMs: number
  readonly longTasks: number
  readonly layoutShift: number
  readonly heapBytes: number
  readonly nodes: number
}

/** Loads a target once. */
export async function load(browser: Browser, origin: string, target: Target, conditions: Conditions): Promise<Load> {
  const { page, cdp, close } = await visit(browser, origin, target, conditions)
  try {
    await sleep(afterMs)
    const count = await counters(cdp)
    const ms = (name: string) => 1000 * (count.get(name) ?? Number.NaN)
    const notes = await page.evaluate(() => window.bench)
    if (!notes) throw new Error('The page noted nothing')
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    return {
      readyMs: notes.readyMs,
      worksMs: notes.worksMs,
      scriptMs: ms('ScriptDuration'),
      layoutMs: ms('LayoutDuration') + ms('RecalcStyleDuration'),
      taskMs: ms('TaskDuration'),
      longTasks: notes.longTasksMs.length,
      layoutShift: notes.layoutShift,
      heapBytes: await settledHeap(cdp),
      nodes: count.get('Nodes') ?? Number.NaN,
    }
  } finally {
    await close()
  }
}

/** What a cold load transfers, by kind. */
export interface Weight {
  readonly requests: number
  readonly script: Sizes
  readonly style: Sizes
  readonly other: Sizes
  readonly all: Sizes
}

/** Bytes as they are, and compressed. */
export interface Sizes {
  readonly raw: number
  readonly gzip: number
  readonly brotli: number
}

/** Weighs all that a page loads until two seconds after its panel, compressed alike. */
export async function weigh(browser: Browser, origin: string, target: Target): Promise<Weight> {
  const responses: Promise<readonly [kind: string, sizes: Sizes]>[] = []
  const context = await browser.newContext()
  const page = await context.newPage()
  try {
    const note = (response: Response) => responses.push(sizesOf(response))
    page.on('response', note)
    await page.goto(`${origin}${pathOf(target)}`)
    await page.locator(target.ready).first().waitFor()
    await sleep(afterMs)
    // The body of a later response, such as a poll's, would be read after the page is closed.
    page.off('response', note)
    const rows = await Promise.all(responses)
    const sum = (isCounted: (kind: string) => boolean) =>
      rows
        .filter(([kind]) => isCounted(kind))
        .reduce((a, [, b]) => ({ raw: a.raw + b.raw, gzip: a.gzip + b.gzip, brotli: a.brotli + b.brotli }), nothing)
    return {
      requests: rows.length,
      script: sum((kind) => kind === 'script'),
      style: sum((kind) => kind === 'stylesheet'),
      other: sum((kind) => kind !== 'script' && kind !== 'stylesheet'),
      all: sum(() => true),
    }
  } finally {
    await context.close()
  }
}

const nothing: Sizes = { raw: 0, gzip: 0, brotli: 0 }

async function sizesOf(response: Response): Promise<readonly [string, Sizes]> {
  const body = await response.body()
  const sizes = { raw: body.length, gzip: gzipSync(body, { level: 9 }).length, brotli: brotliCompressSync(body).length }
  return [response.request().resourceType(), sizes]
}

/** What an open panel costs while nothing happens. */
export interface Idle {
  readonly taskMs: number
  readonly scriptMs: number
  readonly layouts: number
  readonly requests: number
  readonly heapGrowthBytes: number
}

/** Measures an open panel for `seconds`. Values are per minute, except heap growth. */
export async function idle(
  browser: Browser,
  origin: string,
  target: Target,
  { seconds, hidden }: { readonly seconds: number; readonly hidden: boolean },
): Promise<Idle> {
  const { page, cdp, requests, close } = await visit(browser, origin, target, { cpu: 1, network: 'none' })
  try {
    await sleep(5000)
    if (hidden) await page.evaluate(hide)
    const heapBefore = await settledHeap(cdp)
    const before = await counters(cdp)
    const asked = requests.length
    await sleep(seconds * 1000)
    const after = await counters(cdp)
    const requestCount = requests.length - asked
    const perMinute = (name: string) =>
      (((after.get(name) ?? Number.NaN) - (before.get(name) ?? Number.NaN)) * 60) / seconds
    return {
      taskMs: 1000 * perMinute('TaskDuration'),
      scriptMs: 1000 * perMinute('ScriptDuration'),
      layouts: perMinute('LayoutCount'),
      requests: (requestCount * 60) / seconds,
      heapGrowthBytes: (await settledHeap(cdp)) - heapBefore,
    }
  } finally {
    await close()
  }
}

/** Runs in the page, and makes it believe that it is in a hidden tab. */
function hide(): void {
  Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
  Object.defineProperty(document, 'hidden', { value: true, configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
}

/** What is left after a panel was put into the page and removed again many times. */
export interface Churn {
  readonly heapGrowthBytes: number
  readonly listeners: number
  readonly nodes: number
}

/**
 * Measures the remains of `mounts` elements that were mounted and removed. Twice as many are
 * mounted before, because the engine compiles for so long.
 */
export async function churn(browser: Browser, origin: string, target: Target, mounts: number): Promise<Churn> {
  const { page, cdp, close } = await visit(browser, origin, target, { cpu: 1, network: 'none' })
  try {
    await page.evaluate(comeAndGo, 2 * mounts)
    const heapBefore = await settledHeap(cdp)
    const before = await counters(cdp)
    await page.evaluate(comeAndGo, mounts)
    const heapBytes = await settledHeap(cdp)
    const after = await counters(cdp)
    const grown = (name: string) => (after.get(name) ?? Number.NaN) - (before.get(name) ?? Number.NaN)
    return { heapGrowthBytes: heapBytes - heapBefore, listeners: grown('JSEventListeners'), nodes: grown('Nodes') }
  } finally {
    await close()
  }
}

/** Runs in the page: mounts an element, waits for its code and removes it, `mounts` times. */
async function comeAndGo(mounts: number): Promise<void> {
  const nextTask = () => new Promise((resolve) => setTimeout(resolve))
  for (let mount = 0; mount < mounts; mount += 1) {
    const element = document.createElement('pay-window')
    Object.assign(element, { endpoint: '/paywindow', reference: 'order-1042' })
    document.body.append(element)
    while (!element.shadowRoot?.querySelector('.pw-qr-code')) await nextTask()
    element.remove()
    await nextTask()
  }
}
