/**
 * A payer's device with one tab, as the widget meets it: a window whose clocks may be wrong, whose timers stand still while it
 * sleeps and ring seldom while nobody looks, and whose requests fail when it is offline.
 */
import type { BrowserWindow } from '../../../src/session/world.ts'
import { type BrowserClock, createBrowserClock } from './clocks.ts'
import { createRandomStream } from './random.ts'
import type { World } from './types.ts'

/** How a device behaves, and what happens to it when, after the tab was opened. */
export interface DevicePlan {
  readonly wallOffsetMs: number
  readonly stopsInSleep: boolean
  readonly naps: readonly Nap[]
  /** When somebody sets its clock, and by how much. */
  readonly jumps: readonly { readonly atMs: number; readonly byMs: number }[]
  /** Whether the tab is opened behind another one. */
  readonly opensHidden: boolean
}

/** A device that nothing happens to. */
export const steadyDevice: DevicePlan = {
  wallOffsetMs: 0,
  stopsInSleep: false,
  naps: [],
  jumps: [],
  opensHidden: false,
}

interface Nap {
  readonly atMs: number
  readonly forMs: number
  /** `hidden`: the payer looks at something else. */
  readonly kind: 'asleep' | 'offline' | 'hidden'
}

export interface Device {
  readonly window: BrowserWindow
  readonly clock: BrowserClock
  /** Since when somebody could see the page and press something; undefined while not. */
  seenSinceMs(): number | undefined
  /** Since when it is on the network. */
  onlineSinceMs(): number | undefined
  /** When the page asked last. */
  askedAtMs(): number
  isAwake(): boolean
  /** Somebody looks at the tab. */
  show(): void
  /** Nothing of the page runs any more. */
  close(): void
}

/** Browsers let timers of hidden tabs ring once a second, and after five minutes once a minute. */
const throttledAfterMs = 5 * 60_000

interface Page {
  readonly name: string
  /** The fragment of its address. */
  readonly hash: string
  readonly reportError: (error: unknown) => void
}

/** @param connect - Makes the way to the merchant's servers. */
export function createDevice(
  world: World,
  plan: DevicePlan,
  page: Page,
  connect: (isOnline: () => boolean) => typeof fetch,
): Device {
  const { time, findings, faults } = world
  const random = createRandomStream(world.plan.seed, `device ${page.name}`)
  const clock = createBrowserClock(time, plan.wallOffsetMs, plan.stopsInSleep)
  const off = { asleep: false, offline: false, hidden: plan.opensHidden, closed: false }
  let seenSinceMs = time.nowMs()
  let onlineSinceMs = time.nowMs()
  let hiddenSinceMs = time.nowMs()
  let askedAtMs = time.nowMs()
  let stir = new AbortController()
  const connection = connect(() => !off.offline)

  const document = Object.assign(new EventTarget(), {
    visibilityState: plan.opensHidden ? 'hidden' : 'visible',
    baseURI: 'https://shop.example/cart',
  })
  const window = Object.assign(new EventTarget(), {
    document,
    location: { origin: 'https://shop.example', hash: page.hash },
    performance: { now: () => clock.reading().monotonicMs },
    Date: { now: () => clock.reading().wallMs },
    Math: { random: createRandomStream(world.plan.seed, `tab ${page.name}`).next },
    fetch: ask,
    setTimeout: (callback: () => void, ms: number) => {
      const timer = new AbortController()
      void ring(callback, ms, timer.signal)
      return timer
    },
    clearTimeout: (timer: unknown) => {
      if (timer instanceof AbortController) timer.abort()
    },
    reportError: page.reportError,
  })

  /** Lets everything that waits for a change of the device look again. */
  function change(changes: Partial<typeof off>): void {
    Object.assign(off, changes)
    if (changes.asleep !== undefined || changes.hidden !== undefined) seenSinceMs = time.nowMs()
    if (changes.offline !== undefined) onlineSinceMs = time.nowMs()
    const { signal } = stir
    if (!signal.aborted) stir.abort()
    stir = new AbortController()
  }

  async function wait(ms: number, signal: AbortSignal): Promise<void> {
    await time.sleep(ms, signal).catch(() => undefined)
  }

  async function awake(): Promise<void> {
    while (off.asleep && !off.closed) await wait(86_400_000, stir.signal)
    // The page is gone and does nothing more.
    if (off.closed) await new Promise<never>(() => {})
  }

  async function ring(callback: () => void, ms: number, signal: AbortSignal): Promise<void> {
    const dueMs = clock.reading().monotonicMs + ms
    for (let leftMs = ms; leftMs > 0 && !signal.aborted; leftMs = dueMs - clock.reading().monotonicMs) {
      await wait(leftMs, signal)
      if (signal.aborted) return
      await awake()
    }
    while (off.hidden && !signal.aborted) {
      const paceMs = time.nowMs() - hiddenSinceMs > throttledAfterMs ? 60_000 : 1_000
      if (time.nowMs() % paceMs === 0) break
      await wait(paceMs - (time.nowMs() % paceMs), stir.signal)
      await awake()
    }
    if (!signal.aborted && !off.closed) callback()
  }

  async function ask(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    askedAtMs = time.nowMs()
    if (off.hidden && init?.method === 'POST' && String(input).endsWith('/checkouts'))
      findings.violate('created without cause', `${page.name} asks for a checkout that nobody looks at`)
    const sleptMs = clock.sleptMs()
    const answer = connection(input, init)
    await answer.catch(() => undefined)
    await awake()
    // While a device sleeps, many connections are closed from the other end.
    if (clock.sleptMs() > sleptMs && random.chance(0.5)) throw new TypeError('Failed to fetch')
    return answer
  }

  function setHidden(hidden: boolean): void {
    if (off.hidden === hidden || off.closed) return
    if (hidden) hiddenSinceMs = time.nowMs()
    document.visibilityState = hidden ? 'hidden' : 'visible'
    change({ hidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }

  function tell(name: 'online' | 'offline' | 'focus' | 'pageshow'): void {
    if (!off.closed && !off.asleep) window.dispatchEvent(new Event(name))
  }

  async function nap({ atMs, forMs, kind }: Nap): Promise<void> {
    await time.sleep(atMs)
    await awake()
    if (faults.stopped) return
    switch (kind) {
      case 'hidden':
        findings.fault('browser: tab hidden')
        setHidden(true)
        await time.sleep(forMs)
        await awake()
        return setHidden(false)
      case 'offline':
        findings.fault('browser: offline')
        tell('offline')
        return loseNetwork(forMs)
      case 'asleep':
        findings.fault('browser: device sleeps')
        change({ asleep: true })
        await time.sleep(forMs)
        clock.slept(forMs)
        // The network comes back a while after the device.
        void loseNetwork(random.pick([0, 2_000, 20_000]))
        change({ asleep: false })
        // Some browsers say that something happened, others only go on.
        if (random.chance(0.5)) tell(random.pick(['focus', 'pageshow', 'online']))
    }
  }

  async function loseNetwork(forMs: number): Promise<void> {
    change({ offline: true })
    await time.sleep(forMs)
    change({ offline: false })
    tell('online')
  }

  async function setClock({ atMs, byMs }: DevicePlan['jumps'][number]): Promise<void> {
    await time.sleep(atMs)
    if (off.closed || faults.stopped) return
    findings.fault('browser: wall clock jumps')
    clock.jump(byMs)
  }

  for (const each of plan.naps) void nap(each)
  for (const each of plan.jumps) void setClock(each)
  if (plan.wallOffsetMs !== 0) findings.fault('browser: wall clock is wrong')

  return {
    window,
    clock,
    seenSinceMs: () => (off.asleep || off.hidden || off.closed ? undefined : seenSinceMs),
    onlineSinceMs: () => (off.offline ? undefined : onlineSinceMs),
    askedAtMs: () => askedAtMs,
    isAwake: () => !off.asleep,
    show: () => {
      if (!off.asleep) setHidden(false)
    },
    close: () => change({ closed: true }),
  }
}
