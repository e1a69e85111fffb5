import { describe, expect, it } from 'vitest'
import { bumpBetween, highestBump, namedBump, neededBump, reaches } from './api-changes.ts'

const option = 'export interface Options {\n    readonly endpoint: string;\n}'
const open = 'export function open(options: Options): void;'

/** A report as API Extractor writes it. */
function reportOf(...declarations: readonly string[]): string {
  const code = declarations.map((each) => `// @public\n${each}\n`).join('\n')
  return `## API Report File for "paywindow"\n\n\`\`\`ts\n\n${code}\n// (No @packageDocumentation comment for this package)\n\n\`\`\`\n`
}

const before = new Map([['index.api.md', reportOf(option, open)]])
const changes: readonly (readonly [what: string, now: ReadonlyMap<string, string>, beta: string, stable: string])[] = [
  ['a name that is gone', new Map([['index.api.md', reportOf(option)]]), 'minor', 'major'],
  ['another form', new Map([['index.api.md', reportOf(option, open.replace('void', 'boolean'))]]), 'minor', 'major'],
  [
    'a member more, which may be required',
    new Map([['index.api.md', reportOf(option.replace('}', '    readonly reference: string;\n}'), open)]]),
    'minor',
    'major',
  ],
  ['an entry that is gone', new Map(), 'minor', 'major'],
  [
    'a new name',
    new Map([['index.api.md', reportOf(option, open, 'export function close(): void;')]]),
    'patch',
    'minor',
  ],
  ['a new entry', new Map([...before, ['server.api.md', reportOf(open)]]), 'patch', 'minor'],
]

describe('a change of the public names', () => {
  it.each(changes)('%s', (_, now, beta, stable) => {
    expect([neededBump(before, now, '0.3.1'), neededBump(before, now, '2.0.0')]).toEqual([beta, stable])
  })

  it('of an entry without names is seen when the entry goes', () => {
    expect(neededBump(new Map([['define.api.md', reportOf()]]), new Map(), '0.1.0')).toBe('minor')
  })

  it.each([
    ['the order of names', reportOf(open, option)],
    ['a member that has a description by now', reportOf(option.replace('{\n', '{\n    // (undocumented)\n'), open)],
    ['what is imported', reportOf(option, open).replace('ts\n', "ts\n\nimport { JSX } from 'react';\n")],
  ])('is not %s', (_, report) => {
    expect(neededBump(before, new Map([['index.api.md', report]]), '0.1.0')).toBeUndefined()
  })
})

describe('changesets', () => {
  it('count by the highest that names the package', () => {
    const texts = ['---\n"paywindow": patch\n---\n\nA.\n', "---\r\n'paywindow': minor\r\n---\r\n\r\nB.\r\n"]
    expect([namedBump(texts), namedBump(texts.slice(0, 1)), namedBump([])]).toEqual(['minor', 'patch', undefined])
  })

  it('that name nothing, or speak of a step in their text only, do not count', () => {
    expect(namedBump(['---\n---\n\npaywindow: major\n', '---\n"another": major\n---\n', 'paywindow: major\n'])).toBe(
      undefined,
    )
  })
})

describe('versions', () => {
  it.each([
    ['0.1.0', '0.1.0', undefined],
    ['0.1.0', '0.1.1', 'patch'],
    ['0.1.9', '0.2.0', 'minor'],
    ['0.9.0', '1.0.0', 'major'],
    ['0.2.0', '0.1.9', undefined],
  ])('from %s to %s: %s', (one, other, bump) => expect(bumpBetween(one, other)).toBe(bump))

  it('that are none are named', () => expect(() => bumpBetween('0.1', '0.2.0')).toThrow('0.1 is no version'))

  it('go up far enough with a higher step than is needed', () => {
    expect(highestBump(['patch', undefined, 'minor'])).toBe('minor')
    expect([reaches('minor', 'patch'), reaches('patch', 'minor'), reaches(undefined, 'patch')]).toEqual([
      true,
      false,
      false,
    ])
  })
})
