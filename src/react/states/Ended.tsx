/**
 * Ended without payment.
 */
import type { Checkout } from '../../contract/checkout.ts'
import { fill } from '../../locales/format.ts'
import type { PaywindowActions, SessionState } from '../../session/state.ts'
import { NewQuoteButton } from '../parts/NewQuoteButton.tsx'
import { Result } from '../parts/Result.tsx'
import { SupportLink } from '../parts/SupportLink.tsx'
import { useTexts } from '../parts/use-texts.ts'

type EndedProps = Pick<SessionState, 'pending' | 'trouble' | 'actionError'> &
  Pick<PaywindowActions, 'renew'> & { readonly checkout: Checkout }

/** The payment was canceled or refunded. */
export function Ended({ checkout, ...renewal }: EndedProps) {
  const texts = useTexts()
  const text = fill(texts.endedText, { merchant: checkout.merchant.name })
  return (
    <Result sign="cross" tone="calm" title={texts.endedTitle} text={text}>
      <SupportLink look="button" />
      {checkout.viewOnly ? null : <NewQuoteButton {...renewal} why={texts.notSent} />}
    </Result>
  )
}
