/** Public names as Markdown: what API Extractor has read from the sources, with their comments and examples. */
import { type Member, membersOf } from '../public-names.ts'

/** All public names of an entry, each under a heading of its own. */
export function namesOf(entry: string): string {
  return membersOf(entry).map(section).join('\n')
}

function section(member: Member): string {
  const { text, tags } = commentOf(member)
  const signature = member.members ? '' : `\n\`\`\`ts\n${excerptOf(member)}\n\`\`\`\n`
  const fields = (member.members ?? []).filter(({ name }) => name !== undefined)
  const table = fields.length === 0 ? '' : `\n${fieldTable(fields)}\n`
  return `## \`${member.name}\`\n\n${text}\n${signature}${table}${tags}`
}

function fieldTable(fields: readonly Member[]): string {
  const rows = fields.map((field) => [`\`${field.name}\``, `\`${typeOf(field)}\``, commentOf(field).text])
  return tableOf(['name', 'type', ''], rows)
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
    .replace(/^(static |readonly )*["']?[\w:-]+["']?\??(: )?/, '')
    .replace(/;\s*$/, '')
    .replace(/ \| undefined$/, '')
    .trim()
}

/** A comment without its stars: its text, and its parameters, errors and examples as paragraphs. */
function commentOf({ docComment }: Member): { readonly text: string; readonly tags: string } {
  const bare = docComment
    .replace(/^\/\*\*\s*|\s*\*\/\s*$/g, '')
    .replace(/^\s*\* ?/gm, '')
    .replace(/\{@link (\w+)\}/g, '`$1`')
  const [text = '', ...tags] = bare.split(/^@/m)
  return { text: asText(text.trim()), tags: tags.map((tag) => `\n${paragraph(tag)}\n`).join('') }
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
