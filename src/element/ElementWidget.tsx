/**
 * The widget inside the custom element: like `<Paywindow>`, with a session that was started before anything was drawn.
 */
import type { PaywindowCallbacks, PaywindowLooks } from '../react/options.ts'
import type { Session } from '../react/session.ts'
import { useReports } from '../react/usePaywindow.ts'
import { type Poll, useSession } from '../react/useSession.ts'
import { Widget } from '../react/Widget.tsx'

interface ElementWidgetProps extends PaywindowLooks {
  readonly session: Session
  readonly poll: Poll
  readonly endpoint: string
  readonly isMute: boolean
  readonly callbacks: { readonly current: PaywindowCallbacks }
}

export function ElementWidget({ session, poll, callbacks, ...looks }: ElementWidgetProps) {
  const handle = useSession(session, poll)
  useReports(session, handle.view, callbacks)
  return <Widget handle={handle} {...looks} />
}
