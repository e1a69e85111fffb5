/** Clocks as machines have them: wrong by some offset, set by somebody, standing still while a device sleeps. */
import type { Reading } from '../../../src/checkout/deadline.ts'
import type { Clock } from '../../../src/service/clock.ts'
import type { VirtualTime } from './time.ts'

/** A server's clock: its wall clock can be set, its monotonic clock cannot. */
export interface ServerClock extends Clock {
  jump(ms: number): void
  readonly offsetMs: number
  /** How far the server believes to be ahead of the true time: it never goes back by itself, however its clock is set. */
  readonly aheadMs: number
  /** Whether the service has told this server its own time. */
  hasServiceTime: boolean
}

/** @param isAlive - Nothing a dead process waits for ever comes. */
export function createServerClock(time: VirtualTime, offsetMs: number, isAlive: () => boolean): ServerClock {
  const bootMs = time.nowMs()
  const clock = {
    offsetMs,
    aheadMs: offsetMs,
    hasServiceTime: false,
    now: () => time.nowMs() + clock.offsetMs,
    monotonic: () => time.nowMs() - bootMs,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        time.sleep(ms, signal).then(
          () => isAlive() && resolve(),
          (reason: unknown) => isAlive() && reject(reason),
        )
      }),
    jump: (ms: number) => {
      clock.offsetMs += ms
      clock.aheadMs = Math.max(clock.aheadMs, clock.offsetMs)
    },
  }
  return clock
}

/** A browser's two clocks. */
export interface BrowserClock {
  reading(): Reading
  /** Somebody sets the wall clock. */
  jump(ms: number): void
  /** The device slept for so long, until now. */
  slept(ms: number): void
  /** How long it slept in all. */
  sleptMs(): number
}

/**
 * @param stopsInSleep - Whether the monotonic clock stands still while the device sleeps; in some browsers it does. The wall
 *   clock of such a device is not set by anybody here: with both clocks wrong at once no browser can know the time.
 */
export function createBrowserClock(time: VirtualTime, wallOffsetMs: number, stopsInSleep: boolean): BrowserClock {
  const startMs = time.nowMs()
  let offsetMs = wallOffsetMs
  let stoppedMs = 0
  let sleptMs = 0
  return {
    reading: () => ({ monotonicMs: time.nowMs() - startMs - stoppedMs, wallMs: time.nowMs() + offsetMs }),
    jump: (ms) => {
      if (!stopsInSleep) offsetMs += ms
    },
    slept: (ms) => {
      sleptMs += ms
      if (stopsInSleep) stoppedMs += ms
    },
    sleptMs: () => sleptMs,
  }
}
