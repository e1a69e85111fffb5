/**
 * What is not on the panel when it is first drawn. The React entry loads it in parallel with the first request; the script has
 * it in its single file. Each screen is a component of its own.
 */
import type { PaywindowActions, SessionState } from '../session/state.ts'
import { Choosing } from './states/Choosing.tsx'
import { Ended } from './states/Ended.tsx'
import { Expired } from './states/Expired.tsx'
import { Paid } from './states/Paid.tsx'
import { Refused } from './states/Refused.tsx'
import { Seen } from './states/Seen.tsx'
import { SettledElsewhere } from './states/SettledElsewhere.tsx'
import { Unreachable } from './states/Unreachable.tsx'

export { bringIntoView } from './bring-into-view.ts'
export { Ago } from './parts/Ago.tsx'
export { Attention } from './parts/Attention.tsx'
export { CopyDetails } from './parts/CopyDetails.tsx'
export { Growth } from './parts/Growth.tsx'
export { Hints } from './parts/Hints.tsx'
export { PressNote } from './parts/PressNote.tsx'
export { Wallets } from './parts/Wallets.tsx'
export { Withdrawal } from './parts/Withdrawal.tsx'

/** All screens but the panel. */
export function LaterScreen({ handle }: { handle: SessionState & PaywindowActions }) {
  const { view } = handle
  switch (view.kind) {
    case 'preparing':
    case 'waiting':
      return null
    case 'choosing':
      return <Choosing offer={view.offer} {...handle} />
    case 'expired':
      return <Expired key={view.checkout.id} checkout={view.checkout} {...handle} />
    case 'seen':
      return <Seen checkout={view.checkout} />
    case 'paid':
      return <Paid checkout={view.checkout} />
    case 'ended':
      return <Ended checkout={view.checkout} {...handle} />
    case 'settledElsewhere':
      return <SettledElsewhere checkout={view.checkout} cart={view.cart} />
    case 'unreachable':
      return <Unreachable error={view.error} retry={handle.retry} />
    case 'refused':
      return (
        <Refused error={view.error} isForgotten={'checkout' in view && !view.checkout.viewOnly} retry={handle.retry} />
      )
  }
}
