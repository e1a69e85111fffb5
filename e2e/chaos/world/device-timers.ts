/** Whether a device sleeps, is online and shows the tab; and timers that stop during sleep and are throttled in hidden tabs. */
import type { BrowserClock } from './clocks.ts'
import type { VirtualTime } from './time.ts'

/** Browsers run timers of hidden tabs at most once a second, and after five minutes once a minute. */
const throttledAfterMs = 5 * 60_000

interface Off {
  asleep: boolean
  offline: boolean
  hidden: boolean
  closed: boolean
}

/** The state of a device. */
export interface Power {
  readonly off: Readonly<Off>
  /** Changes the state and wakes everything that waits for a change. */
  change(changes: Partial<Off>): void
  /** Resolves when the device is awake. Never resolves once the page is closed, because a closed page does nothing more. */
  awake(): Promise<void>
  /** Waits for `ms`, or until something changes. */
  waitOrChange(ms: number): Promise<void>
  hiddenSinceMs(): number
  seenSinceMs(): number
  onlineSinceMs(): number
}

/** Starts awake and online. */
export function createPower(time: VirtualTime, { opensHidden }: { readonly opensHidden: boolean }): Power {
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
export function createTimers(
  time: VirtualTime,
  clock: BrowserClock,
  { off, awake, waitOrChange, hiddenSinceMs }: Power,
) {
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
