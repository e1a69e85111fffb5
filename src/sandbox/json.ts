/** Writes JSON whose numbers have exactly the digits they are given: `JSON.stringify` would pass them through a double. */
import { canonicalDecimal } from '../contract/decimal.ts'

const exactText = Symbol('exactText')

/** A JSON value, mostly a number, that is written as this text. */
interface ExactText {
  readonly [exactText]: string
}

/** What can be written as JSON. A member that is undefined is left out. */
export type Json =
  | string
  | number
  | boolean
  | null
  | ExactText
  | readonly Json[]
  | { readonly [name: string]: Json | undefined }

/**
 * A decimal as a JSON number, without exponent and without loss, with at least `leastDecimals` digits after the point. Throws
 * `invalid_amount` if it is not a decimal.
 */
export function exactNumber(text: string, leastDecimals = 0): ExactText {
  const [whole = '', fraction = ''] = canonicalDecimal(text).split('.')
  const decimals = fraction.padEnd(leastDecimals, '0')
  return { [exactText]: decimals ? `${whole}.${decimals}` : whole }
}

/** A JSON text that is written unchanged, for answers that are odd on purpose. Throws SyntaxError if it is not JSON. */
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
