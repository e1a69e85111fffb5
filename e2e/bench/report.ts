/** Tables in Markdown, and tables of the limits that the product commits to. */
import { cpus } from 'node:os'

/** Cells of one row; the first is its name. */
export type Row = readonly (string | number)[]

/** A table in Markdown: the first column to the left, the others to the right. */
export function table(heads: readonly string[], rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map((_, at) => (at === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n')
}

/** The median; NaN of no values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length / 2
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(half)] ?? Number.NaN)
    : ((sorted[half - 1] ?? Number.NaN) + (sorted[half] ?? Number.NaN)) / 2
}

/** Bytes as KiB, with one digit after the point. */
export const kib = (bytes: number) => (bytes / 1024).toFixed(1)
/** A number without digits after the point. */
export const whole = (value: number) => value.toFixed(0)

/** A limit to be met: its name, the measured value, and the most that the value may be. */
export interface Line {
  readonly name: string
  readonly measured: number
  readonly most: number
  readonly unit: string
}

/** A table of limits, each with what was measured and whether it is met. */
export function lineTable(lines: readonly Line[]): string {
  return table(
    ['line', 'measured', 'at most', ''],
    lines.map(({ name, measured, most, unit }) => [
      name,
      `${measured.toFixed(2)} ${unit}`.trim(),
      `${most} ${unit}`.trim(),
      measured <= most ? 'met' : 'NOT MET',
    ]),
  )
}

/** Prints a section of a document, and returns it. */
export function print(title: string, text: string): string {
  const section = `## ${title}\n\n${text}`
  console.log(`\n${section}`)
  return section
}

/** Returns the date, processor and Node version of a measurement, for the head of a document. */
export function occasion(): string {
  return `${new Date().toISOString().slice(0, 10)}, on ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`
}
