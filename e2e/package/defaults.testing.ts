/** Reads the defaults that documents name, and says what the code has in the same words. */
import { rowsIn } from '../../docs/.vitepress/site/reference.ts'
import { fieldsOf } from '../../scripts/public-names.ts'

/** Phrases of a document, by the names of options. */
export type Documented = Readonly<Record<string, string>>

/** A phrase that is no value: whether it is true of the code. */
export type Meanings = Readonly<Record<string, (value: unknown) => unknown>>

/**
 * The default in the docstring of each field of an interface, if it names one. @throws Error for a
 * default that is named in another way.
 */
export function inDocstrings(entry: string, interfaceName: string): Documented {
  return Object.fromEntries(
    fieldsOf(entry, interfaceName).flatMap(({ name, description }) => {
      const phrase = /\bDefault(?:, [^:]*)?:? (.*?)\.(?: |$)/.exec(description.replace(/\s+/g, ' '))?.[1]
      if (phrase !== undefined) return [[name, phrase]]
      if (/\bdefaults?\b/i.test(description))
        throw new Error(`${interfaceName}.${name}: write “Default …”, as elsewhere`)
      return []
    }),
  )
}

/** The defaults in a table of docs/options.md. @param column - In which the names are, from 0. */
export function inOptions(heading: string, column = 0): Documented {
  const [head = [], ...rows] = rowsIn('docs/options.md', `## ${heading}`)
  return Object.fromEntries(
    rows.flatMap((row) => {
      const names = [...(row[column] ?? '').matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name)
      const phrase = row[head.indexOf('default')] ?? ''
      return phrase === '' ? [] : names.map((name) => [name, phrase])
    }),
  )
}

/**
 * The code's defaults: the documented phrase where it is true, else the value. Both are equal if
 * the documents are right. @param code - The defaults, by the names of options.
 */
export function inTheirWords(documented: Documented, code: Readonly<Record<string, unknown>>, meanings: Meanings) {
  return Object.fromEntries(
    Object.entries(documented).map(([name, phrase]) => {
      const written = writingsOf(code[name])
      const isSaid = written.includes(phrase) || written.includes(valueIn(phrase)) || meanings[phrase]?.(code[name])
      return [name, isSaid ? phrase : written[0]]
    }),
  )
}

/** The value with which a phrase begins: `1` of “1, as in the example”. */
export function valueIn(phrase: string): string {
  return /^`([^`]*)`/.exec(phrase)?.[1] ?? phrase.replace(/[,;:] .*/, '')
}

/** Whether there is nothing by default. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === false || JSON.stringify(value) === '[]'
}

/** How documents may write a value, the plainest first. */
function writingsOf(value: unknown): readonly string[] {
  if (typeof value === 'number') return [value.toLocaleString('en-US'), `${value / 1_048_576} MiB`]
  if (typeof value === 'string') return value === '' ? ['""'] : [value]
  if (value === Math.random) return ['Math.random']
  return [JSON.stringify(value) ?? String(value)]
}
