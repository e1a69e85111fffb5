/**
 * The quote is over. A new one is one press away. Payers who have already sent learn that their deposit is still watched for.
 */
import { useState } from 'react'
import { asIs } from '#as-is'
import type { Checkout } from '../../contract/checkout.ts'
import type { PaywindowActions, SessionState } from '../../session/state.ts'
import { Details } from '../parts/Details.tsx'
import { Differences } from '../parts/Differences.tsx'
import { IfSent } from '../parts/IfSent.tsx'
import { NewQuoteButton } from '../parts/NewQuoteButton.tsx'
import { Result } from '../parts/Result.tsx'
import { Say } from '../parts/Say.tsx'
import { useTexts } from '../parts/use-texts.ts'

type ExpiredProps = Pick<SessionState, 'pending' | 'trouble' | 'actionError'> &
  Pick<PaywindowActions, 'renew' | 'back'> & { readonly checkout: Checkout }

/** The quote is over: for payers who have already sent, and for those who have not. */
export function Expired({ checkout, back, ...renewal }: ExpiredProps) {
  const texts = useTexts()
  /** Whether the payer says that they have sent; null until something is pressed. */
  const [hasSent, setHasSent] = useState<boolean | null>(null)
  const sent = () => {
    setHasSent(true)
    // A new quote that is on its way would ask for the money once more.
    back()
  }
  const details = (
    <Details checkout={checkout}>
      <Say
        text={texts.oldAddress}
        values={{
          address: (
            <span dir="ltr" {...asIs}>
              {checkout.address}
            </span>
          ),
        }}
      />
    </Details>
  )
  if (hasSent) {
    return (
      <Result key="sent" sign="clock" tone="info" title={texts.sentTitle} text={texts.sentText} takesFocus>
        <Differences checkout={checkout} />
        <button type="button" className="pw-button" part="button" data-look="quiet" onClick={() => setHasSent(false)}>
          {texts.back}
        </button>
        {details}
      </Result>
    )
  }
  return (
    <Result
      key="over"
      sign="clock"
      tone="warn"
      title={texts.expiredTitle}
      text={<Say text={texts.expiredText} values={{ strong: <b>{texts.expiredStrong}</b> }} />}
      takesFocus={hasSent === false}
    >
      {renewal.actionError ? null : <IfSent />}
      {checkout.viewOnly ? null : <NewQuoteButton {...renewal} />}
      <button type="button" className="pw-button" part="button" data-look="quiet" onClick={sent}>
        {texts.alreadySent}
      </button>
      {details}
    </Result>
  )
}
