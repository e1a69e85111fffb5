/**
 * Small readers for JSON that is `unknown` until they accept it. Each names the field it refuses.
 * Hand-written, because a schema library costs a stranger's page more bytes than all of this
 * contract.
 */

/** Thrown by the readers; the caller turns it into an error of its own boundary. */
export class ParseError extends Error {
  override readonly name = 'ParseError'
}

/** A JSON object whose fields are not checked yet. */
export type JsonRecord = Readonly<Record<string, unknown>>

/**
 * The same fields, and none that a script of the page has given to all objects by
 * `Object.prototype`.
 */
export function own<Fields extends object>(fields: Fields): Fields {
  return { __proto__: null, ...fields }
}

/** Accepts a JSON object, not an array and not null. */
export function asRecord(value: unknown, field: string): JsonRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ParseError(`${field} is not an object`)
  // An object that is no array has string keys and values that nobody has looked at yet: exactly
  // this type.
  return value as JsonRecord
}

/** The value as a list of at most `maxLength` entries. @throws ParseError naming the field. */
export function asList(value: unknown, field: string, maxLength: number): readonly unknown[] {
  if (!Array.isArray(value)) throw new ParseError(`${field} is not a list`)
  if (value.length > maxLength) throw new ParseError(`${field} has more than ${maxLength} items`)
  return value
}

/** Accepts text of 1 to `maxLength` UTF-16 units. */
export function asText(value: unknown, field: string, maxLength = 200): string {
  if (typeof value !== 'string') throw new ParseError(`${field} is not a text`)
  if (value === '') throw new ParseError(`${field} is empty`)
  if (value.length > maxLength) throw new ParseError(`${field} has more than ${maxLength} characters`)
  return value
}

/**
 * Like `asText`, for what names an order: without controls, line ends, halves of characters,
 * invisible characters, and changes of direction. Databases and people take a name with an invisible
 * character for the name without it. Languages and emoji need joiners, so these may follow letters
 * that are not ASCII.
 */
export function asSeenText(value: unknown, field: string, maxLength = 200): string {
  const text = asText(value, field, maxLength)
  // In here: bundlers keep such an expression outside of functions, also where nobody uses it.
  const unseen =
    /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\u200c\u200d\ufe0f]]|(?<!\P{ASCII})[\u200c\u200d\ufe0f]/v
  if (unseen.test(text)) throw new ParseError(`${field} has characters that cannot be seen`)
  return text
}

/** Like `asText`, for a field that may be left out. */
export function asOptionalText(value: unknown, field: string, maxLength = 200): string | undefined {
  return value === undefined ? undefined : asText(value, field, maxLength)
}

/** The address, or null where the text is none. */
export function urlOf(text: string, base?: string): URL | null {
  // Not `URL.parse`, which is younger than browsers that payers have.
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

/** The value as true or false. @throws ParseError naming the field. */
export function asBoolean(value: unknown, field: string): boolean {
  if (typeof value !== 'boolean') throw new ParseError(`${field} is not true or false`)
  return value
}

/** The value as a whole number that a double holds exactly. @throws ParseError naming the field. */
export function asInteger(value: unknown, field: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new ParseError(`${field} is not a whole number`)
  return value
}

/** Accepts one of the listed words. */
export function asOneOf<const Word extends string>(value: unknown, field: string, words: readonly Word[]): Word {
  const word = words.find((candidate) => candidate === value)
  if (word === undefined) throw new ParseError(`${field} is none of ${words.join(', ')}`)
  return word
}

/** Accepts a time as `Date.prototype.toISOString` writes it. */
export function asTimestamp(value: unknown, field: string): string {
  const text = asText(value, field, 40)
  // A page's library for dates may have replaced `Date.parse` and `toISOString`.
  if (!/\dT.{12}Z$/.test(text) || Number.isNaN(Number(new Date(text))))
    throw new ParseError(`${field} is not an ISO 8601 time`)
  return text
}
