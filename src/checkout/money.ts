/**
 * A price in the payer's language. The number reaches `Intl` as text, so that no double rounds it
 * on the way.
 */
import type { Price } from '../contract/checkout.ts'
import { canonicalDecimal } from '../contract/decimal.ts'

/**
 * Writes `{ asset: 'USD', amount: '49.9' }` as `$49.90`, and codes that are no currency as
 * `49.90 USDT`. Never rounds.
 */
export function formatPrice({ asset, amount }: Price, locale: string | undefined): string {
  const decimal = canonicalDecimal(amount)
  if (!isWritten(decimal)) return `${decimal} ${asset}`
  const digits = { minimumFractionDigits: 2, maximumFractionDigits }
  try {
    // A currency, which has three letters, has its own least number of digits.
    return /^[a-z]{3}$/i.test(asset)
      ? new Intl.NumberFormat(locale, { style: 'currency', currency: asset, maximumFractionDigits }).format(decimal)
      : `${new Intl.NumberFormat(locale, digits).format(decimal)} ${asset}`
  } catch {
    // A locale that the browser refuses.
    return `${new Intl.NumberFormat(undefined, digits).format(decimal)} ${asset}`
  }
}

/** The most digits that every browser's `Intl` writes; it would cut off more. */
const maximumFractionDigits = 20

function isWritten(decimal: string): decimal is `${number}` {
  return /^\d+(?:\.\d{1,20})?$/.test(decimal)
}
