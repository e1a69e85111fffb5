/** The public names of an entry, as the last build has reported them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cache } from './paths.ts'

/** A public name, as API Extractor reports it. */
export interface Member {
  readonly kind: string
  readonly name: string
  /** With its stars and slashes. */
  readonly docComment: string
}

/** All names that an entry exports. */
export function membersOf(entry: string): readonly Member[] {
  const report: { members: [{ members: Member[] }] } = JSON.parse(
    readFileSync(join(cache, 'api', `${entry}.api.json`), 'utf8'),
  )
  return report.members[0].members
}

/** Whether a name exists only for the compiler. */
export function isTypeOnly({ kind }: Member): boolean {
  return /^(Interface|TypeAlias)$/.test(kind)
}
