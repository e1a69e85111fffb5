/**
 * A price in the payer's language. The number reaches `Intl` as text, so that no double rounds it on the way.
 */

import type { Price } from '../contract/checkout.ts'
import { canonicalDecimal, decimalPlaces } from '../contract/decimal.ts'

/** Writes `{ asset: 'USD', amount: '49.9' }` as `$49.90`, and codes that are no currency as `49.90 USDT`. Never rounds. */
export function formatPrice({ asset, amount }: Price, locale: string | undefined): string {
  const decimal = canonicalDecimal(amount)
  if (!isNumeric(decimal)) return `${decimal} ${asset}`
  const places = decimalPlaces(decimal)
  // More digits than Intl writes would be cut.
  if (places > 20) return `${decimal} ${asset}`
  try {
    const usual = new Intl.NumberFormat(locale, currency(asset))
    if (places <= (usual.resolvedOptions().maximumFractionDigits ?? 0)) return usual.format(decimal)
    return new Intl.NumberFormat(locale, { ...currency(asset), maximumFractionDigits: places }).format(decimal)
  } catch {
    // Not three letters, such as USDT, or a locale that the browser refuses.
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: Math.max(2, places) }
    return `${new Intl.NumberFormat(undefined, digits).format(decimal)} ${asset}`
  }
}

function currency(asset: string): Intl.NumberFormatOptions {
  return { style: 'currency', currency: asset }
}

/** Canonical text always is; the check lets the compiler know. */
function isNumeric(text: string): text is `${number}` {
  return /^\d+(?:\.\d+)?$/.test(text)
}
