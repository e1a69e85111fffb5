/**
 * The quote is over. A new one is one press away. Payers who have already sent learn that their
 * deposit is still watched for.
 */
import { type ComponentType, useState } from 'react'
import type { Checkout } from '../../contract/checkout.ts'
import type { PaywindowActions, SessionState } from '../../session/state.ts'
import type { DifferencesProps } from '../parts/Differences.tsx'
import { NewQuoteButton } from '../parts/NewQuoteButton.tsx'
import { Result } from '../parts/Result.tsx'
import { Seal } from '../parts/Seal.tsx'
import { useTexts } from '../parts/use-texts.ts'
import { WayButton } from '../parts/WayButton.tsx'

/** Props of `Expired`. */
export type ExpiredProps = Pick<SessionState, 'pending' | 'trouble' | 'actionError'> &
  Pick<PaywindowActions, 'renew' | 'back'> & {
    readonly checkout: Checkout
    /** What becomes of a deposit that differs. The script loads it later. */
    readonly differences: ComponentType<DifferencesProps>
  }

/** The quote is over: for payers who have already sent, and for those who have not. */
export function Expired({ checkout, differences: Differences, back, ...renewal }: ExpiredProps) {
  const texts = useTexts()
  /** Whether the payer says that they have sent; null until something is pressed. */
  const [hasSent, setHasSent] = useState<boolean | null>(null)
  const sent = () => {
    setHasSent(true)
    // A new quote that is on its way would ask for the money once more.
    back()
  }
  if (hasSent) {
    return (
      <Result
        key="sent"
        mark={<Seal sign="clock" tone="info" />}
        title={texts.sentTitle}
        text={texts.sentText}
        takesFocus
      >
        <Differences checkout={checkout} />
        <button type="button" className="pw-button" part="button" data-look="quiet" onClick={() => setHasSent(false)}>
          {texts.back}
        </button>
      </Result>
    )
  }
  return (
    <Result
      key="over"
      mark={<Seal sign="clock" tone="warn" />}
      title={texts.expiredTitle}
      text={texts.expiredStrong}
      takesFocus={hasSent === false}
    >
      <WayButton name={texts.alreadySent} why={texts.sentText} asks="look" onClick={sent} />
      {checkout.viewOnly ? null : <NewQuoteButton {...renewal} why={texts.notSent} />}
    </Result>
  )
}
