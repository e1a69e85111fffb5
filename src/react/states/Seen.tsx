/**
 * A deposit was seen. The payer has nothing left to do. What happens if it differs from the one asked for is one press away.
 */
import { asIs } from '#as-is'
import type { Checkout } from '../../contract/checkout.ts'
import { Differences } from '../parts/Differences.tsx'
import { Fold } from '../parts/Fold.tsx'
import { Result } from '../parts/Result.tsx'
import { Say } from '../parts/Say.tsx'
import { Timeline } from '../parts/Timeline.tsx'
import { useTexts } from '../parts/use-texts.ts'

/** The payment was seen and is being confirmed. */
export function Seen({ checkout }: { checkout: Checkout }) {
  const texts = useTexts()
  const merchant = checkout.merchant.name
  return (
    <Result
      sign="deposit"
      tone="info"
      title={texts.seenTitle}
      text={<Say text={texts.seenText} values={{ merchant: <b {...asIs}>{merchant}</b> }} />}
    >
      <Timeline checkout={checkout} />
      <Fold summary={texts.seenDiffers}>
        <Differences checkout={checkout} />
      </Fold>
    </Result>
  )
}
