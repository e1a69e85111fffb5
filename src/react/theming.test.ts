/** What docs/theming.md says can be themed is what can be themed. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')
const documentation = read('../../docs/theming.md')
const styles = read('styles.css')

it('names every custom property that the styles read', () => {
  const named = namesIn(documentation, /^\| (`--pw-.*?) \|/gm, /--pw-[\w-]+/g)
  expect(named).toEqual(namesIn(styles, /var\((--pw-[\w-]+)/g))
})

it('gives every part with its class', () => {
  const rows = [...documentation.matchAll(/^\| `(\w+)` \| `\.([\w-]+)` \|/gm)].map(
    ([, part, name]) => `${part} ${name}`,
  )
  const drawn = sources().flatMap((source) =>
    [...source.matchAll(/className="([\w-]+)"\s+part="(\w+)"/g)].map(([, name, part]) => `${part} ${name}`),
  )
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.sort()).toEqual([...new Set(drawn)].sort())
})

it('is all that the ready themes set', () => {
  const known = namesIn(styles, /var\((--pw-[\w-]+)/g)
  const themes = readdirSync(fileURLToPath(new URL('themes', import.meta.url)))
  expect(themes).toHaveLength(3)
  for (const theme of themes)
    expect(known).toEqual(expect.arrayContaining(namesIn(read(`themes/${theme}`), /--pw-[\w-]+/g)))
})

function sources(): string[] {
  const folder = new URL('.', import.meta.url)
  const paths = readdirSync(fileURLToPath(folder), { recursive: true, encoding: 'utf8' })
  return paths.filter((path) => path.endsWith('.tsx')).map(read)
}

/** Names that a pattern finds, or another in what it finds, each once and in order. */
function namesIn(text: string, pattern: RegExp, within?: RegExp): string[] {
  const found = [...text.matchAll(pattern)].flatMap((match) => {
    const [all, first = all] = match
    return within ? [...first.matchAll(within)].map(([name]) => name) : [first]
  })
  return [...new Set(found)].sort()
}
