/** What was released last, as git knows it. */
import { spawnSync } from 'node:child_process'
import type { Reports } from './api-changes.ts'

/** A release, with the public names that it had. */
export interface Release {
  /** Its tag, or its commit. */
  readonly name: string
  readonly version: string
  readonly reports: Reports
}

/**
 * The release before what is in a folder: the last tag such as `v0.1.0`, or, without tags, the commit that last changed the version.
 *
 * @returns A text that says why it is not known.
 */
export function lastRelease(folder: string): Release | string {
  const git = gitIn(folder)
  // Not a folder inside of a repository that is somebody else's.
  if (git('rev-parse', '--show-prefix') !== '') return 'this folder is not a git checkout'
  const tag = git('describe', '--tags', '--abbrev=0', '--match=v[0-9]*')
  if (tag !== undefined) return releaseAt(tag, git)
  if (git('rev-parse', '--is-shallow-repository') !== 'false')
    return 'this clone has neither tags nor a history: git fetch --unshallow --tags'
  const commit = git('log', '-1', '--format=%H', '-G^  "version":', '--', 'package.json')
  if (!commit || git('show', `${commit}^:package.json`) === undefined)
    return 'nothing has been released: there is no tag, and the version is the first one'
  return releaseAt(commit, git)
}

type Git = (...args: readonly string[]) => string | undefined

/** Runs git; undefined where it fails, or is not there. */
function gitIn(folder: string): Git {
  return (...args) => {
    const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    return status === 0 ? stdout.trim() : undefined
  }
}

/** @throws Error when git cannot read what it has just named. */
function releaseAt(name: string, git: Git): Release {
  const read = (path: string) => {
    const text = git('show', `${name}:${path}`)
    if (text === undefined) throw new Error(`git cannot read ${path} at ${name}`)
    return text
  }
  const paths = git('ls-tree', '--name-only', name, 'docs/api/')?.split('\n') ?? []
  return {
    name,
    version: JSON.parse(read('package.json')).version,
    reports: new Map(
      paths.filter((path) => path.endsWith('.api.md')).map((path) => [path.replace('docs/api/', ''), read(path)]),
    ),
  }
}
