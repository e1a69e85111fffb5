/**
 * Below the fields: help with sending and, near the end of the quote, advice not to send.
 */
import type { Checkout } from '../../contract/checkout.ts'
import type { PaywindowActions, SessionState } from '../../session/state.ts'
import { ExchangeHelp } from './ExchangeHelp.tsx'
import { Handover } from './Handover.tsx'
import { PrintedEnd } from './PrintedEnd.tsx'
import { Say } from './Say.tsx'
import { useIdle } from './use-idle.ts'
import { useTexts } from './use-texts.ts'

/** Props of `Hints`: the checkout, and what the payer can do with it. */
export type HintsProps = Pick<SessionState, 'pending'> &
  Pick<PaywindowActions, 'renew' | 'endsAtMs' | 'handOver'> & { readonly checkout: Checkout }

/** Help with sending and, near the end of the quote, advice not to send. */
export function Hints({ checkout, pending, renew, endsAtMs, handOver }: HintsProps) {
  const texts = useTexts()
  if (!useIdle()) return null
  return (
    <>
      <PrintedEnd checkout={checkout} endsAtMs={endsAtMs} />
      <div className="pw-hints">
        <div className="pw-early">
          <ExchangeHelp checkout={checkout} endsAtMs={endsAtMs} />
          {checkout.viewOnly ? null : <Handover handOver={handOver} />}
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
