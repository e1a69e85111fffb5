/**
 * All that an element draws. A server draws it from here, too, so that what it wrote can be taken
 * over.
 */
import type { PaywindowError } from '../contract/errors.ts'
import type { Texts } from '../locales/en.ts'
import type { PaywindowLooks } from '../react/options.ts'
import { Redrawn } from '../react/Redrawn.tsx'
import { SessionWidget } from '../react/SessionWidget.tsx'
import type { Poll } from '../session/polling.ts'
import type { Session } from '../session/session.ts'

interface WholeProps extends PaywindowLooks {
  readonly session: Session
  readonly poll: Poll
  readonly endpoint: string
  readonly texts: Partial<Texts>
  readonly onError?: (error: PaywindowError) => void
}

/** The widget, with a place for the merchant's logo. */
export function Whole({ onError, ...widget }: WholeProps) {
  return (
    <Redrawn onError={onError}>
      <SessionWidget {...widget} logo={<slot name="logo" />} />
    </Redrawn>
  )
}
