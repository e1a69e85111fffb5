/**
 * The order is paid: the one state that says thank you.
 */
import type { Checkout } from '../../contract/checkout.ts'
import { fill } from '../../locales/format.ts'
import { Fold } from '../parts/Fold.tsx'
import { Result } from '../parts/Result.tsx'
import { ReturnLink } from '../parts/ReturnLink.tsx'
import { Say } from '../parts/Say.tsx'
import { Timeline } from '../parts/Timeline.tsx'
import { useTexts } from '../parts/useTexts.ts'

export function Paid({ checkout }: { checkout: Checkout }) {
  const texts = useTexts()
  return (
    <Result
      sign="check"
      tone="good"
      title={texts.paidTitle}
      text={<Say text={texts.paidText} values={{ order: <b>{checkout.description ?? texts.thisOrder}</b> }} />}
    >
      <ReturnLink merchant={checkout.merchant} />
      <Timeline checkout={checkout} />
      <Fold summary={texts.paidOver}>
        <p>{texts.ifOver}</p>
        <p>{fill(texts.byItself, { merchant: checkout.merchant.name })}</p>
      </Fold>
    </Result>
  )
}
