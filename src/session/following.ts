/** Follows a session while it is drawn: ends a quote on time, and asks out of turn when the payer returns or a clock jumped. */
import { nextTickMs } from '../checkout/countdown.ts'
import { clocksDiverged, timeLeftMs as leftOf, type ReadClocks } from '../checkout/deadline.ts'
import { type Flow, ticked } from '../checkout/flow.ts'
import type { FlowState } from './flow-state.ts'
import type { Poll } from './polling.ts'
import type { PaywindowActions } from './state.ts'
import type { Stepping } from './stepping.ts'
import { createTicker, type Page } from './ticker.ts'
import { onAttention } from './visibility.ts'
import type { BrowserWindow } from './world.ts'

interface Following extends Pick<PaywindowActions, 'timeLeftMs' | 'onTick'> {
  /**
   * Sends a request out of turn when that is useful or the payer pressed something, and ends a quote on time.
   *
   * @returns a function that stops it.
   */
  follow(poll: Poll): () => void
  /** Takes what the payer pressed, and sends its request at once. */
  press(next: Flow): void
}

/** Its countdowns share one timer. */
export function createFollowing(
  flows: FlowState,
  delayMs: Stepping['delayMs'],
  { window, clock }: { readonly window: BrowserWindow; readonly clock: ReadClocks },
): Following {
  const startTicking = createTicker(window)
  let lastReading = clock()
  let stopTicking: (() => void) | undefined
  let poll: Poll | undefined

  function timeLeftMs(): number {
    const { shown } = flows.flow
    return shown ? leftOf(shown.deadline, clock()) : 0
  }

  /** Whether a request now, out of turn, is useful and allowed. */
  function isDue(): boolean {
    const now = clock().monotonicMs
    return delayMs() !== false && now >= flows.flow.notBeforeMs && now - flows.flow.checkedAt.monotonicMs > 1000
  }

  /** A second or the quote has passed. When a clock jumped, the server is asked. */
  function tick(page: Page): number {
    const now = clock()
    const jumped = clocksDiverged(lastReading, now)
    lastReading = now
    flows.update(ticked(flows.flow, now))
    if (jumped) poll?.join()
    return nextTickMs(timeLeftMs(), page)
  }

  function count(): void {
    if (poll && flows.state.view.kind === 'waiting') stopTicking ??= startTicking(tick)
    else {
      stopTicking?.()
      stopTicking = undefined
    }
  }

  // Before anybody else hears of a change.
  flows.subscribe(count)
  return {
    press: (next) => {
      const before = flows.state
      flows.update(next)
      if (flows.state !== before) poll?.restart()
    },
    follow: (follower) => {
      poll = follower
      const stopListening = onAttention(window, () => (isDue() ? follower.join() : follower.quicken()))
      count()
      return () => {
        poll = undefined
        stopListening()
        count()
      }
    },
    timeLeftMs,
    onTick: (callback) =>
      startTicking((page) => {
        const leftMs = timeLeftMs()
        if (!page.hidden) callback(leftMs)
        return nextTickMs(leftMs, page)
      }),
  }
}
