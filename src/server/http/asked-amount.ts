/** An amount that somebody types at a payment link: a donation, or a cashier's sum. */
import type { Price } from '../../contract/checkout.ts'
import { canonicalDecimal, toAtomic } from '../../contract/decimal.ts'
import { asList, asRecord, asText, ParseError } from '../../contract/parse.ts'
import { currencyDecimals, parsePrice, refuseUnwritable } from '../offers.ts'

/**
 * The question of a link without a price.
 *
 * @example
 * ```ts
 * const donation: AskedAmount = {
 *   by: 'payer',
 *   title: 'Help us keep the lights on',
 *   asset: 'EUR',
 *   min: '1',
 *   max: '500',
 *   suggested: ['5', '20', '50'],
 * }
 * ```
 */
export interface AskedAmount {
  /**
   * Who types it. A `payer` then pays it. A `cashier` then shows a code to pay, and sees when it is
   * paid: whoever has such a link is your till.
   */
  readonly by: 'payer' | 'cashier'
  /** The purpose, or the payee, in your payers' language. */
  readonly title: string
  /** Currency of the amount, as in `price`. */
  readonly asset: string
  /** The least and the most that you take. */
  readonly min: string
  readonly max: string
  /** Amounts to press. Default: none. */
  readonly suggested?: readonly string[]
}

/** @throws ParseError */
export function parseAsked(value: unknown): AskedAmount {
  const { by, title, asset, min, max, suggested = [] } = asRecord(value, 'asks')
  if (by !== 'payer' && by !== 'cashier') throw new ParseError('asks.by is neither payer nor cashier')
  const priceOf = (amount: unknown) => {
    const price = parsePrice({ asset, amount })
    refuseUnwritable(price)
    return price
  }
  const [least, most] = [priceOf(min), priceOf(max)]
  const asked: AskedAmount = {
    by,
    title: asText(title, 'asks.title', 100),
    asset: least.asset,
    min: least.amount,
    max: most.amount,
    suggested: asList(suggested, 'asks.suggested', 6).map((amount) => priceOf(amount).amount),
  }
  const wrong = [asked.min, ...(asked.suggested ?? [])].find((amount) => !isWithin(amount, asked))
  if (wrong !== undefined) throw new ParseError(`asks: ${wrong} is not from ${asked.min} to ${asked.max}`)
  return asked
}

/**
 * The typed price, in the digits and with the decimal sign of any language; null if it is ambiguous
 * or outside the limits.
 */
export function readTyped(typed: string, asked: AskedAmount): Price | null {
  // Not by NFKC, which reads 4⁹⁹ as 499.
  const latin = typed.replace(/[٠-٩۰-۹０-９]/g, (digit) => String(digit.charCodeAt(0) & 15))
  const [, whole, sign, places = ''] = /^\s*(\d{1,15})(?:([.,٫．，])(\d+))?\s*$/.exec(latin) ?? []
  if (whole === undefined) return null
  const { asset } = asked
  const most = currencyDecimals(asset) ?? 18
  if (places.length > most) return null
  // 1.000 may be a thousand.
  if (places.length === 3 && whole !== '0' && sign !== '٫') return null
  const amount = canonicalDecimal(`${whole}.${places || 0}`)
  return isWithin(amount, asked) ? { asset, amount } : null
}

function isWithin(amount: string, { min, max }: Pick<AskedAmount, 'min' | 'max'>): boolean {
  const value = toAtomic(amount, 18)
  return value >= toAtomic(min, 18) && value <= toAtomic(max, 18)
}
