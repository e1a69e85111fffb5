/** Text for a terminal. Text from a service could move its cursor or reverse its lines, so nothing invisible is printed. */
import { type Options, stringify } from 'csv-stringify/sync'
import { printable } from '../service/printable.ts'

/** One line without control and format characters, cut at `maxLength` characters. */
export function plainLine(text: string, maxLength = 200): string {
  const line = Array.from(
    text
      .replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
      .replace(/\p{C}/gu, '')
      .trim(),
  )
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).join('')}…` : line.join('')
}

/** Rows with aligned columns, each as wide as its widest cell. Ends with a line break. */
export function columns(rows: readonly (readonly string[])[]): string {
  const count = Math.max(...rows.map((row) => row.length))
  const widths = Array.from({ length: count }, (_, at) => Math.max(...rows.map((row) => lengthOf(row[at] ?? ''))))
  const pad = (cell: string, at: number) => cell + ' '.repeat((widths[at] ?? 0) - lengthOf(cell))
  return rows.map((row) => `${row.map(pad).join('  ').trimEnd()}\n`).join('')
}

/** JSON for programs: the same value with everything invisible escaped, in case a person reads it after all. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2)
  return `${text.replace(/[^\P{C}\n]/gu, escaped)}\n`
}

/** Rows for a spreadsheet: a cell that it would take for a formula begins with an apostrophe. A terminal shows each as one line. */
export function csvText(rows: readonly (readonly unknown[] | object)[], options: Options = {}): string {
  return stringify([...rows], { ...options, escape_formulas: true, cast: { string: printable } })
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
  }).join('')
}

function lengthOf(text: string): number {
  return Array.from(text).length
}
