/**
 * Ended without payment.
 */
import type { Checkout } from '../../contract/checkout.ts'
import { fill } from '../../locales/format.ts'
import type { PaywindowActions, SessionState } from '../../session/state.ts'
import { Arrived, wordsFor } from '../parts/Arrived.tsx'
import { NewQuoteButton } from '../parts/NewQuoteButton.tsx'
import { Rows } from '../parts/Receipt.tsx'
import { Result } from '../parts/Result.tsx'
import { Seal } from '../parts/Seal.tsx'
import { SupportLink } from '../parts/SupportLink.tsx'
import { useTexts } from '../parts/use-texts.ts'

type EndedProps = Pick<SessionState, 'pending' | 'trouble' | 'actionError'> &
  Pick<PaywindowActions, 'renew'> & { readonly checkout: Checkout }

/** The payment was canceled, or is being returned. */
export function Ended({ checkout, ...renewal }: EndedProps) {
  const texts = useTexts()
  const { merchant, arrival, description = merchant.name } = checkout
  const canceled = { title: texts.endedTitle, text: fill(texts.endedText, { merchant: merchant.name }) }
  const returning = arrival?.kind === 'returning' ? wordsFor(checkout, texts) : undefined
  return (
    <Result mark={<Seal sign={returning ? 'back' : 'cross'} tone="calm" />} {...(returning ?? canceled)}>
      {returning ? <Arrived arrival={arrival} /> : <Rows rows={[[texts.receiptReference, checkout.id]]} />}
      <SupportLink look="button" href={merchant.supportUrl} />
      {checkout.viewOnly ? null : <NewQuoteButton {...renewal} why={returning ? description : texts.notSent} />}
    </Result>
  )
}
