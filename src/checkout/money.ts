/**
 * A price in the payer's language. The number reaches `Intl` as text, so that no double rounds it
 * on the way.
 */
import type { Price } from '../contract/checkout.ts'
import { canonicalDecimal } from '../contract/decimal.ts'
import { inLocale } from '../locales/written.ts'

/**
 * Writes `{ asset: 'USD', amount: '49.9' }` as `$49.90`, and codes that are no currency as
 * `49.90 USDT`. Never rounds.
 */
export function formatPrice({ asset, amount }: Price, locale: string | undefined): string {
  const decimal = canonicalDecimal(amount)
  if (!isWritten(decimal)) return `${decimal} ${asset}`
  // A currency, which has three letters, has its own least number of digits.
  const isCurrency = /^[a-z]{3}$/i.test(asset)
  return inLocale(locale, (known) =>
    isCurrency
      ? new Intl.NumberFormat(known, { style: 'currency', currency: asset, maximumFractionDigits }).format(decimal)
      : `${new Intl.NumberFormat(known, { minimumFractionDigits: 2, maximumFractionDigits }).format(decimal)} ${asset}`,
  )
}

/** The most digits that every browser's `Intl` writes; it would cut off more. */
const maximumFractionDigits = 20

function isWritten(decimal: string): decimal is `${number}` {
  return /^\d+(?:\.\d{1,20})?$/.test(decimal)
}
