/**
 * Lets TanStack Query decide when a session sends a request: it sends one at a time, shares it
 * between the two mounts of StrictMode, and stops on unmount. What is drawn is read from the
 * session itself.
 */
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useMemo, useReducer } from 'react'
import type { Poll } from '../session/polling.ts'
import type { Session } from '../session/session.ts'

/**
 * A server that draws a page asks nothing and reads no clock, because what it draws may be kept for
 * every visitor.
 */
const isBrowser = typeof document !== 'undefined'

/** Runs the session while mounted. */
export function useQueryPoll(session: Session, client: QueryClient): Poll {
  const { refetch } = useQuery(
    {
      // Has neither the reference nor the key in it, because the owner of a query cache may persist
      // it.
      queryKey: ['paywindow', session.number],
      queryFn: ({ signal }) => session.step(signal),
      initialData: session.state,
      // What a server has drawn is as fresh as an answer.
      initialDataUpdatedAt: () => (session.drawn ? Date.now() : 0),
      // Prevents a second request on mount right after the first.
      staleTime: 1000,
      // Each session has a cache entry of its own. One second is long enough for a component that
      // mounts twice.
      gcTime: 1000,
      retry: false,
      structuralSharing: false,
      // Tries even if the browser says that the device is offline, because a failure discards
      // nothing.
      networkMode: 'always',
      notifyOnChangeProps: [],
      enabled: isBrowser,
      refetchInterval: isBrowser && session.delayMs,
      refetchIntervalInBackground: true,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
    client,
  )
  // Another render makes the query use the current interval.
  const [, quicken] = useReducer((count: number) => count + 1, 0)
  return useMemo(
    () => ({
      join: () => void refetch({ cancelRefetch: false }),
      restart: () => void refetch(),
      quicken,
    }),
    [refetch],
  )
}
