/**
 * Connects a session to what is drawn. The state is read from the session itself, because the end
 * of a quote must reach the screen in the same task as its timer, and a poll that brings nothing
 * new must not cause a render.
 */
import { useEffect, useSyncExternalStore } from 'react'
import type { Poll } from '../session/polling.ts'
import type { Session } from '../session/session.ts'
import type { PaywindowActions, SessionState } from '../session/state.ts'

/**
 * The state and actions of a session, followed while mounted. @param poll - Must be the same object
 * in every render.
 */
export function useSession(session: Session, poll: Poll): SessionState & PaywindowActions {
  const state = useSyncExternalStore(session.subscribe, session.state, session.state)
  useEffect(() => session.follow(poll), [session, poll])
  return { ...state, ...session.actions }
}
