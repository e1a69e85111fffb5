/**
 * What a session does beside its poll: it asks out of turn when that is of use, ends a quote on time, and does what the payer
 * presses.
 */
import { untilNextSecondMs } from '../checkout/countdown.ts'
import type { MethodChoice } from '../checkout/flow.ts'
import type { Poll } from './polling.ts'
import type { HandoverLink, Session } from './session.ts'
import { onAttention } from './visibility.ts'

/** What the payer can do. The functions stay the same between renders. */
export interface PaywindowActions {
  /** Pays with this method. */
  choose(method: MethodChoice): void
  /** Asks for a new quote; the old one stays watched by the server. */
  renew(): void
  /** Goes back to the choice of methods. */
  change(): void
  /** From the choice back to the checkout that was shown before. */
  back(): void
  /** Tries a first request again that was refused or not answered. */
  retry(): void
  /** Makes a link that shows this checkout on another device. Rejects with `PaywindowError`. */
  handOver(): Promise<HandoverLink>
  /** Milliseconds the quote has left, never more than the server said; zero or less when it is over. */
  timeLeftMs(): number
  /** When the quote ends, in milliseconds since 1970 by this device's clock. */
  endsAtMs(): number
  /**
   * Calls back whenever the text of a countdown changes, from one timer for the whole session; not in hidden tabs.
   *
   * @returns a function that stops it.
   */
  onTick(callback: (leftMs: number) => void): () => void
  /** When the status was last known, in milliseconds since 1970. */
  checkedAtMs(): number
}

/** Listens to the page and counts down while there is something to count. The function it returns stops both. */
export function follow(session: Session, poll: Poll): () => void {
  let stopTicking: (() => void) | undefined
  const stopListening = onAttention(session.window, () => (session.isDue() ? poll.join() : poll.quicken()))
  const unsubscribe = session.subscribe(look)

  function look(): void {
    const isCounting = session.state().view.kind === 'waiting'
    if (isCounting === (stopTicking !== undefined)) return
    stopTicking?.()
    stopTicking = isCounting ? session.startTicking(tick) : undefined
  }

  function tick(hidden: boolean): number {
    if (session.tick()) poll.join()
    const leftMs = session.timeLeftMs()
    if (leftMs <= 0) return Number.POSITIVE_INFINITY
    return hidden ? leftMs : Math.min(leftMs, untilNextSecondMs(leftMs))
  }

  look()
  return () => {
    stopListening()
    unsubscribe()
    stopTicking?.()
  }
}

export function actionsOf(session: Session, poll: Poll): PaywindowActions {
  const now = (press: () => void) => () => {
    const before = session.state()
    press()
    if (session.state() !== before) poll.restart()
  }
  return {
    choose: (method) => now(() => session.choose(method))(),
    renew: now(session.renew),
    change: now(session.change),
    back: now(session.back),
    retry: now(session.retry),
    handOver: session.handOver,
    timeLeftMs: session.timeLeftMs,
    endsAtMs: session.endsAtMs,
    checkedAtMs: session.checkedAtMs,
    onTick: (callback) =>
      session.startTicking((hidden) => {
        const leftMs = session.timeLeftMs()
        if (!hidden) callback(leftMs)
        return hidden || leftMs <= 0 ? Number.POSITIVE_INFINITY : untilNextSecondMs(leftMs)
      }),
  }
}
