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

it('names the default of every custom property', () => {
  const rows = [...documentation.matchAll(/^\| (`--pw-.*?) \| (.*?) \|/gm)].flatMap(([, names = '', value = '']) =>
    [...names.matchAll(/--pw-[\w-]+/g)].map(([name]) => [name, value] as const),
  )
  const documented = Object.fromEntries(rows)
  expect(Object.fromEntries(rows.map(([name, words]) => [name, inWords(defaultOf(name), words)]))).toEqual(documented)
  // Of browsers that cannot tell how light the accent is.
  expect(documentation).toContain('text (white by default)')
  expect(styles.slice(styles.indexOf('@supports not'))).toContain('--_on-accent: var(--pw-on-accent, #fff);')
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

/**
 * What the styles take where a page sets nothing: what is first in the file, as browsers of today
 * read it.
 */
function defaultOf(name: string): string {
  const start = styles.indexOf(`var(${name}, `) + `var(${name}, `.length
  return styles.slice(start, styles.indexOf(';', start)).replace(/\)$/, '')
}

/** A default as the documentation says it: two colours apart, and in words what the words mean. */
function inWords(value: string, words: string): string {
  const [, light, dark] = /^light-dark\((.*), (#\w+|[a-z]+\(.*\))\)$/.exec(value) ?? []
  const meaning = meanings[words]
  if (meaning) return meaning.test(value) ? words : value
  return light && dark ? `\`${light}\`, \`${dark}\`` : `\`${value}\``
}

/** What words of the documentation mean in the styles. The last number of a colour is its hue. */
const meanings: Readonly<Record<string, RegExp>> = {
  'black or white': /^color\(from var\(--_accent\) srgb-linear var\(--_ink\) var\(--_ink\) var\(--_ink\)\)$/,
  amber: /^light-dark\(oklch\(\S+ \S+ [6-8]\d\), oklch\(\S+ \S+ [6-8]\d\)\)$/,
  green: /^light-dark\(oklch\(\S+ \S+ 15\d\), oklch\(\S+ \S+ 15\d\)\)$/,
  'the system font': /^system-ui, sans-serif$/,
  "the system's monospace font": /, monospace$/,
  'depends on the width': /^calc\(var\(--_height\) /,
}

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
