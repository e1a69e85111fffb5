/** Below the fields: the way to another device, and on paper the end of the quote. */
import type { Checkout } from '../../contract/checkout.ts'
import type { PaywindowActions } from '../../session/state.ts'
import { Handover } from './Handover.tsx'
import { PrintedEnd } from './PrintedEnd.tsx'
import type { Place } from './Where.tsx'

/** Props of `Hints`: the checkout, and what the payer can do with it. */
export type HintsProps = Pick<PaywindowActions, 'handOver'> & {
  readonly checkout: Checkout
  readonly place: Place
}

/** The way to another device. */
export function Hints({ checkout, place, handOver }: HintsProps) {
  return (
    <>
      <PrintedEnd checkout={checkout} place={place} />
      {checkout.viewOnly || place !== 'other' ? null : (
        <div className="pw-hints">
          <Handover handOver={handOver} handoverUrl={checkout.handoverUrl} />
        </div>
      )}
    </>
  )
}
