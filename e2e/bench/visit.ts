/**
 * One cold visit to a page: a new browser context, no cache, and a slow processor and network.
 * Times of the main thread are processor time, which other work on the machine affects little.
 */
import { setTimeout } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from '@playwright/test'
import { pathOf, type Target } from './targets.ts'

/** How slow the processor and the network are. */
export interface Conditions {
  /** How many times slower than this machine the processor is; 1 for its real speed. */
  readonly cpu: number
  readonly network: 'none' | 'slow4g'
}

/** A page that is open. Closing it closes its browser context. */
export interface Visit {
  readonly page: Page
  readonly cdp: CDPSession
  /** URLs of all requests since that for the page. */
  readonly requests: readonly string[]
  close(): Promise<void>
}

/** The page's own measures in ms. Points in time count from the start of the navigation. */
export interface Notes {
  /** Time of the frame after the one in which the panel was first visible; 0 until then. */
  readyMs: number
  /** Time of the first frame in which buttons of the widget work; 0 where there is none. */
  worksMs: number
  longTasksMs: number[]
  layoutShift: number
}

declare global {
  interface Window {
    bench?: Notes
  }
}

const slow4g = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }

/** Opens a page and waits until its panel is ready. */
export async function visit(
  browser: Browser,
  origin: string,
  target: Target,
  { cpu, network }: Conditions,
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' })
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await page.addInitScript(watch, target.ready)
  // Starts a process for this origin, so that this is not part of the visit.
  await page.goto(`${origin}/blank.html`)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  await cdp.send('Network.enable')
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true })
  if (cpu > 1) await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  if (network === 'slow4g') await cdp.send('Network.emulateNetworkConditions', slow4g)
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith('http')) requests.push(request.url())
  })
  await page.goto(`${origin}${pathOf(target)}`, { waitUntil: 'commit' })
  await untilReady(cdp)
  return { page, cdp, requests, close: () => context.close() }
}

/** Not with Playwright's `waitForFunction`: the page would compile its library before the panel. */
async function untilReady(cdp: CDPSession): Promise<void> {
  for (const endsAt = performance.now() + 60_000; performance.now() < endsAt; await setTimeout(200)) {
    const { result } = await cdp.send('Runtime.evaluate', { expression: 'window.bench?.readyMs > 0' })
    if (result.value === true) return
  }
  throw new Error('No panel was ready within a minute')
}

/** Reads the main thread's counters since the navigation. Durations are in seconds. */
export async function counters(cdp: CDPSession): Promise<ReadonlyMap<string, number>> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return new Map(metrics.map(({ name, value }) => [name, value]))
}

/** Collects garbage and returns how many bytes of the JavaScript heap are still in use. */
export async function settledHeap(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.enable')
  await cdp.send('HeapProfiler.collectGarbage')
  await cdp.send('HeapProfiler.collectGarbage')
  return (await counters(cdp)).get('JSHeapUsedSize') ?? 0
}

/** Runs in the page before anything else, and measures until the panel is ready. */
function watch(selector: string): void {
  const notes: Notes = { readyMs: 0, worksMs: 0, longTasksMs: [], layoutShift: 0 }
  window.bench = notes
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) notes.longTasksMs.push(entry.duration)
  }).observe({ type: 'longtask', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
      if (!hadRecentInput) notes.layoutShift += value
    }
  }).observe({ type: 'layout-shift', buffered: true })

  function find(root: Document | ShadowRoot): Element | null {
    const found = root.querySelector(selector)
    if (found) return found
    for (const element of root.querySelectorAll('*')) {
      const inner = element.shadowRoot && find(element.shadowRoot)
      if (inner) return inner
    }
    return null
  }
  function look(): void {
    const panel = find(document)
    const box = panel?.getBoundingClientRect()
    const isLoaded = !(panel instanceof HTMLImageElement) || (panel.complete && panel.naturalWidth > 0)
    const isSeen = panel?.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    if (box && box.width >= 8 && isSeen && isLoaded) {
      requestAnimationFrame(() => {
        notes.readyMs = performance.now()
      })
    } else requestAnimationFrame(look)
  }
  /** The widget takes its styles in the task in which it draws. */
  function press(): void {
    const root = document.querySelector('pay-window')?.shadowRoot
    if (root?.adoptedStyleSheets.length && root.querySelector('[data-view=waiting]')) notes.worksMs = performance.now()
    else requestAnimationFrame(press)
  }
  requestAnimationFrame(look)
  requestAnimationFrame(press)
}
