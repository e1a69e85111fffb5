/** Public names as Markdown: what API Extractor has read from the sources, with their comments and examples. */
import { hiddenOf, isTypeOnly, type Member, membersOf } from '../../../scripts/public-names.ts'

/** Where names are described: the address of a name's heading, seen from the other pages of the reference. */
export type Places = ReadonlyMap<string, string>

/** What browsers call on an element, and nobody else. */
const lifecycle = [
  'adoptedCallback',
  'attributeChangedCallback',
  'connectedCallback',
  'disconnectedCallback',
  'observedAttributes',
]

/** The names that an entry exports and no page of an entry before it describes: those that `elsewhere` has with the same comment are left out. */
export function ownNamesOf(entry: string, elsewhere: readonly Member[]): readonly Member[] {
  return membersOf(entry).filter((member) => !isAmong(member, elsewhere))
}

/** What can only be seen in the types of an entry, and has no public name in any. */
export function partsOf(entry: string, named: readonly Member[]): readonly Member[] {
  return hiddenOf(entry).filter((member) => isTypeOnly(member) && member.docComment !== '' && !isAmong(member, named))
}

function isAmong({ name, docComment }: Member, others: readonly Member[]): boolean {
  return others.some((other) => other.name === name && other.docComment === docComment)
}

/** Names with what is known of them, each under a heading of its own. @param level - Of the headings. */
export function sectionsOf(members: readonly Member[], places: Places, level = 2): string {
  return members.map((member) => section(member, places, level)).join('\n')
}

/** The address of a heading that is a name in code, on its page. */
export function anchorOf(name: string): string {
  return `#${name.toLowerCase()}`
}

function section(member: Member, places: Places, level: number): string {
  const { text, tags } = commentOf(member)
  const signature = signatureOf(member)
  const code = signature === '' ? '' : `\n\`\`\`ts\n${signature}\n\`\`\`\n`
  const fields = (member.members ?? []).filter(({ name }) => name !== undefined && !lifecycle.includes(name))
  const table = fields.length === 0 ? '' : `\n${fieldTable(fields, places)}\n`
  const head = '#'.repeat(level)
  const body = [text, extendsOf(member, places)].filter((each) => each !== '').join(' ')
  const paragraphs = tags.map((tag) => `\n${tag}\n`).join('')
  return `${head} \`${member.name}\`\n\n${body}\n${code}${table}${paragraphs}`
}

/** Of an interface nothing, because its table says all; of a class how it is made. */
function signatureOf(member: Member): string {
  if (!member.members) return excerptOf(member)
  const constructors = member.members.filter(({ kind }) => kind === 'Constructor')
  return constructors.map((each) => excerptOf(each).replace('constructor', `new ${member.name}`)).join('\n')
}

function extendsOf(member: Member, places: Places): string {
  const base = member.members && / extends ([\w, ]+?)\s*$/.exec(excerptOf(member))?.[1]
  if (!base) return ''
  return `Has what ${base
    .split(', ')
    .map((name) => linkedType(name, places))
    .join(' and ')} has, too.`
}

function fieldTable(fields: readonly Member[], places: Places): string {
  const rows = fields.map((field) => {
    const { text, tags } = commentOf(field)
    return [`\`${fieldName(field)}\``, linkedType(typeOf(field), places), [text, ...tags].join(' ')]
  })
  return tableOf(['name', 'type', ''], rows)
}

/** With a question mark where it may be left out. */
function fieldName(field: Member): string {
  const isOptional = /^(static |readonly )*["']?[\w:-]+["']?\?/.test(excerptOf(field))
  return `${field.name.replaceAll('"', '')}${isOptional ? '?' : ''}`
}

/** A type in code, with a link where it is one that the reference describes. */
export function linkedType(type: string, places: Places): string {
  const place = places.get(/^(?:readonly )?(\w+)(?:\[\])?$/.exec(type)?.[1] ?? '')
  return place === undefined ? `\`${type}\`` : `[\`${type}\`](${place})`
}

/** A table of Markdown. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(inCell).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

function inCell(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').replace(/(?<!\\)\|/g, '\\|')
}

function excerptOf({ excerptTokens = [] }: Member): string {
  return excerptTokens.map(({ text }) => text).join('')
}

/** What stands after the name: the type of a property, or the parameters and the result of a method. */
function typeOf(field: Member): string {
  return excerptOf(field)
    .replace(/^get \w+\(\): ([^;]*);[\s\S]*$/, '$1')
    .replace(/^(static |readonly )*["']?[\w:-]+["']?\??(: | = )?/, '')
    .replace(/;\s*$/, '')
    .replace(/ \| undefined$/, '')
    .trim()
}

/** A comment without its stars: its text, and its parameters, errors and examples as paragraphs. */
function commentOf({ docComment }: Member): { readonly text: string; readonly tags: readonly string[] } {
  const bare = docComment
    .replace(/^\/\*\*\s*|\s*\*\/\s*$/g, '')
    .replace(/^\s*\* ?/gm, '')
    .replace(/\{@link (\w+)\}/g, '`$1`')
  const [text = '', ...tags] = bare.split(/^@/m)
  return { text: asText(text.trim()), tags: tags.map(paragraph) }
}

/** What stands outside of code must not be taken for a tag. */
function asText(text: string): string {
  return text.replace(/(`[^`]*`)|</g, (_, code?: string) => code ?? '&lt;')
}

function paragraph(tag: string): string {
  const [, name, rest = ''] = tag.match(/^(\w+)\s*([\s\S]*)$/) ?? []
  if (name === 'example') return rest.trim()
  if (name === 'param') return asText(rest.trim().replace(/^(\S+)/, '`$1`'))
  return asText(`${name === 'returns' ? 'Returns' : name === 'throws' ? 'Throws' : name}: ${rest.trim()}`)
}
