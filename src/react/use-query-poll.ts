/**
 * Lets TanStack Query decide when a session asks: it keeps to one request at a time, joins what StrictMode mounts twice, and
 * stops on unmount. What is drawn is read from the session itself.
 */
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useMemo, useReducer } from 'react'
import type { Poll } from '../session/polling.ts'
import type { Session } from '../session/session.ts'

/** Runs the session while mounted. */
export function useQueryPoll(session: Session, client: QueryClient): Poll {
  const { refetch } = useQuery(
    {
      // Neither the reference nor the key: a query cache may be persisted by its owner.
      queryKey: ['paywindow', session.number],
      queryFn: ({ signal }) => session.step(signal),
      initialData: session.state,
      initialDataUpdatedAt: 0,
      // What was asked a moment ago is not asked again on mount.
      staleTime: 1000,
      // A session makes a cache entry of its own; a second is time enough for a component that mounts twice.
      gcTime: 1000,
      retry: false,
      structuralSharing: false,
      // Being told that the device is offline is no reason not to try: a failure erases nothing.
      networkMode: 'always',
      notifyOnChangeProps: [],
      refetchInterval: session.delayMs,
      refetchIntervalInBackground: true,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
    client,
  )
  // Drawn again, the query takes the pace of the moment.
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
