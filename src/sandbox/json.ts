/** Writes JSON with exact numbers: `JSON.stringify` would pass their digits through a double. */
import { canonicalDecimal } from '../contract/decimal.ts'

const exactText = Symbol('exactText')

/** A JSON value that is written as this text. */
interface ExactText {
  readonly [exactText]: string
}

/** A value that can be written as JSON. A member that is undefined is left out. */
export type Json =
  | string
  | number
  | boolean
  | null
  | ExactText
  | readonly Json[]
  | { readonly [name: string]: Json | undefined }

/**
 * A decimal text as a JSON number, without exponent and without loss. Throws `invalid_amount` if it
 * is no decimal.
 *
 * @param minDecimals - Digits after the point at least.
 */
export function exactNumber(text: string, minDecimals = 0): ExactText {
  const [whole = '', fraction = ''] = canonicalDecimal(text).split('.')
  const decimals = fraction.padEnd(minDecimals, '0')
  return { [exactText]: decimals ? `${whole}.${decimals}` : whole }
}

/** A JSON text that is written unchanged. Throws SyntaxError if it is not JSON. */
export function rawJson(text: string): ExactText {
  JSON.parse(text)
  return { [exactText]: text }
}

/** The JSON text of a value. */
export function writeJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isExactText(value)) return value[exactText]
  if (isList(value)) return `[${value.map(writeJson).join(',')}]`
  const members: string[] = []
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${writeJson(member)}`)
  }
  return `{${members.join(',')}}`
}

function isExactText(value: object): value is ExactText {
  return exactText in value
}

/** The type of `Array.isArray` does not tell read-only lists from objects. */
function isList(value: object): value is readonly Json[] {
  return Array.isArray(value)
}
