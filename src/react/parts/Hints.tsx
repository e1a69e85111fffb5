/**
 * Below the fields: the way to another device, the time that an exchange takes and, near the end of the quote, advice not to send.
 */
import type { Checkout } from '../../contract/checkout.ts'
import type { PaywindowActions, SessionState } from '../../session/state.ts'
import { Handover } from './Handover.tsx'
import { PrintedEnd } from './PrintedEnd.tsx'
import { Say } from './Say.tsx'
import { TimeOfDay } from './TimeOfDay.tsx'
import { useIdle } from './use-idle.ts'
import { useTexts } from './use-texts.ts'
import type { Place } from './Where.tsx'

/** Props of `Hints`: the checkout, and what the payer can do with it. */
export type HintsProps = Pick<SessionState, 'pending'> &
  Pick<PaywindowActions, 'renew' | 'endsAtMs' | 'handOver'> & { readonly checkout: Checkout; readonly place: Place }

/** The way to another device, the time that an exchange takes and, near the end of the quote, advice not to send. */
export function Hints({ checkout, place, pending, renew, endsAtMs, handOver }: HintsProps) {
  const texts = useTexts()
  if (!useIdle()) return null
  return (
    <>
      <PrintedEnd checkout={checkout} endsAtMs={endsAtMs} />
      <div className="pw-hints">
        <div className="pw-early">
          {checkout.viewOnly || place !== 'other' ? null : <Handover handOver={handOver} />}
          {place === 'exchange' ? (
            <p className="pw-note">
              <TimeOfDay text={texts.exchangeTime} atMs={endsAtMs()} />
            </p>
          ) : null}
        </div>
        {checkout.viewOnly ? null : (
          <p className="pw-note pw-late">
            <Say
              text={texts.lateHint}
              values={{
                strong: (
                  <button
                    type="button"
                    className="pw-link"
                    part="link"
                    aria-disabled={pending !== null}
                    aria-busy={pending?.kind === 'renew'}
                    onClick={renew}
                  >
                    {texts.lateHintStrong}
                  </button>
                ),
              }}
            />
          </p>
        )}
      </div>
    </>
  )
}
