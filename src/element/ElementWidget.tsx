/**
 * The widget inside the custom element: like `<Paywindow>`, with a session that was started before anything was drawn.
 */
import type { QueryClient } from '@tanstack/react-query'
import type { PaywindowCallbacks, PaywindowLooks } from '../react/options.ts'
import type { Session } from '../react/session.ts'
import { useReports } from '../react/usePaywindow.ts'
import { useSession } from '../react/useSession.ts'
import { Widget } from '../react/Widget.tsx'

interface ElementWidgetProps extends PaywindowLooks {
  readonly session: Session
  readonly client: QueryClient
  readonly endpoint: string
  readonly isMute: boolean
  readonly callbacks: { readonly current: PaywindowCallbacks }
}

export function ElementWidget({ session, client, callbacks, ...looks }: ElementWidgetProps) {
  const handle = useSession(session, client)
  useReports(session, handle.view, callbacks)
  return <Widget handle={handle} {...looks} />
}
