/**
 * The order is paid. This is the only screen that says thank you.
 */
import { asIs } from '#as-is'
import type { Checkout } from '../../contract/checkout.ts'
import { Arrived, askedOf } from '../parts/Arrived.tsx'
import { Coin } from '../parts/Coin.tsx'
import { ByItself } from '../parts/Differences.tsx'
import { Fold } from '../parts/Fold.tsx'
import { PriceText } from '../parts/Head.tsx'
import { Receipt } from '../parts/Receipt.tsx'
import { Result } from '../parts/Result.tsx'
import { ReturnLink } from '../parts/ReturnLink.tsx'
import { Say } from '../parts/Say.tsx'
import { useTexts } from '../parts/use-texts.ts'

/** The payment is confirmed. */
export function Paid({ checkout }: { checkout: Checkout }) {
  const texts = useTexts()
  const { asset, networkInfo, price, merchant, arrival } = checkout
  const isOver = arrival?.kind === 'over'
  const values = {
    price: (
      <b>
        <PriceText price={price} />
      </b>
    ),
    merchant: <b {...asIs}>{merchant.name}</b>,
  }
  return (
    <Result
      mark={<Coin form="done" {...asset} networkInfo={networkInfo} />}
      title={texts.paidTitle}
      text={<Say text={texts.paidText} values={values} />}
    >
      <ReturnLink merchant={merchant} />
      <Receipt checkout={checkout} />
      {isOver ? <Arrived arrival={arrival} asked={askedOf(checkout)} /> : null}
      <Fold summary={texts.paidOver} isOpen={isOver}>
        {arrival?.returned ? null : <p>{texts.ifOver}</p>}
        <ByItself checkout={checkout} />
      </Fold>
    </Result>
  )
}
