/** How far the version has to go up for what has changed in the reports of docs/api, and how far changesets say that it does. */

/** How a version goes up, the smallest first. */
const bumps = ['patch', 'minor', 'major'] as const
/** One of them. */
export type Bump = (typeof bumps)[number]

/** Texts of the reports, by the names of their files. */
export type Reports = ReadonlyMap<string, string>

/**
 * The smallest step that tells users of `version` what awaits them: before 1.0.0 minor for a name that is gone or different, and patch for
 * new ones; from then on major and minor.
 *
 * @returns Undefined if no public name has changed.
 */
export function neededBump(before: Reports, now: Reports, version: string): Bump | undefined {
  const [old, current] = [before, now].map(declarationsOf) as [ReadonlySet<string>, ReadonlySet<string>]
  const isBeta = version.startsWith('0.')
  // A member that is new in a declaration counts as a change of it: a required one breaks whoever passes such an object.
  if ([...old].some((each) => !current.has(each))) return isBeta ? 'minor' : 'major'
  if ([...current].some((each) => !old.has(each))) return isBeta ? 'patch' : 'minor'
  return undefined
}

/** The highest step that changesets name for the package. @param texts - Of files in `.changeset`. */
export function namedBump(texts: readonly string[]): Bump | undefined {
  return highestBump(
    texts.map((text) => {
      const [, head = ''] = /^---\r?\n(.*?)\r?\n---/s.exec(text) ?? []
      return bumps.find((bump) => new RegExp(`^["']?paywindow["']?:\\s*["']?${bump}\\b`, 'm').test(head))
    }),
  )
}

/** How far a version has gone up from another; undefined if it has not. */
export function bumpBetween(before: string, now: string): Bump | undefined {
  const [[major, minor, patch], [nowMajor, nowMinor, nowPatch]] = [before, now].map(numbersOf) as [Numbers, Numbers]
  if (nowMajor !== major) return nowMajor > major ? 'major' : undefined
  if (nowMinor !== minor) return nowMinor > minor ? 'minor' : undefined
  return nowPatch > patch ? 'patch' : undefined
}

/** The highest of several. */
export function highestBump(found: readonly (Bump | undefined)[]): Bump | undefined {
  return bumps.findLast((bump) => found.includes(bump))
}

/** Whether a step is as high as another. */
export function reaches(found: Bump | undefined, needed: Bump): boolean {
  return found !== undefined && bumps.indexOf(found) >= bumps.indexOf(needed)
}

type Numbers = readonly [major: number, minor: number, patch: number]

function numbersOf(version: string): Numbers {
  const [, ...numbers] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []
  if (numbers.length < 3) throw new Error(`${version} is no version: expected the form 0.1.0`)
  return numbers.map(Number) as [number, number, number]
}

/** Each entry, and each of its public names as one text. In a report an empty line stands between two. */
function declarationsOf(reports: Reports): ReadonlySet<string> {
  return new Set(
    [...reports].flatMap(([file, text]) => {
      const [, code = ''] = /```ts\n(.*)\n```/s.exec(text) ?? []
      const parts = code
        // Whether a member has a description breaks no program.
        .replace(/^ *\/\/ \(undocumented\)\n/gm, '')
        .split(/\n{2,}/)
        .map((part) => part.trim())
      const declarations = parts.filter((part) => part !== '' && !/^(?:import |\/\/ \(No )/.test(part))
      return [file, ...declarations.map((declaration) => `${file} ${declaration}`)]
    }),
  )
}
