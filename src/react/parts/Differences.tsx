/**
 * What happens to a deposit that differs from the one asked for, as far as that is known: the
 * service alone decides.
 */
import type { Checkout } from '../../contract/checkout.ts'
import { fill } from '../../locales/format.ts'
import { useTexts } from './use-texts.ts'

/** Props of `Differences`. */
export interface DifferencesProps {
  readonly checkout: Checkout
}

/** What happens with another amount, another coin, or a payment that arrives late. */
export function Differences({ checkout }: DifferencesProps) {
  const texts = useTexts()
  return (
    <div className="pw-differences">
      <ul>
        <li>{texts.ifLate}</li>
        <li>{texts.ifShort}</li>
        <li>{texts.ifOver}</li>
        <li>{texts.ifOther}</li>
      </ul>
      <ByItself checkout={checkout} />
    </div>
  )
}

/** Who takes care of it, and whom to ask. */
export function ByItself({ checkout }: DifferencesProps) {
  return <p>{fill(useTexts().byItself, { merchant: checkout.merchant.name })}</p>
}
