/** The public names of an entry, as the last build reported them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cache } from './paths.ts'

/** A public name, as API Extractor reports it. */
export interface Member {
  readonly kind: string
  readonly name: string
  /** The place of its declaration. `!~` means that it is not exported. */
  readonly canonicalReference: string
  /** The comment with its slashes and stars. */
  readonly docComment: string
  /** Its declaration. */
  readonly excerptTokens?: readonly { readonly text: string }[]
  /** The fields of an interface. */
  readonly members?: readonly (Member & {
    readonly excerptTokens: readonly { readonly text: string }[]
    readonly propertyTypeTokenRange: { readonly startIndex: number; readonly endIndex: number }
  })[]
}

/** A field of a public interface. */
export interface Field {
  readonly name: string
  readonly type: string
  readonly description: string
}

/** All names that an entry exports. */
export function membersOf(entry: string): readonly Member[] {
  return reportedOf(entry).filter((member) => !isHidden(member))
}

/** Names in the types of an entry that it does not export. */
export function hiddenOf(entry: string): readonly Member[] {
  return reportedOf(entry).filter(isHidden)
}

function isHidden({ canonicalReference }: Member): boolean {
  return canonicalReference.includes('!~')
}

function reportedOf(entry: string): readonly Member[] {
  const report: { members: [{ members: Member[] }] } = JSON.parse(
    readFileSync(join(cache, 'api', `${entry}.api.json`), 'utf8'),
  )
  return report.members[0].members
}

/** Whether a name exists only for the compiler. */
export function isTypeOnly({ kind }: Member): boolean {
  return /^(Interface|TypeAlias)$/.test(kind)
}

/** The name of a property, from the name of an attribute or event. */
export function camelCase(name: string): string {
  return name.replace(/[-:](.)/g, (_, letter: string) => letter.toUpperCase())
}

/** The fields of an exported interface. Their types leave out `undefined`. */
export function fieldsOf(entry: string, interfaceName: string): readonly Field[] {
  const found = membersOf(entry).find(({ name }) => name === interfaceName)
  if (!found?.members) throw new Error(`${entry} exports no interface ${interfaceName}`)
  return found.members.map(({ name, docComment, excerptTokens, propertyTypeTokenRange: range }) => ({
    name: name.replaceAll('"', ''),
    type: excerptTokens
      .slice(range.startIndex, range.endIndex)
      .map(({ text }) => text)
      .join('')
      .replace(' | undefined', ''),
    description: docComment.replace(/^\s*\/?\*+\/? ?/gm, '').trim(),
  }))
}
