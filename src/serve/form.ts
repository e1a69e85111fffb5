/**
 * What a value of a file or of a request may be. Its reader and its JSON Schema are made of one
 * description, so both accept and refuse the same.
 */
import { asList, asRecord, ParseError } from '../contract/parse.ts'

/** A JSON Schema, draft 2020-12. */
export type Schema = Readonly<Record<string, unknown>>

/** Reads one kind of value. */
export interface Form<out Value> {
  readonly schema: Schema
  /** @param path - Names the value in the file. @throws ParseError that begins with it. */
  read(value: unknown, path: string): Value
}

/** Marks a field that may be left out. */
interface Optional<out Value> extends Form<Value> {
  readonly isOptional: true
}

type Fields = Readonly<Record<string, Form<unknown>>>
type Read<Given> = Given extends Form<infer Value> ? Value : never
type OptionalName<Given extends Fields> = {
  [Name in keyof Given]: Given[Name] extends Optional<unknown> ? Name : never
}[keyof Given]
/** What a form reads. */
export type ValueOf<Given extends Form<unknown>> = Read<Given>
type ValuesOf<Given extends Fields> = {
  readonly [Name in Exclude<keyof Given, OptionalName<Given>>]: Read<Given[Name]>
} & { readonly [Name in OptionalName<Given>]?: Read<Given[Name]> }

/** A field that may be left out. */
export function optional<Value>(form: Form<Value>): Optional<Value> {
  return { ...form, isOptional: true }
}

/** @param what - Completes “must be …” and describes the field: `a name of 1 to 64 characters`. */
export function text(what: string, pattern: RegExp): Form<string> {
  return {
    schema: { type: 'string', pattern: pattern.source, description: sentence(what) },
    read: (value, path) => {
      if (typeof value !== 'string' || !pattern.test(value)) throw new ParseError(`${path} must be ${what}`)
      return value
    },
  }
}

/** One of some words. */
export function word<const Word extends string>(what: string, words: readonly Word[]): Form<Word> {
  return {
    schema: { enum: words, description: sentence(what) },
    read: (value, path) => {
      const found = words.find((each) => each === value)
      if (found === undefined) throw new ParseError(`${path} must be ${what}: ${words.join(', ')}`)
      return found
    },
  }
}

/** A whole number within bounds. */
export function whole(what: string, least: number, most: number): Form<number> {
  return {
    schema: { type: 'integer', minimum: least, maximum: most, description: sentence(what) },
    read: (value, path) => {
      if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
        throw new ParseError(`${path} must be ${what}, a whole number from ${least} to ${most}`)
      return value
    },
  }
}

/** True or false. */
export function yesOrNo(what: string): Form<boolean> {
  return {
    schema: { type: 'boolean', description: sentence(what) },
    read: (value, path) => {
      if (typeof value !== 'boolean') throw new ParseError(`${path} must be true or false: ${what}`)
      return value
    },
  }
}

/** A list of one to so many values. */
export function list<Value>(what: string, item: Form<Value>, most: number): Form<readonly Value[]> {
  return {
    schema: { type: 'array', items: item.schema, minItems: 1, maxItems: most, description: sentence(what) },
    read: (value, path) => {
      const items = asList(value, path, most)
      if (items.length === 0) throw new ParseError(`${path} is empty: it must be ${what}`)
      return items.map((each, at) => item.read(each, `${path}[${at}]`))
    },
  }
}

/** Values of one kind, one at least, by names of the merchant's. */
export function named<Value>(what: string, name: RegExp, item: Form<Value>): Form<ReadonlyMap<string, Value>> {
  return {
    schema: {
      type: 'object',
      patternProperties: { [name.source]: item.schema },
      additionalProperties: false,
      minProperties: 1,
      description: sentence(what),
    },
    read: (value, path) => {
      const entries = Object.entries(asRecord(value, path))
      if (entries.length === 0) throw new ParseError(`${path} is empty: it must be ${what}`)
      const wrong = entries.find(([key]) => !name.test(key))
      if (wrong)
        throw new ParseError(
          `${path} has ${JSON.stringify(wrong[0].slice(0, 80))}, which is no such name: it must be ${what}`,
        )
      return new Map(entries.map(([key, each]) => [key, item.read(each, `${path}.${key}`)]))
    },
  }
}

/** An object with these fields and no others. */
export function object<const Given extends Fields>(what: string, fields: Given): Form<ValuesOf<Given>> {
  const entries = Object.entries(fields)
  const isNeeded = (form: Form<unknown>) => !('isOptional' in form)
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
      required: entries.filter(([, form]) => isNeeded(form)).map(([name]) => name),
      additionalProperties: false,
      description: sentence(what),
    },
    read: (value, path) => {
      const given = new Map(Object.entries(asRecord(value, path || 'it')))
      const pathOf = (name: string) => (path ? `${path}.${name}` : name)
      const stranger = [...given.keys()].find((name) => !Object.hasOwn(fields, name))
      if (stranger !== undefined)
        throw new ParseError(
          `${pathOf(stranger.slice(0, 80))} is unknown: take it out. There are ${Object.keys(fields).join(', ')}`,
        )
      const missing = entries.find(([name, form]) => isNeeded(form) && !given.has(name))
      if (missing) throw new ParseError(`${pathOf(missing[0])} is missing: ${missing[1].schema.description}`)
      const read = entries.flatMap(([name, form]) =>
        given.has(name) ? [[name, form.read(given.get(name), pathOf(name))]] : [],
      )
      // Every field was read by the reader of its type.
      return Object.fromEntries(read) as ValuesOf<Given>
    },
  }
}

/** Another form for the values that are no objects. */
export function wordOr<const Word extends string, Value>(only: Word, form: Form<Value>): Form<Word | Value> {
  return {
    schema: { oneOf: [{ const: only }, form.schema] },
    read: (value, path) => (value === only ? only : form.read(value, path)),
  }
}

/**
 * The value of a JSON text. @throws SyntaxError; ParseError where an object has a name twice, of which
 * `JSON.parse` takes the last.
 */
export function readJsonText(json: string): unknown {
  const value: unknown = JSON.parse(json)
  const objects: { readonly path: string; readonly names: Set<string> }[] = []
  let path = ''
  for (const [token, colon] of json.matchAll(/[{}]|"(?:[^"\\]|\\.)*"(\s*:)?/g)) {
    const object = objects.at(-1)
    if (token === '{') objects.push({ path, names: new Set() })
    else if (token === '}') path = objects.pop()?.path ?? ''
    else if (colon !== undefined && object) {
      const name = String(JSON.parse(token.slice(0, -colon.length)))
      path = `${object.path}${object.path && '.'}${name}`
      if (object.names.has(name)) throw new ParseError(`${path.slice(0, 200)} is there twice: take one out`)
      object.names.add(name)
    }
  }
  return value
}

function sentence(what: string): string {
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}`
}
