/** The reference of the documentation has everything that docs/api says the package exports. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pageOfSource } from '../../docs/.vitepress/site/map.ts'
import { referencePages, rowsIn } from '../../docs/.vitepress/site/reference.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { root } from '../../scripts/paths.ts'
import { writtenEntries } from '../../scripts/written-reports.ts'
import { optionNames as widgetOptions } from '../../src/developer/spelling.ts'
import { attributeNames, propertyOf } from '../../src/element/reflecting-element.ts'
import { optionNames as serverOptions } from '../../src/server/options.ts'

const pages = Object.entries(referencePages(pageOfSource()))
const reports = globSync('docs/api/*.api.md', { cwd: root })
  .map((path): [string, string] => [basename(path, '.api.md'), readFileSync(join(root, path), 'utf8')])
  // Entries for templates stand under "In templates".
  .filter(([name]) => !writtenEntries.includes(name))

/** The sections of the reference about a name. */
function sectionsOn(name: string): readonly string[] {
  return pages.flatMap(([, text]) => text.split(/^(?=#{1,3} )/m).filter((each) => each.startsWith(`## \`${name}\`\n`)))
}

/** Of each interface `…Options` that is exported: its fields, and whether they may be left out. */
function optionsIn(report: string): readonly (readonly [options: string, field: string, isOptional: boolean])[] {
  return [...report.matchAll(/^export interface (\w+Options)\b[^{]*\{\n(.*?)^\}/gms)].flatMap(
    ([, name = '', body = '']) =>
      [...body.matchAll(/^ {4}(?:readonly )?'?([\w-]+)'?(\??)[:(]/gm)].map(
        ([, field = '', mark]): [string, string, boolean] => [name, field, mark === '?'],
      ),
  )
}

it('reads the options out of the reports', () => {
  expect(reports.flatMap(([, report]) => optionsIn(report)).length).toBeGreaterThan(100)
})

describe.each(reports)('%s', (_, report) => {
  const names = [...report.matchAll(/^export (?:abstract )?(?:interface|type|function|class|const) (\w+)/gm)]

  it('has a section for each exported name', () => {
    expect(names.length).toBe([...report.matchAll(/^export /gm)].length)
    expect(names.map(([, name = '']) => name).filter((name) => sectionsOn(name).length === 0)).toEqual([])
  })

  it('has a row for each option, with what it is and its default', () => {
    const rowOf = (options: string, field: string, mark: string) =>
      sectionsOn(options)
        .flatMap((section) => section.split('\n'))
        .find((line) => line.startsWith(`| \`${field}${mark}\` |`))
    const missing = optionsIn(report).filter(([options, field, isOptional]) => {
      const text =
        rowOf(options, field, isOptional ? '?' : '')
          ?.split(' | ')
          .at(-1) ?? ''
      return !(isOptional ? /[Dd]efault/ : /\w/).test(text)
    })
    expect(missing).toEqual([])
  })
})

it('the page of options says what each entry of the package is for', () => {
  const options = readFileSync(join(root, 'docs', 'options.md'), 'utf8')
  const [, section = ''] = options.split('\n## What the package has\n')
  const named = [...(section.split('\n## ')[0] ?? '').matchAll(/`(paywindow[^`]*)`/g)].map(([, name]) => name)
  const entries = Object.keys(packageJson.exports).map((entry) => entry.replace('.', 'paywindow'))
  expect(named.toSorted()).toEqual(entries.filter((entry) => entry !== 'paywindow/package.json').toSorted())
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`Node ${packageJson.engines.node.slice(2)} or later`)
})

it.each([
  ['createPaywindow', Object.keys(serverOptions)],
  ['<Paywindow>', widgetOptions],
])('the table of %s has each option', (heading, names) => {
  const rowed = rowsIn('docs/options.md', `## \`${heading}`).flatMap(([cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  )
  expect(names.filter((name) => !rowed.includes(name))).toEqual([])
})

describe('the page of the element', () => {
  const [, page = ''] = pages.find(([path]) => path === 'reference/element.md') ?? []

  it('has each attribute with its property', () => {
    const missing = attributeNames.filter((name) => !page.includes(`| \`${name}\` | \`${propertyOf(name)}\` |`))
    expect(missing).toEqual([])
    expect(page).toContain('| `texts` |')
  })

  it('has what each event brings', () => {
    const events = [...page.matchAll(/^\| `(paywindow:\w+)` \| (\S+) \| \w/gm)].map(([, name, detail]) => [
      name,
      detail,
    ])
    expect(Object.fromEntries(events.slice(0, 4))).toEqual({
      'paywindow:close': '`null`',
      'paywindow:confirmed': '[`Checkout`](#checkout)',
      'paywindow:error': '[`PaywindowError`](#paywindowerror)',
      'paywindow:status': '[`StatusChange`](#statuschange)',
    })
  })

  it('has the outputs of the directive for Angular', () => {
    const outputs = [...page.matchAll(/^\| `(\w+)` \| `(paywindow:\w+)` \|$/gm)].map(([, output, event]) => [
      output,
      event,
    ])
    expect(outputs).toEqual([
      ['paywindowConfirmed', 'paywindow:confirmed'],
      ['paywindowError', 'paywindow:error'],
      ['paywindowStatus', 'paywindow:status'],
    ])
  })

  it('has each part and each custom property, with its default', () => {
    const theming = readFileSync(join(root, 'docs', 'theming.md'), 'utf8')
    const rows = [...theming.matchAll(/^\| `(?:--pw-)?\w.*$/gm)].map(([row]) => row)
    expect(rows.length).toBeGreaterThan(25)
    expect(rows.filter((row) => !page.includes(row))).toEqual([])
  })

  it('has nothing that only a browser calls', () => {
    expect(page).not.toMatch(/Callback`|observedAttributes/)
  })
})
