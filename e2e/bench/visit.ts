/**
 * One cold visit to a page: a browser context of its own, no cache, a processor and a network as slow as asked for. Times of the
 * main thread are of its processor, so that other work on the machine counts for little.
 */
import type { Browser, CDPSession, Page } from '@playwright/test'
import { pathOf, type Target } from './targets.ts'

export interface Conditions {
  /** How many times slower than this machine; 1 is as it is. */
  readonly cpu: number
  readonly network: 'none' | 'slow4g'
}

export interface Visit {
  readonly page: Page
  readonly cdp: CDPSession
  /** Requests since the page was asked for. */
  readonly requests: readonly string[]
  close(): Promise<void>
}

/** What a page noted of itself. Times in milliseconds since the navigation began. */
export interface Notes {
  /** The frame after the one in which the panel stood for the first time. 0 until then. */
  readyMs: number
  longTasksMs: number[]
  layoutShift: number
}

declare global {
  interface Window {
    bench?: Notes
  }
}

const slow4g = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }

/** Opens a page and waits until its panel stands. */
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
  // A process for this origin, so that starting one is not part of the visit.
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
  await page.waitForFunction(() => (window.bench?.readyMs ?? 0) > 0, undefined, { polling: 200, timeout: 60_000 })
  return { page, cdp, requests, close: () => context.close() }
}

/** Counters of the main thread since the navigation; durations in seconds. */
export async function counters(cdp: CDPSession): Promise<ReadonlyMap<string, number>> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return new Map(metrics.map(({ name, value }) => [name, value]))
}

/** Bytes of JavaScript's heap that are in use after everything that can be freed was freed. */
export async function settledHeap(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.enable')
  await cdp.send('HeapProfiler.collectGarbage')
  await cdp.send('HeapProfiler.collectGarbage')
  return (await counters(cdp)).get('JSHeapUsedSize') ?? 0
}

/** Runs in the page before anything else. */
function watch(selector: string): void {
  const notes: Notes = { readyMs: 0, longTasksMs: [], layoutShift: 0 }
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
      performance.mark('stands')
      requestAnimationFrame(() => {
        performance.mark('ready')
        notes.readyMs = performance.now()
      })
    } else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
