/**
 * All that an element draws. A server draws it from here, too, so that what it wrote can be taken
 * over.
 */
import type { PaywindowError } from '../contract/errors.ts'
import type { Texts } from '../locales/en.ts'
import type { PaywindowLooks } from '../react/options.ts'
import { Redrawn } from '../react/Redrawn.tsx'
import { useSession } from '../react/use-session.ts'
import { Widget } from '../react/Widget.tsx'
import type { Poll } from '../session/polling.ts'
import type { Session } from '../session/session.ts'

interface FollowedProps extends PaywindowLooks {
  readonly session: Session
  /** Must be the same object in every render. */
  readonly poll: Poll
  readonly endpoint: string
  readonly texts: Partial<Texts>
}

/** The widget, with a place for the merchant's logo. */
export function Whole({ onError, ...widget }: FollowedProps & { readonly onError?: (error: PaywindowError) => void }) {
  return (
    <Redrawn onError={onError}>
      <Followed {...widget} />
    </Redrawn>
  )
}

/** Follows a session while it is drawn. */
function Followed({ session, poll, ...looks }: FollowedProps) {
  return <Widget handle={useSession(session, poll)} initial={session.drawn} {...looks} logo={<slot name="logo" />} />
}
