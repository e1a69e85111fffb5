/**
 * What only follows the panel: the screens of a payment that was seen, help and hints. The script
 * loads it from a file beside it after its first request; the React entry has it in the file of
 * `later-parts.tsx`.
 */
import { enAfter } from '../locales/en-after.ts'
import type { PaywindowActions, SessionState } from '../session/state.ts'
import { addEnglish } from './parts/use-texts.ts'
import { Ended } from './states/Ended.tsx'
import { Paid } from './states/Paid.tsx'
import { Refused } from './states/Refused.tsx'
import { Seen } from './states/Seen.tsx'
import { SettledElsewhere } from './states/SettledElsewhere.tsx'

export { bringIntoView } from './bring-into-view.ts'
export { Attention } from './parts/Attention.tsx'
export { CopyDetails } from './parts/CopyDetails.tsx'
export { Differences } from './parts/Differences.tsx'
export { Growth } from './parts/Growth.tsx'
export { Hints } from './parts/Hints.tsx'
export { Withdrawal } from './parts/Withdrawal.tsx'

addEnglish(enAfter)

/** The screens of a payment that was seen, has ended, or cannot be made. */
export function LaterScreen({ handle }: { handle: SessionState & PaywindowActions }) {
  const { view } = handle
  switch (view.kind) {
    case 'seen':
      return <Seen checkout={view.checkout} />
    case 'paid':
      return <Paid checkout={view.checkout} />
    case 'ended':
      return <Ended checkout={view.checkout} {...handle} />
    case 'settledElsewhere':
      return <SettledElsewhere checkout={view.checkout} cart={view.cart} />
    case 'refused':
      return (
        <Refused error={view.error} isForgotten={'checkout' in view && !view.checkout.viewOnly} retry={handle.retry} />
      )
    default:
      return null
  }
}
