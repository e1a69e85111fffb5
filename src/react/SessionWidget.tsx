/** The widget of a session that runs already: what the element draws. */
import type { ReactNode } from 'react'
import type { Poll } from '../session/polling.ts'
import type { Session } from '../session/session.ts'
import type { PaywindowLooks } from './options.ts'
import { useSession } from './use-session.ts'
import { Widget } from './Widget.tsx'

interface SessionWidgetProps extends PaywindowLooks {
  readonly session: Session
  /** Must be the same object in every render. */
  readonly poll: Poll
  readonly endpoint: string
  readonly logo: ReactNode
}

/** Draws a session, and follows it while it is mounted. */
export function SessionWidget({ session, poll, ...looks }: SessionWidgetProps) {
  return <Widget handle={useSession(session, poll)} initial={session.drawn} {...looks} />
}
