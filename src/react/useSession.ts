/**
 * Ties a session to what is drawn. That is read from the session itself, because the end of a quote must reach the screen in
 * the same task as its timer, and a poll that brings nothing new must draw nothing.
 */
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { actionsOf, follow, type PaywindowActions } from '../session/following.ts'
import type { Poll } from '../session/polling.ts'
import type { Session, SessionState } from '../session/session.ts'

/** Draws with the session, and asks out of turn when that is of use. @param poll - The same between renders. */
export function useSession(session: Session, poll: Poll): SessionState & PaywindowActions {
  const state = useSyncExternalStore(session.subscribe, session.state, session.state)
  useEffect(() => follow(session, poll), [session, poll])
  const actions = useMemo(() => actionsOf(session, poll), [session, poll])
  return { ...state, ...actions }
}
