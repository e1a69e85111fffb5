/**
 * Calls the page's callbacks for each change once, however often the state is read.
 */
import { screenOf, type View } from '../checkout/view.ts'
import type { Emit } from './callbacks.ts'
import type { Session } from './session.ts'

/** To be called with what is shown now. */
type Reporter = (session: Session, view: View) => void

/** Calls the page once for each change. */
export function createReporter(emit: Emit): Reporter {
  const paid = new Set<string>()
  let last = ''
  return (session, view) => {
    const checkout = 'checkout' in view ? view.checkout : null
    const screen = `${session.number} ${screenOf(view)}`
    if (last !== screen) {
      last = screen
      emit('onStatusChange', { status: view.kind, checkout })
    }
    if (view.kind === 'paid' && !paid.has(view.checkout.id)) {
      paid.add(view.checkout.id)
      emit('onConfirmed', view.checkout)
    }
  }
}
