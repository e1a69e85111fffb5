/**
 * Another checkout of this cart has a deposit or is paid. The address of this one is no longer
 * shown, so that nobody pays twice.
 */
import type { CartState, Checkout } from '../../contract/checkout.ts'
import { fill } from '../../locales/format.ts'
import { Arrived, SendNothing, wordsFor } from '../parts/Arrived.tsx'
import { Result } from '../parts/Result.tsx'
import { ReturnLink } from '../parts/ReturnLink.tsx'
import { Seal } from '../parts/Seal.tsx'
import { useTexts } from '../parts/use-texts.ts'

/** Another checkout of this cart has a payment. */
export function SettledElsewhere({ checkout, cart }: { checkout: Checkout; cart: Exclude<CartState, 'open'> }) {
  const texts = useTexts()
  const { merchant } = checkout
  if (cart === 'seen') {
    const { arrival } = checkout
    const different = wordsFor(checkout, texts)
    return (
      <Result
        mark={<Seal sign="deposit" tone="info" />}
        title={texts.elsewhereSeenTitle}
        text={different ? <SendNothing text={different.text} /> : texts.elsewhereSeenText}
      >
        {arrival ? <Arrived arrival={arrival} /> : null}
      </Result>
    )
  }
  return (
    <Result
      mark={<Seal sign="check" tone="good" />}
      title={texts.elsewherePaidTitle}
      text={fill(texts.elsewherePaidText, { merchant: merchant.name })}
    >
      <ReturnLink merchant={merchant} />
    </Result>
  )
}
