/**
 * Ended without payment.
 */
import type { Checkout } from '../../contract/checkout.ts'
import { fill } from '../../locales/format.ts'
import type { PaywindowActions, SessionState } from '../../session/state.ts'
import { Arrived, wordsFor } from '../parts/Arrived.tsx'
import { NewQuoteButton } from '../parts/NewQuoteButton.tsx'
import { Result } from '../parts/Result.tsx'
import { SupportLink } from '../parts/SupportLink.tsx'
import { useTexts } from '../parts/use-texts.ts'

type EndedProps = Pick<SessionState, 'pending' | 'trouble' | 'actionError'> &
  Pick<PaywindowActions, 'renew'> & { readonly checkout: Checkout }

/** The payment was canceled, or is being returned. */
export function Ended({ checkout, ...renewal }: EndedProps) {
  const texts = useTexts()
  const { merchant, arrival } = checkout
  const returning = arrival?.kind === 'returning' ? wordsFor(checkout, texts) : undefined
  if (returning) {
    return (
      <Result sign="deposit" tone="info" {...returning}>
        <Arrived arrival={arrival} />
        <SupportLink look="button" href={merchant.supportUrl} />
      </Result>
    )
  }
  const text = fill(texts.endedText, { merchant: merchant.name })
  return (
    <Result sign="cross" tone="calm" title={texts.endedTitle} text={text}>
      <SupportLink look="button" href={merchant.supportUrl} />
      {checkout.viewOnly ? null : <NewQuoteButton {...renewal} why={texts.notSent} />}
    </Result>
  )
}
