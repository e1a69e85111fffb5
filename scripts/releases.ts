/** The last release, and the version that changes of the public names since then require. */
import { spawnSync } from 'node:child_process'

/** How a version goes up, the smallest step first. */
const bumps = ['patch', 'minor', 'major'] as const
/** A step of a version. */
export type Bump = (typeof bumps)[number]

/** Texts of the reports, by the names of their files. */
export type Reports = ReadonlyMap<string, string>

/** A release with its public names. */
export interface Release {
  /** Its tag, or its commit. */
  readonly name: string
  readonly version: string
  readonly reports: Reports
}

/**
 * Finds the last release: the last tag such as `v0.1.0`, or, without tags, the commit that last
 * changed the version.
 *
 * @returns A text says why it is not known.
 */
export function lastRelease(folder: string): Release | string {
  const git = gitIn(folder)
  // The folder may lie inside another repository.
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

/** Runs git; undefined when it fails or is not installed. */
function gitIn(folder: string): Git {
  return (...args) => {
    const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    return status === 0 ? stdout.trim() : undefined
  }
}

/** @throws Error when git cannot read a file of the release. */
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

/**
 * The smallest step for a change of the public names. Before 1.0.0, minor for a name that is gone
 * or different, and patch for a new name; from 1.0.0, major and minor.
 *
 * @returns Undefined if no public name has changed.
 */
export function neededBump(before: Reports, now: Reports, version: string): Bump | undefined {
  const [old, current] = [before, now].map(declarationsOf) as [ReadonlySet<string>, ReadonlySet<string>]
  const isBeta = version.startsWith('0.')
  // A new member changes its declaration: a required member breaks callers.
  if ([...old].some((each) => !current.has(each))) return isBeta ? 'minor' : 'major'
  if ([...current].some((each) => !old.has(each))) return isBeta ? 'patch' : 'minor'
  return undefined
}

/** The highest step that changesets name for the package. @param texts - Files of `.changeset`. */
export function namedBump(texts: readonly string[]): Bump | undefined {
  return highestBump(
    texts.map((text) => {
      const [, head = ''] = /^---\r?\n(.*?)\r?\n---/s.exec(text) ?? []
      return bumps.find((bump) => new RegExp(`^["']?paywindow["']?:\\s*["']?${bump}\\b`, 'm').test(head))
    }),
  )
}

/** The step from one version to another; undefined if it has not gone up. */
export function bumpBetween(before: string, now: string): Bump | undefined {
  const [[major, minor, patch], [nowMajor, nowMinor, nowPatch]] = [before, now].map(numbersOf) as [Numbers, Numbers]
  if (nowMajor !== major) return nowMajor > major ? 'major' : undefined
  if (nowMinor !== minor) return nowMinor > minor ? 'minor' : undefined
  return nowPatch > patch ? 'patch' : undefined
}

/** The highest of several steps. */
export function highestBump(found: readonly (Bump | undefined)[]): Bump | undefined {
  return bumps.findLast((bump) => found.includes(bump))
}

/** Whether a step is at least as high as another. */
export function reaches(found: Bump | undefined, needed: Bump): boolean {
  return found !== undefined && bumps.indexOf(found) >= bumps.indexOf(needed)
}

type Numbers = readonly [major: number, minor: number, patch: number]

function numbersOf(version: string): Numbers {
  const [, ...numbers] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []
  if (numbers.length < 3) throw new Error(`${version} is no version: expected the form 0.1.0`)
  return numbers.map(Number) as [number, number, number]
}

/** The entries, and the declarations of their public names, which empty lines separate. */
function declarationsOf(reports: Reports): ReadonlySet<string> {
  return new Set(
    [...reports].flatMap(([file, text]) => {
      const [, code = ''] = /```ts\n(.*)\n```/s.exec(text) ?? []
      const parts = code
        // Descriptions break no program.
        .replace(/^ *\/\/ \(undocumented\)\n/gm, '')
        .split(/\n{2,}/)
        .map((part) => part.trim())
      const declarations = parts.filter((part) => part !== '' && !/^(?:import |\/\/ \(No )/.test(part))
      return [file, ...declarations.map((declaration) => `${file} ${declaration}`)]
    }),
  )
}
