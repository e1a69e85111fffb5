/**
 * Exact decimal amounts as text. Amounts reach 18 decimals and more, which no double holds, so
 * nothing here passes through `Number`. Canonical text has no sign, exponent, grouping, leading
 * zeros or trailing zeros: `'0.0015'`, `'12'`, `'0'`.
 */
import { PaywindowError } from './errors.ts'

/**
 * Longer texts and larger exponents than any asset needs are refused, so that `1e999999999` cannot
 * fill the memory.
 */
const maxLength = 80

const decimalForm = /^(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/

/**
 * Writes a decimal, as JSON or people write it, in canonical text.
 *
 * @param text - A decimal of zero or more: `'0.10'`, `'1e-8'`, `'1E+3'`, `'.5'`. No sign, grouping
 *   or spaces.
 * @returns The same value as canonical text: `'0.1'`, `'0.00000001'`, `'1000'`, `'0.5'`.
 * @throws PaywindowError `invalid_amount` when it is no such decimal, or it or its canonical text
 *   is longer than 80 characters.
 */
export function canonicalDecimal(text: string): string {
  const match = text.length <= maxLength ? decimalForm.exec(text) : null
  const whole = match?.[1] ?? ''
  const fraction = match?.[2] ?? ''
  if (!match || whole + fraction === '')
    throw new PaywindowError('invalid_amount', `Not a decimal amount: ${quote(text)}`)
  const digits = whole + fraction
  const point = whole.length + Number(match[3] ?? 0)
  if (/^0*$/.test(digits)) return '0'
  if (point > maxLength || digits.length - point > maxLength) throw tooLong(text)
  const before = point > 0 ? digits.slice(0, point).padEnd(point, '0') : ''
  const after = point >= 0 ? digits.slice(point) : '0'.repeat(-point) + digits
  const left = before.replace(/^0+/, '') || '0'
  const right = after.replace(/0+$/, '')
  const canonical = right ? `${left}.${right}` : left
  // What is written can be read again.
  if (canonical.length > maxLength) throw tooLong(text)
  return canonical
}

function tooLong(text: string): PaywindowError {
  return new PaywindowError('invalid_amount', `Amount has more than ${maxLength} characters: ${quote(text)}`)
}

/** Whether `canonicalDecimal` accepts this text. */
export function isDecimal(text: string): boolean {
  try {
    canonicalDecimal(text)
    return true
  } catch {
    return false
  }
}

/**
 * Whether two decimal texts are the same value: `'0.10'` and `'1e-1'` are. Throws `invalid_amount`
 * like `canonicalDecimal`.
 */
export function equalDecimals(left: string, right: string): boolean {
  return canonicalDecimal(left) === canonicalDecimal(right)
}

/**
 * Digits after the point in canonical form: 4 for `'0.00150'`. Throws `invalid_amount` like
 * `canonicalDecimal`.
 */
export function decimalPlaces(text: string): number {
  return canonicalDecimal(text).split('.')[1]?.length ?? 0
}

/**
 * Counts an amount in the asset's smallest unit (satoshi, wei).
 *
 * @param text - A decimal of zero or more.
 * @param decimals - Digits the asset has after the point (BTC 8, ETH 18); integer 0 to 36.
 * @throws PaywindowError `invalid_amount` when the text is no decimal or has more decimals than the
 *   asset: nothing is cut.
 */
export function toAtomic(text: string, decimals: number): bigint {
  checkDecimals(decimals)
  const atomic = atomicOrNull(text, decimals)
  if (atomic === null) {
    throw new PaywindowError('invalid_amount', `${quote(text)} has more than the ${decimals} decimals of the asset`)
  }
  return atomic
}

/** The same, or null where the text has more decimals than the asset; for decimals that are right. */
export function atomicOrNull(text: string, decimals: number): bigint | null {
  const [whole = '0', fraction = ''] = canonicalDecimal(text).split('.')
  return fraction.length > decimals ? null : BigInt(whole + fraction.padEnd(decimals, '0'))
}

/**
 * Writes an amount of the smallest unit as canonical decimal text.
 *
 * @param atomic - Count of the asset's smallest unit (satoshi, wei), zero or more.
 * @param decimals - Digits the asset has after the point; integer 0 to 36.
 * @returns Canonical text: `formatAtomic(150_000n, 8)` is `'0.0015'`.
 * @throws PaywindowError `invalid_amount` when `atomic` is negative or `decimals` is out of range.
 */
export function formatAtomic(atomic: bigint, decimals: number): string {
  checkDecimals(decimals)
  if (atomic < 0n) throw new PaywindowError('invalid_amount', 'An amount cannot be negative')
  const digits = atomic.toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return canonicalDecimal(`${digits.slice(0, point)}.${digits.slice(point)}`)
}

function checkDecimals(decimals: number): void {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 36) {
    throw new PaywindowError('invalid_amount', `Decimals of an asset are 0 to 36, not ${decimals}`)
  }
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 40))
}
