/**
 * Follows a session while it is drawn: ends its quote on time, and asks out of turn when that is
 * useful.
 */
import { nextTickMs } from '../checkout/countdown.ts'
import { clocksDiverged, type ReadClocks, type Reading } from '../checkout/deadline.ts'
import { type Flow, ticked } from '../checkout/flow.ts'
import { followLinks } from './links.ts'
import type { Poll } from './polling.ts'
import type { Session } from './session.ts'
import type { HeldFlow } from './step.ts'
import type { Page, StartTicking } from './ticker.ts'
import { onAttention } from './visibility.ts'
import type { BrowserWindow } from './world.ts'

interface Following extends Pick<Session, 'follow'> {
  /** Takes what the payer pressed, and asks at once if that changed what is drawn. */
  press(next: Flow): void
}

/** @param isDue - Whether a request now, out of turn, is useful and allowed. */
export function createFollowing(
  { state, flow, update, subscribe, timeLeftMs }: HeldFlow,
  window: BrowserWindow,
  clock: ReadClocks,
  startTicking: StartTicking,
  isDue: () => boolean,
): Following {
  let lastReading: Reading
  let stopTicking: (() => void) | undefined
  let poll: Poll | undefined

  /** A second or the quote has passed. When a clock jumped, the server is asked. */
  function tick(page: Page): number {
    const now = clock()
    const jumped = clocksDiverged(lastReading, now)
    lastReading = now
    const next = ticked(flow(), now)
    // The time of day at which the quote ends is another now, and has to be drawn.
    update(jumped ? { ...next, progress: { ...next.progress } } : next)
    if (jumped) askAgain()
    return nextTickMs(timeLeftMs(), page)
  }

  /** What is on its way is on a connection that is gone. A creation goes on. */
  function askAgain(): void {
    if (flow().task.kind === 'poll') poll?.restart()
    else poll?.join()
  }

  function count(): void {
    if (poll && state().view.kind === 'waiting') stopTicking ??= startTicking(tick)
    else {
      stopTicking?.()
      stopTicking = undefined
    }
  }

  // The first to subscribe, so that the countdown of a new screen runs before it is drawn.
  subscribe(count)
  return {
    follow: (follower) => {
      poll = follower
      lastReading = clock()
      const stops = [
        onAttention(window, (isOnline) => {
          if (!isDue()) follower.quicken()
          else if (isOnline) askAgain()
          else follower.join()
        }),
        followLinks(window),
      ]
      count()
      return () => {
        poll = undefined
        for (const stop of stops) stop()
        count()
      }
    },
    press: (next) => {
      const before = state()
      update(next)
      if (state() !== before) poll?.restart()
    },
  }
}
