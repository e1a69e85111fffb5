/**
 * Ties a session to what is drawn. That is read from the session itself, because the end of a quote must reach the screen in
 * the same task as its timer, and a poll that brings nothing new must draw nothing.
 */
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { untilNextSecondMs } from '../checkout/countdown.ts'
import type { MethodChoice } from '../checkout/flow.ts'
import type { HandoverLink, Session, SessionState } from './session.ts'
import { startTicking } from './ticker.ts'
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
   * Calls back whenever the text of a countdown changes, from one timer for the whole page; not in hidden tabs.
   *
   * @returns a function that stops it.
   */
  onTick(callback: (leftMs: number) => void): () => void
  /** When the status was last known, in milliseconds since 1970. */
  checkedAtMs(): number
}

/** Who decides when the session asks. The functions stay the same between renders. */
export interface Poll {
  /** Asks now, unless a request is on its way. */
  join(): void
  /** Asks now, in place of a request that is on its way. */
  restart(): void
  /** Takes the pace that fits a page that is looked at. */
  quicken(): void
}

/** Draws with the session, and asks out of turn when that is of use. */
export function useSession(session: Session, poll: Poll): SessionState & PaywindowActions {
  const state = useSyncExternalStore(session.subscribe, session.state, session.state)
  useEffect(() => onAttention(() => (session.isDue() ? poll.join() : poll.quicken())), [session, poll])

  const isCounting = state.view.kind === 'waiting'
  useEffect(() => {
    if (!isCounting) return
    return startTicking((hidden) => {
      if (session.tick()) poll.join()
      const leftMs = session.timeLeftMs()
      if (leftMs <= 0) return Number.POSITIVE_INFINITY
      return hidden ? leftMs : Math.min(leftMs, untilNextSecondMs(leftMs))
    })
  }, [isCounting, session, poll])

  const actions = useMemo((): PaywindowActions => {
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
        startTicking((hidden) => {
          const leftMs = session.timeLeftMs()
          if (!hidden) callback(leftMs)
          return hidden || leftMs <= 0 ? Number.POSITIVE_INFINITY : untilNextSecondMs(leftMs)
        }),
    }
  }, [session, poll])

  return { ...state, ...actions }
}
