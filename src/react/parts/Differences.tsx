/**
 * What happens to a deposit that is not the one that was asked for, as far as anybody knows: the service decides, by itself.
 */
import type { Checkout } from '../../contract/checkout.ts'
import { fill } from '../../locales/format.ts'
import { useTexts } from './use-texts.ts'

/** What happens with another amount, another coin, or a payment that comes late. */
export function Differences({ checkout }: { checkout: Checkout }) {
  const texts = useTexts()
  return (
    <div className="pw-differences">
      <ul>
        <li>{texts.ifLate}</li>
        <li>{texts.ifShort}</li>
        <li>{texts.ifOver}</li>
        <li>{texts.ifOther}</li>
      </ul>
      <p>{fill(texts.byItself, { merchant: checkout.merchant.name })}</p>
    </div>
  )
}
