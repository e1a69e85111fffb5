/** Tables of the docs that tests write. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { root } from '../../scripts/paths.ts'

/**
 * Compares a table with what a page has between `<!-- name -->` and `<!-- /name -->`.
 * `PAYWINDOW_WRITE=yes` writes it there.
 */
export function expectKept(page: string, name: string, lines: readonly string[]): void {
  const file = join(root, 'docs', page)
  const text = readFileSync(file, 'utf8')
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`]
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)]
  expect(to, `docs/${page} has no place for ${name}`).toBeGreaterThan(from - 1)
  const table = `\n${lines.map((line) => `${line}\n`).join('')}\n`
  if (process.env.PAYWINDOW_WRITE === 'yes') writeFileSync(file, text.slice(0, from) + table + text.slice(to))
  else expect(text.slice(from, to)).toBe(table)
}
