/**
 * Read one field of an answer, under any of its names. Absent, null and empty all mean "not there". Values are bounded in length,
 * because they are stored and have to be readable again.
 */
import { asRecord, type JsonRecord, ParseError } from '../contract/parse.ts'

/** UTF-16 units of a field that something depends on: ids, assets, networks, amounts, times. */
const maxLength = 200
/** Of addresses and tags: a unified address of Zcash has 213, a memo of EOS 256. */
const maxPlaceLength = 256
/** Of texts for people and of URLs. */
const maxLooseLength = 2_000

/**
 * The text or number of a field whose loss could cost money.
 *
 * @throws ParseError when there is something other than text, a number, null or nothing, or more than 200 characters.
 */
export function textField(record: JsonRecord, ...names: readonly string[]): string | null {
  return bounded(record, names, maxLength)
}

/**
 * The text or number of a field that says where money goes: an address or a tag.
 *
 * @throws ParseError as `textField`, for more than 256 characters.
 */
export function placeField(record: JsonRecord, name: string): string | null {
  return bounded(record, [name], maxPlaceLength)
}

function bounded(record: JsonRecord, names: readonly string[], longest: number): string | null {
  for (const name of names) {
    const value = own(record, name)
    if (typeof value === 'string' && value.length > longest)
      throw new ParseError(`${name} has more than ${longest} characters`)
    if (typeof value === 'string' && value !== '') return value
    if (value !== undefined && value !== null && value !== '') throw new ParseError(`${name} is not a text`)
  }
  return null
}

/** The text or number of a field that nothing depends on; anything else, or a longer text, counts as not there. */
export function looseText(record: JsonRecord, name: string, longest = maxLooseLength): string | null {
  const value = own(record, name)
  return typeof value === 'string' && value !== '' && value.length <= longest ? value : null
}

/** True or false, also as text; null for anything else. */
export function looseBoolean(record: JsonRecord, name: string): boolean | null {
  const value = own(record, name)
  if (value === true || value === 'true') return true
  return value === false || value === 'false' ? false : null
}

/** A whole number of zero or more; null for anything else. */
export function looseCount(record: JsonRecord, name: string): number | null {
  const text = looseText(record, name)
  const count = text !== null && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(count) ? count : null
}

/** The value of the object's own field, else undefined: nothing is read from a prototype. */
export function own(record: JsonRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/**
 * The object itself, or the one that is wrapped under one of these names: `{"order":{…}}`, `{"data":{"order":{…}}}`.
 *
 * @param known - Fields that only the object itself has; with one of them nothing is unwrapped.
 * @throws ParseError when there is no object.
 */
export function unwrap(json: unknown, wrappers: readonly string[], known: readonly string[]): JsonRecord {
  let record = asRecord(json, 'body')
  for (let depth = 0; depth < 2 && !known.some((name) => own(record, name) !== undefined); depth += 1) {
    const outer = record
    const inner = wrappers.map((name) => own(outer, name)).find(isObject)
    if (inner === undefined) return record
    record = asRecord(inner, 'body')
  }
  return record
}

/** An id that can be one segment of a path: no dots alone, no control characters, at most 200 characters. */
export function isUsableId(id: unknown): id is string {
  return (
    typeof id === 'string' &&
    id.length <= maxLength &&
    /^\P{C}+$/u.test(id) &&
    id.trim() !== '' &&
    id !== '.' &&
    id !== '..'
  )
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
