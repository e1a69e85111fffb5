/**
 * Ties a session to React and to a query: TanStack Query decides when to ask, keeps to one request at a time, joins what
 * StrictMode mounts twice, and stops on unmount. What is drawn is read from the session itself, because the end of a quote
 * must reach the screen in the same task as its timer, and a poll that brings nothing new must draw nothing.
 */
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useReducer, useSyncExternalStore } from 'react'
import { untilNextSecondMs } from '../checkout/countdown.ts'
import type { MethodChoice } from '../checkout/flow.ts'
import type { HandoverLink, Session, SessionState } from './session.ts'
import { startTicking } from './ticker.ts'
import { isHidden, onAttention } from './visibility.ts'

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

/** Options for `useQuery` and for a head start with `prefetchQuery`. */
export function sessionQuery(session: Session) {
  return {
    // Neither the reference nor the key: a query cache may be persisted by its owner.
    queryKey: ['paywindow', session.number],
    queryFn: ({ signal }: { signal: AbortSignal }) => session.step(signal),
    initialData: session.state,
    initialDataUpdatedAt: 0,
    // What was asked a moment ago, before anything was drawn, is not asked again on mount.
    staleTime: 1000,
    // A session makes a cache entry of its own; a second is time enough for a component that mounts twice.
    gcTime: 1000,
    retry: false,
    structuralSharing: false,
    // Being told that the device is offline is no reason not to try: a failure erases nothing.
    networkMode: 'always' as const,
  }
}

/** Runs the session while mounted. */
export function useSession(session: Session, client: QueryClient): SessionState & PaywindowActions {
  const state = useSyncExternalStore(session.subscribe, session.state, session.state)
  const { refetch } = useQuery(
    {
      ...sessionQuery(session),
      notifyOnChangeProps: [],
      refetchInterval: () => session.delayMs(isHidden()),
      refetchIntervalInBackground: true,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
    client,
  )

  // Drawn again, the query takes the pace that fits a page that is looked at.
  const [, quicken] = useReducer((count: number) => count + 1, 0)
  useEffect(
    () =>
      onAttention(() => {
        if (session.isDue()) void refetch({ cancelRefetch: false })
        else quicken()
      }),
    [session, refetch],
  )

  const isCounting = state.view.kind === 'waiting'
  useEffect(() => {
    if (!isCounting) return
    return startTicking((hidden) => {
      if (session.tick()) void refetch({ cancelRefetch: false })
      const leftMs = session.timeLeftMs()
      if (leftMs <= 0) return Number.POSITIVE_INFINITY
      return hidden ? leftMs : Math.min(leftMs, untilNextSecondMs(leftMs))
    })
  }, [isCounting, session, refetch])

  const actions = useMemo((): PaywindowActions => {
    const now = (press: () => void) => () => {
      const before = session.state()
      press()
      if (session.state() !== before) void refetch()
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
  }, [session, refetch])

  return { ...state, ...actions }
}
