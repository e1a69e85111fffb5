/** A page that shows the widget and takes it away, over and over, is left with nothing of it. */
import type { Page } from '@playwright/test'
import { expect, openBody, test } from './test.ts'
import { widgetOn } from './widget.ts'

const times = 200

/** Things that keep a page awake or alive. */
interface Kept {
  readonly timers: number
  /** Number of listeners of the window or the document, by the name of the event. */
  readonly listeners: Readonly<Record<string, number>>
  readonly requests: number
  /** Wake locks, which keep the screen on. */
  readonly locks: number
}

declare global {
  interface Window {
    kept?: () => Kept
  }
}

test.beforeEach(async ({ page }) => {
  // First, so that the watched timers are the ones that the test can move.
  await page.clock.install()
  await page.addInitScript(answerCreationsAlike)
  await page.addInitScript(watchPage)
})

test(`${times} elements that come and go leave no timer, listener, request or lock behind`, async ({ page, shop }) => {
  await openBody(page, '<main><h1>Pay</h1></main><script src="/paywindow.js"></script>')
  // The first one sets up what all of them share, such as the style sheet.
  await mountElements(page, 1)
  await expect.poll(() => keptBy(page)).toMatchObject({ timers: 0, requests: 0 })
  const before = await keptBy(page)
  await mountElements(page, times)
  await expect.poll(() => keptBy(page)).toEqual(before)
  const { length } = shop.requests
  await page.clock.fastForward('10:00')
  expect(await keptBy(page)).toEqual(before)
  expect(shop.requests).toHaveLength(length)
  await expect(page.locator('pay-window')).toHaveCount(0)
})

test('20 modals that open and close leave nothing behind', async ({ page }) => {
  await openBody(page, '<main><h1>Pay</h1></main><script src="/paywindow.js"></script>')
  await openModals(page, 1)
  await expect.poll(() => keptBy(page)).toMatchObject({ timers: 0, requests: 0 })
  const before = await keptBy(page)
  const nodes = await page.locator('*').count()
  await openModals(page, 20)
  await expect.poll(() => keptBy(page)).toEqual(before)
  await expect(page.locator('*')).toHaveCount(nodes)
})

test(`${times} React components that come and go leave no timer, listener, request or lock behind`, async ({
  page,
}) => {
  await page.goto('/react')
  await widgetOn(page).asksForMoney()
  // The lock comes with the file that loads later, and the hints, drawn after it, listen for a
  // print.
  await expect.poll(() => keptBy(page)).toMatchObject({ locks: 1, requests: 0, listeners: { beforeprint: 1 } })
  const before = await keptBy(page)
  expect(before.timers).toBeGreaterThan(0)
  // The storefront mounts a new component for every price. Each component reports itself, and then
  // the shop is asked for the order again: `changePrices` names another price each time.
  await page.evaluate(changePrices, times)
  test.setTimeout(120_000)
  await expect(page.locator('.totals')).toContainText(`${times}.00 USD`, { timeout: 90_000 })
  await widgetOn(page).asksForMoney()
  // One component is on the page, as before.
  await expect(async () => {
    const { timers, ...others } = await keptBy(page)
    expect(timers).toBeLessThanOrEqual(before.timers)
    expect({ ...others, timers: before.timers }).toEqual(before)
  }).toPass()
})

/** Mounts elements one by one, and removes each: at once, a moment later, or when it is drawn. */
function mountElements(page: Page, count: number): Promise<void> {
  return page.evaluate(async (mounts) => {
    const drawn = async (element: Element) => {
      while (!element.shadowRoot?.querySelector('.pw-qr-code')) await nextTask()
    }
    function nextTask(): Promise<unknown> {
      return new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = resolve
        port2.postMessage(null)
      })
    }
    const waits = [drawn, async () => {}, nextTask]
    for (let mount = 0; mount < mounts; mount += 1) {
      const element = document.createElement('pay-window')
      Object.assign(element, { endpoint: '/paywindow', reference: 'order-1042', asset: 'BTC', network: 'bitcoin' })
      document.querySelector('main')?.append(element)
      await waits[mount % waits.length]?.(element)
      element.remove()
    }
  }, count)
}

function openModals(page: Page, count: number): Promise<void> {
  return page.evaluate(async (openings) => {
    for (let opening = 0; opening < openings; opening += 1) {
      await new Promise<void>((onClose) => {
        const handle = window.Paywindow?.open({
          endpoint: '/paywindow',
          reference: 'order-1042',
          asset: 'BTC',
          network: 'bitcoin',
          onClose,
          onStatusChange: ({ status }) => {
            if (status === 'waiting') handle?.close()
          },
        })
      })
    }
  }, count)
}

async function keptBy(page: Page): Promise<Kept> {
  const kept = await page.evaluate(() => window.kept?.())
  if (!kept) throw new Error('nobody watches the page')
  return kept
}

/** Runs in the page: gives every creation the answer to the first one. */
function answerCreationsAlike(): void {
  const { fetch } = window
  let first: Promise<string> | undefined
  window.fetch = async (input, init) => {
    if (init?.method !== 'POST' || !String(input).endsWith('/checkouts')) return fetch(input, init)
    const body = JSON.stringify({ reference: 'order-1042', asset: 'BTC', network: 'bitcoin' })
    first ??= fetch(input, { ...init, body }).then((response) => response.text())
    return new Response(await first)
  }
}

/** Runs in the page: another total with every look at the order, up to the last. */
function changePrices(last: number): void {
  const { fetch } = window
  let price = 0
  window.fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (input !== '/api/order') return response
    price = Math.min(price + 1, last)
    return Response.json({ ...(await response.json()), total: { asset: 'USD', amount: `${price}.00` } })
  }
}

/** Runs in the page before anything else: counts everything on it that is started and not over. */
function watchPage(): void {
  const timers = new Set<number>()
  const { setTimeout, clearTimeout, setInterval, clearInterval } = window
  const later = (handler: TimerHandler, ms?: number, ...values: unknown[]) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      if (typeof handler === 'function') handler(...values)
    }, ms)
    timers.add(timer)
    return timer
  }
  const again = (handler: TimerHandler, ms?: number, ...values: unknown[]) => {
    const timer = setInterval(handler, ms, ...values)
    timers.add(timer)
    return timer
  }
  const without = (stop: (timer?: number) => void) => (timer?: number) => {
    if (timer !== undefined) timers.delete(timer)
    stop(timer)
  }
  Object.assign(window, {
    setTimeout: later,
    setInterval: again,
    clearTimeout: without(clearTimeout),
    clearInterval: without(clearInterval),
  })

  const listeners = new Map<string, Set<unknown>>()
  for (const target of [window, document]) {
    const { addEventListener, removeEventListener } = target
    const of = (name: string, options: unknown) => {
      const capture =
        options === true || (options instanceof Object && 'capture' in options && options.capture === true)
      const key = `${target === window} ${capture} ${name}`
      const known = listeners.get(key) ?? new Set()
      listeners.set(key, known)
      return known
    }
    target.addEventListener = (name: string, listener: EventListener, options?: boolean | AddEventListenerOptions) => {
      of(name, options).add(listener)
      addEventListener.call(target, name, listener, options)
    }
    target.removeEventListener = (name: string, listener: EventListener, options?: boolean | EventListenerOptions) => {
      of(name, options).delete(listener)
      removeEventListener.call(target, name, listener, options)
    }
  }

  let requests = 0
  const { fetch } = window
  window.fetch = async (...request) => {
    requests += 1
    try {
      return await fetch(...request)
    } finally {
      requests -= 1
    }
  }

  let locks = 0
  const release = async () => {
    locks -= 1
  }
  Object.assign(navigator.wakeLock, {
    request: async () => {
      locks += 1
      return { release }
    },
  })

  const countByName = () => {
    const counts: Record<string, number> = {}
    for (const [key, { size }] of listeners) {
      const name = key.slice(key.lastIndexOf(' ') + 1)
      if (size > 0) counts[name] = (counts[name] ?? 0) + size
    }
    return counts
  }

  window.kept = () => ({
    locks,
    timers: timers.size,
    listeners: countByName(),
    requests,
  })
}
