/**
 * Text for a terminal, without invisible characters: text from a service could move the cursor or
 * reverse lines.
 */

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

/** Aligns cells in columns. Ends with a line break. */
export function columns(rows: readonly (readonly string[])[]): string {
  const count = Math.max(...rows.map((row) => row.length))
  const widths = Array.from({ length: count }, (_, at) => Math.max(...rows.map((row) => lengthOf(row[at] ?? ''))))
  const pad = (cell: string, at: number) => cell + ' '.repeat((widths[at] ?? 0) - lengthOf(cell))
  return rows.map((row) => `${row.map(pad).join('  ').trimEnd()}\n`).join('')
}

/** A line for each field that has a value: the name, then the value as a plain line. */
export function fieldLines(fields: readonly (readonly [name: string, value: string | null])[]): string {
  const lines = fields.map(([name, value]) => [`${name}:`, plainLine(value ?? '', 500)])
  return columns(lines.filter(([, value]) => value !== ''))
}

/** A text without its percent encoding. A lone % is none. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `1 checkout`, `2 checkouts`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** JSON text of a value, with invisible characters escaped. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2)
  return `${text.replace(/[^\P{C}\n]/gu, escaped)}\n`
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
  }).join('')
}

function lengthOf(text: string): number {
  return Array.from(text).length
}
