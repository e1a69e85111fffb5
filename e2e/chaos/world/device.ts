/**
 * A payer's device with one tab, as the widget finds it: a window with clocks, timers and requests.
 * The clocks may be wrong. Timers stop during sleep and are slow in a hidden tab. Requests fail
 * while the device is offline.
 */
import type { BrowserWindow } from '../../../src/session/world.ts'
import { type BrowserClock, createBrowserClock } from './clocks.ts'
import { createRandomStream, type RandomStream } from './random.ts'
import type { VirtualTime } from './time.ts'
import type { World } from './types.ts'

/** How a device behaves, and what happens to it. Times count from when the tab is opened. */
export interface DevicePlan {
  readonly wallOffsetMs: number
  readonly stopsInSleep: boolean
  readonly naps: readonly Nap[]
  /** When somebody sets its wall clock, and by how much. */
  readonly jumps: readonly { readonly atMs: number; readonly byMs: number }[]
  /** Whether the tab is opened in the background. */
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

/** A device with one tab. */
export interface Device {
  readonly window: BrowserWindow
  readonly clock: BrowserClock
  /** Since when somebody has been able to see and use the page; undefined while nobody is. */
  seenSinceMs(): number | undefined
  /** Since when the device has been online; undefined while it is not. */
  onlineSinceMs(): number | undefined
  /** When the page last sent a request. */
  askedAtMs(): number
  isAwake(): boolean
  /** Brings the tab to the front, unless the device sleeps. */
  show(): void
  /** Closes the page: none of its code runs any more. */
  close(): void
}

interface Page {
  readonly name: string
  /** The fragment of its address. */
  readonly hash: string
  readonly reportError: (error: unknown) => void
}

/** Opens a page on a new device. @param connect - Creates the page's connection to the servers. */
export function createDevice(
  world: World,
  plan: DevicePlan,
  page: Page,
  connect: (isOnline: () => boolean) => typeof fetch,
): Device {
  const clock = createBrowserClock(world.time, plan)
  const power = createPower(world.time, plan)
  const request = createRequest(world, { page, clock, power, connection: connect(() => !power.off.offline) })
  const document = Object.assign(new EventTarget(), {
    visibilityState: plan.opensHidden ? 'hidden' : 'visible',
    baseURI: 'https://shop.example/cart',
  })
  const window = Object.assign(new EventTarget(), {
    document,
    origin: 'https://shop.example',
    location: { hash: page.hash, href: `https://shop.example/cart${page.hash}`, reload: () => undefined },
    history: { state: null, replaceState: () => undefined },
    performance: { now: () => clock.reading().monotonicMs },
    Date: { now: () => clock.reading().wallMs },
    Math: { random: createRandomStream(world.plan.seed, `tab ${page.name}`).next },
    fetch: request.ask,
    ...createTimers(world.time, clock, power),
    // What it says there is what `onError` gets.
    console: { error: () => undefined },
    reportError: page.reportError,
  })
  const setHidden = (hidden: boolean) => {
    if (power.off.hidden === hidden || power.off.closed) return
    document.visibilityState = hidden ? 'hidden' : 'visible'
    power.change({ hidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }
  live(world, plan, { page, clock, power, setHidden, window, random: request.random })
  const { off } = power
  return {
    window,
    clock,
    seenSinceMs: () => (off.asleep || off.hidden || off.closed ? undefined : power.seenSinceMs()),
    onlineSinceMs: () => (off.offline ? undefined : power.onlineSinceMs()),
    askedAtMs: request.askedAtMs,
    isAwake: () => !off.asleep,
    show: () => {
      if (!off.asleep) setHidden(false)
    },
    close: () => power.change({ closed: true }),
  }
}

interface Requests {
  readonly page: Page
  readonly clock: BrowserClock
  readonly power: Power
  readonly connection: typeof fetch
}

/** The `fetch` of the page. */
function createRequest({ time, plan, findings }: World, { page, clock, power, connection }: Requests) {
  const random = createRandomStream(plan.seed, `device ${page.name}`)
  let askedAtMs = time.nowMs()
  return {
    random,
    askedAtMs: () => askedAtMs,
    ask: async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      askedAtMs = time.nowMs()
      if (power.off.hidden && init?.method === 'POST' && String(input).endsWith('/checkouts'))
        findings.violate('created without cause', `${page.name} asks for a checkout that nobody looks at`)
      const sleptMs = clock.sleptMs()
      const answer = connection(input, init)
      await answer.catch(() => undefined)
      await power.awake()
      // While a device sleeps, the other end closes many of its connections.
      if (clock.sleptMs() > sleptMs && random.chance(0.5)) throw new TypeError('Failed to fetch')
      return answer
    },
  }
}

interface Life {
  readonly page: Page
  readonly clock: BrowserClock
  readonly power: Power
  readonly window: EventTarget
  readonly random: RandomStream
  setHidden(hidden: boolean): void
}

/** Makes everything happen that the device's plan lists. */
function live({ time, findings, faults }: World, plan: DevicePlan, life: Life): void {
  const { clock, power, window, random, setHidden } = life

  function dispatch(name: 'online' | 'offline' | 'focus' | 'pageshow'): void {
    if (!power.off.closed && !power.off.asleep) window.dispatchEvent(new Event(name))
  }

  async function nap({ atMs, forMs, kind }: Nap): Promise<void> {
    await time.sleep(atMs)
    await power.awake()
    if (faults.stopped) return
    switch (kind) {
      case 'hidden':
        findings.fault('browser: tab hidden')
        setHidden(true)
        await time.sleep(forMs)
        await power.awake()
        return setHidden(false)
      case 'offline':
        findings.fault('browser: offline')
        dispatch('offline')
        return loseNetwork(forMs)
      case 'asleep':
        findings.fault('browser: device sleeps')
        power.change({ asleep: true })
        await time.sleep(forMs)
        clock.slept(forMs)
        // The network may come back only some time after the device has woken.
        void loseNetwork(random.pick([0, 2_000, 20_000]))
        power.change({ asleep: false })
        // Some browsers fire an event after sleep, others none.
        if (random.chance(0.5)) dispatch(random.pick(['focus', 'pageshow', 'online']))
    }
  }

  async function loseNetwork(forMs: number): Promise<void> {
    power.change({ offline: true })
    await time.sleep(forMs)
    power.change({ offline: false })
    dispatch('online')
  }

  async function setClock({ atMs, byMs }: DevicePlan['jumps'][number]): Promise<void> {
    await time.sleep(atMs)
    if (power.off.closed || faults.stopped) return
    findings.fault('browser: wall clock jumps')
    clock.jump(byMs)
  }

  for (const each of plan.naps) void nap(each)
  for (const each of plan.jumps) void setClock(each)
  if (plan.wallOffsetMs !== 0) findings.fault('browser: wall clock is wrong')
}

/** Returns the IP address of a device. */
export function addressOf(seed: number, name: string): string {
  const random = createRandomStream(seed, `address of ${name}`)
  return `10.${random.between(0, 255)}.${random.between(0, 255)}.${random.between(1, 254)}`
}

/** Browsers run a hidden tab's timers once a second, and after five minutes once a minute. */
const throttledAfterMs = 5 * 60_000

interface Off {
  asleep: boolean
  offline: boolean
  hidden: boolean
  closed: boolean
}

/** The state of a device. */
interface Power {
  readonly off: Readonly<Off>
  /** Changes the state and wakes everything that waits for a change. */
  change(changes: Partial<Off>): void
  /** Resolves when the device is awake. Never resolves once the page is closed. */
  awake(): Promise<void>
  /** Waits for `ms`, or until something changes. */
  waitOrChange(ms: number): Promise<void>
  hiddenSinceMs(): number
  seenSinceMs(): number
  onlineSinceMs(): number
}

/** Starts awake and online. */
function createPower(time: VirtualTime, { opensHidden }: { readonly opensHidden: boolean }): Power {
  const off: Off = { asleep: false, offline: false, hidden: opensHidden, closed: false }
  let seenSinceMs = time.nowMs()
  let onlineSinceMs = time.nowMs()
  let hiddenSinceMs = time.nowMs()
  let changed = new AbortController()

  async function waitOrChange(ms: number): Promise<void> {
    await time.sleep(ms, changed.signal).catch(() => undefined)
  }

  return {
    off,
    change: (changes) => {
      Object.assign(off, changes)
      if (changes.hidden) hiddenSinceMs = time.nowMs()
      if (changes.asleep !== undefined || changes.hidden !== undefined) seenSinceMs = time.nowMs()
      if (changes.offline !== undefined) onlineSinceMs = time.nowMs()
      changed.abort()
      changed = new AbortController()
    },
    awake: async () => {
      while (off.asleep && !off.closed) await waitOrChange(86_400_000)
      if (off.closed) await new Promise<never>(() => {})
    },
    waitOrChange,
    hiddenSinceMs: () => hiddenSinceMs,
    seenSinceMs: () => seenSinceMs,
    onlineSinceMs: () => onlineSinceMs,
  }
}

/** Creates `setTimeout` and `clearTimeout` for the page on a device. */
function createTimers(time: VirtualTime, clock: BrowserClock, { off, awake, waitOrChange, hiddenSinceMs }: Power) {
  async function ring(callback: () => void, ms: number, signal: AbortSignal): Promise<void> {
    const dueMs = clock.reading().monotonicMs + ms
    for (let leftMs = ms; leftMs > 0 && !signal.aborted; leftMs = dueMs - clock.reading().monotonicMs) {
      await time.sleep(leftMs, signal).catch(() => undefined)
      if (signal.aborted) return
      await awake()
    }
    while (off.hidden && !signal.aborted) {
      const paceMs = time.nowMs() - hiddenSinceMs() > throttledAfterMs ? 60_000 : 1_000
      if (time.nowMs() % paceMs === 0) break
      await waitOrChange(paceMs - (time.nowMs() % paceMs))
      await awake()
    }
    if (!signal.aborted && !off.closed) callback()
  }

  return {
    setTimeout: (callback: () => void, ms: number) => {
      const timer = new AbortController()
      void ring(callback, ms, timer.signal)
      return timer
    },
    clearTimeout: (timer: unknown) => {
      if (timer instanceof AbortController) timer.abort()
    },
  }
}
