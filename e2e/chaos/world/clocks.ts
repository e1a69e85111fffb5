/** Clocks as real machines have them: wrong, set by somebody, or stopped during sleep. */
import type { Reading } from '../../../src/checkout/deadline.ts'
import type { Clock } from '../../../src/service/clock.ts'
import { withFraction } from '../../../src/service/virtual-clock.testing.ts'
import type { VirtualTime } from './time.ts'

/** A server's clock: its wall clock can be set, its monotonic clock cannot. */
export interface ServerClock extends Clock {
  jump(ms: number): void
  readonly offsetMs: number
  /** How far its time is ahead of the true time. Never decreases, even by a step back. */
  readonly aheadMs: number
  /** Whether this server has learned the service's time from one of its answers. */
  hasServiceTime: boolean
  /** Its timers, and everything else that it waits for, wait until a pause is over. */
  readonly pauses: Pauses
}

/** Creates a process's clock. @param isAlive - Once false, the clock's `sleep` never settles. */
export function createServerClock(time: VirtualTime, offsetMs: number, isAlive: () => boolean): ServerClock {
  const bootMs = time.nowMs()
  const pauses = createPauses(time)
  const clock = {
    pauses,
    offsetMs,
    aheadMs: offsetMs,
    hasServiceTime: false,
    now: () => time.nowMs() + clock.offsetMs,
    monotonic: () => withFraction(time.nowMs() - bootMs),
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        time.sleep(ms, signal).then(
          () => pauses.awake().then(() => isAlive() && resolve()),
          (reason: unknown) => pauses.awake().then(() => isAlive() && reject(reason)),
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
  /** Moves the wall clock by `ms`, as if somebody had set it. */
  jump(ms: number): void
  /** Records that the device has just slept for `ms`. */
  slept(ms: number): void
  /** How long the device has slept in total. */
  sleptMs(): number
}

/**
 * Creates the clocks of a browser.
 *
 * @param plan - `wallOffsetMs`: how far the wall clock is ahead. `stopsInSleep`: whether the
 *   monotonic clock stops during sleep, as in some browsers. Nobody sets the wall clock of such a
 *   device: no browser can know the time if both of its clocks are wrong.
 */
export function createBrowserClock(
  time: VirtualTime,
  { wallOffsetMs, stopsInSleep }: { readonly wallOffsetMs: number; readonly stopsInSleep: boolean },
): BrowserClock {
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

/** A server's turn to send a creation ends after this time, so an earlier pause is harmless. */
export const turnMs = 60_000

/** The times in which a process stands still. */
interface Pauses {
  /** Holds up everything that waits, for so long. */
  begin(ms: number): void
  /** Resolves when it does not stand still. */
  awake(): Promise<void>
  /** For how many milliseconds it has stood still since a moment of true time. */
  sinceMs(fromMs: number): number
}

/** Creates the pauses of one process, which has had none. */
function createPauses(time: VirtualTime): Pauses {
  const pauses: { readonly fromMs: number; readonly untilMs: number }[] = []
  const endsMs = () => Math.max(...pauses.map(({ untilMs }) => untilMs), 0)
  return {
    begin: (ms) => void pauses.push({ fromMs: time.nowMs(), untilMs: time.nowMs() + ms }),
    awake: async () => {
      while (endsMs() > time.nowMs()) await time.sleep(endsMs() - time.nowMs())
    },
    sinceMs: (fromMs) =>
      pauses
        .map((pause) => Math.max(0, Math.min(pause.untilMs, time.nowMs()) - Math.max(pause.fromMs, fromMs)))
        .reduce((sum, ms) => sum + ms, 0),
  }
}
