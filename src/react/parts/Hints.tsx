/**
 * Below the fields: the way to another device, and the time that an exchange takes.
 */
import type { Checkout } from '../../contract/checkout.ts'
import type { PaywindowActions } from '../../session/state.ts'
import { Handover } from './Handover.tsx'
import { PrintedEnd } from './PrintedEnd.tsx'
import { TimeOfDay } from './TimeOfDay.tsx'
import { useIdle } from './use-idle.ts'
import { useTexts } from './use-texts.ts'
import type { Place } from './Where.tsx'

/** Props of `Hints`: the checkout, and what the payer can do with it. */
export type HintsProps = Pick<PaywindowActions, 'endsAtMs' | 'handOver'> & {
  readonly checkout: Checkout
  readonly place: Place
}

/** The way to another device, and the time that an exchange takes. */
export function Hints({ checkout, place, endsAtMs, handOver }: HintsProps) {
  const texts = useTexts()
  if (!useIdle()) return null
  return (
    <>
      <PrintedEnd checkout={checkout} place={place} endsAtMs={endsAtMs} />
      <div className="pw-hints">
        {checkout.viewOnly || place !== 'other' ? null : (
          <Handover handOver={handOver} handoverUrl={checkout.handoverUrl} />
        )}
        {place === 'exchange' ? (
          <p className="pw-note">
            <TimeOfDay text={texts.exchangeTime} atMs={endsAtMs()} />
          </p>
        ) : null}
      </div>
    </>
  )
}
