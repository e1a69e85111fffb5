import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bumpBetween, highestBump, lastRelease, namedBump, neededBump, reaches } from './releases.ts'

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

  it('is found when an entry without names is gone', () => {
    expect(neededBump(new Map([['define.api.md', reportOf()]]), new Map(), '0.1.0')).toBe('minor')
  })

  it.each([
    ['the order of names', reportOf(open, option)],
    ['a new description of a member', reportOf(option.replace('{\n', '{\n    // (undocumented)\n'), open)],
    ['what is imported', reportOf(option, open).replace('ts\n', "ts\n\nimport { JSX } from 'react';\n")],
  ])('is not %s', (_, report) => {
    expect(neededBump(before, new Map([['index.api.md', report]]), '0.1.0')).toBeUndefined()
  })
})

describe('changesets', () => {
  it('count by the highest step for the package', () => {
    const texts = ['---\n"paywindow": patch\n---\n\nA.\n', "---\r\n'paywindow': minor\r\n---\r\n\r\nB.\r\n"]
    expect([namedBump(texts), namedBump(texts.slice(0, 1)), namedBump([])]).toEqual(['minor', 'patch', undefined])
  })

  it('without a step for the package in their head do not count', () => {
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

  it('of another form are refused', () => expect(() => bumpBetween('0.1', '0.2.0')).toThrow('0.1 is no version'))

  it('may go up by a higher step than needed', () => {
    expect(highestBump(['patch', undefined, 'minor'])).toBe('minor')
    expect([reaches('minor', 'patch'), reaches('patch', 'minor'), reaches(undefined, 'patch')]).toEqual([
      true,
      false,
      false,
    ])
  })
})

// Each test has its own git repository.
const hasGit = spawnSync('git', ['--version']).status === 0

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paywindow-release-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function git(...args: readonly string[]): string {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@test.example', '-c', 'commit.gpgsign=false']
  const { status, stdout, stderr } = spawnSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim()
}

/** Commits a version with a report. Returns the commit. */
function commit(version: string, names: string): string {
  mkdirSync(join(folder, 'docs', 'api'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), `{\n  "name": "paywindow",\n  "version": "${version}"\n}\n`)
  writeFileSync(join(folder, 'docs', 'api', 'index.api.md'), names)
  git('add', '.')
  git('commit', '--quiet', '-m', names)
  return git('rev-parse', 'HEAD')
}

describe.skipIf(!hasGit)('the last release', () => {
  it('is the last tag', () => {
    git('init', '--quiet')
    commit('0.1.0', 'first')
    git('tag', 'v0.1.0')
    commit('0.2.0', 'second')
    git('tag', '-m', 'released', 'v0.2.0')
    commit('0.2.0', 'third')
    git('tag', 'nightly')
    expect(lastRelease(folder)).toEqual({
      name: 'v0.2.0',
      version: '0.2.0',
      reports: new Map([['index.api.md', 'second']]),
    })
  })

  it('is without tags the commit that last changed the version', () => {
    git('init', '--quiet')
    commit('0.1.0', 'first')
    const released = commit('0.2.0', 'second')
    commit('0.2.0', 'third')
    expect(lastRelease(folder)).toMatchObject({ name: released, reports: new Map([['index.api.md', 'second']]) })
  })

  it('is unknown while the first version is in the making', () => {
    git('init', '--quiet')
    commit('0.1.0', 'first')
    commit('0.1.0', 'second')
    expect(lastRelease(folder)).toMatch(/nothing has been released/)
  })

  it('is unknown in a clone without history', () => {
    git('init', '--quiet', 'origin')
    const clone = folder
    folder = join(folder, 'origin')
    commit('0.1.0', 'first')
    commit('0.2.0', 'second')
    folder = clone
    git('clone', '--quiet', '--depth=1', `file://${join(folder, 'origin')}`, 'shallow')
    expect(lastRelease(join(folder, 'shallow'))).toMatch(/neither tags nor a history/)
  })

  it('is unknown where there is no repository, or one of somebody else above', () => {
    expect(lastRelease(folder)).toMatch(/not a git checkout/)
    git('init', '--quiet')
    mkdirSync(join(folder, 'copy'))
    expect(lastRelease(join(folder, 'copy'))).toMatch(/not a git checkout/)
  })
})
