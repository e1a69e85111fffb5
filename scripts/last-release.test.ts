/** On real repositories of git, made for each test. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lastRelease } from './last-release.ts'

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

/** Commits a version, and a report that says `names`. Returns the commit. */
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
