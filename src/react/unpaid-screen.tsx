/** The screens of a payment that can still be made, but for the panel. */
import type { PaywindowActions, SessionState } from '../session/state.ts'
import { Choosing } from './states/Choosing.tsx'
import { Expired, type ExpiredProps } from './states/Expired.tsx'
import { Unreachable } from './states/Unreachable.tsx'

/**
 * The choice, a quote that is over, and a shop that does not answer. Null for other screens.
 *
 * @param Differences - What becomes of a deposit that differs.
 */
export function unpaidScreen(handle: SessionState & PaywindowActions, Differences: ExpiredProps['differences']) {
  const { view } = handle
  switch (view.kind) {
    case 'choosing':
      return <Choosing offer={view.offer} {...handle} />
    case 'expired':
      return <Expired key={view.checkout.id} checkout={view.checkout} differences={Differences} {...handle} />
    case 'unreachable':
      return <Unreachable error={view.error} retry={handle.retry} />
    default:
      return null
  }
}
