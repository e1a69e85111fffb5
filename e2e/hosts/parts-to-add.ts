/** The parts of an example that somebody adds to a shop: its lines about payments, by file. */
import { extname } from 'node:path'

/** Words in lines about Paywindow. */
const isAbout =
  /pay-?window|payment|signed|'\/cart'|reference|loaderData|assets|content-security-policy|frame-ancestors|nonce|<iframe|importmap|turbo-cache|"serve"|SIGTERM/i
const isComment = /^\s*(\/\/|\/\*|<!--)/
/** A script or styles, on lines of their own. */
const opensBlock = /^\s*<(script|style)[^>]*>$/
/** A file with fewer lines than this is shown whole. */
const fewLines = 8
/** Peers of the component that a shop with React may lack. */
const alsoNeeded = ['@tanstack/react-query']
/** Packages that serve files, which a shop of this kind may lack. */
const fileServers = ['sirv', '@fastify/static', '@fastify/middie', '@astrojs/node']
/** Names that each shop chooses for itself. */
const itsOwn = ['app', 'server']

interface File {
  readonly path: string
  readonly text: string
}

/** The section of a quick start about shops that are there. */
export function partsToAdd(files: readonly File[], dependencies: Readonly<Record<string, string>>): string {
  const parts = files
    .filter(({ path }) => !['package.json', 'payments.js'].includes(path))
    .map(({ path, text }) => ({ path, text: partOf(path, text) }))
    .filter(({ text }) => text !== '')
  const packages = [
    'paywindow',
    ...alsoNeeded.filter((name) => name in dependencies),
    ...fileServers.filter((name) => parts.some(({ text }) => text.includes(` from '${name}'`))),
  ]
  return `## In a shop that you have

1. Run \`npm install ${packages.join(' ')}\`.
   Add a line \`.paywindow/\` to \`.gitignore\`: the shop keeps its payments there, with their keys.
2. Copy \`payments.js\`. Let \`offer\` read the order from your database. Let a page sign only
   [the cart of its visitor](../concepts.md#whose-order-it-is). Take all of
   [fulfilling orders](../fulfilment.md): its tables, \`onStatusChange\`, \`onError\` and \`doJobs\`.
3. Add the lines below. They are all lines about payments in the files of [this shop](#write).
   \`reference\` is your name of the cart; it changes with the cart.

${parts.map(({ path, text }) => `In \`${path}\`:\n\n${fenced(path, text)}\n`).join('\n')}`
}

/** Code as Markdown, by the name of its file. */
export function fenced(path: string, text: string): string {
  return `\`\`\`${extname(path).slice(1).replace('mjs', 'js')}\n${text.trimEnd()}\n\`\`\``
}

function partOf(path: string, text: string): string {
  const lines = text.trimEnd().split('\n')
  if (!isAbout.test(text)) return ''
  if (lines.length < fewLines || isAbout.test(path)) return text
  const kept = new Set<number>()
  lines.forEach((line, at) => {
    if (isAbout.test(line)) for (const each of statementAt(lines, commented(lines, at))) kept.add(each)
  })
  for (let count = -1; count !== kept.size; ) {
    count = kept.size
    for (const each of statementsUsedBy(lines, kept)) kept.add(each)
  }
  for (const at of [...kept]) for (const tag of tagsAround(lines, at)) kept.add(tag)
  return runsOf([...kept].sort((one, other) => one - other))
    .map((run) => withoutIndent(run.map((at) => lines[at] ?? '')))
    .join('\n')
}

/** Where the script, the styles or the code above a page begin and end that a line is in. */
function tagsAround(lines: readonly string[], at: number): readonly number[] {
  const fences = lines.flatMap((line, fence) => (line === '---' ? [fence] : []))
  if (at < (fences[1] ?? 0)) return fences
  const from = lines.slice(0, at + 1).findLastIndex((line) => opensBlock.test(line))
  const [, name = ''] = opensBlock.exec(lines[from] ?? '') ?? []
  const to = lines.findIndex((line, end) => end > from && line.includes(`</${name}>`))
  return from >= 0 && to >= at ? [from, to] : []
}

/** Where the names come from that these lines use. */
function statementsUsedBy(lines: readonly string[], kept: ReadonlySet<number>): readonly number[] {
  const used = new Set([...kept].flatMap((at) => withoutWords(lines[at] ?? '').match(/\w+/g) ?? []))
  return lines.flatMap((line, at) => {
    const [, imported = '', declared = ''] =
      /^import (.*) from|^(?:async )?(?:const|let|function) (\w+)/.exec(line) ?? []
    const names = [declared, ...(imported.match(/\w+/g) ?? [])]
    return names.some((name) => used.has(name) && !itsOwn.includes(name)) ? statementAt(lines, at) : []
  })
}

/** Without comments and quoted text, but with the code inside template strings. */
function withoutWords(line: string): string {
  return line.replace(/'[^']*'|(?<!:)\/\/.*$|<!--.*-->/g, '')
}

/** Numbers that follow each other, together. */
function runsOf(numbers: readonly number[]): readonly (readonly number[])[] {
  const starts = numbers.flatMap((number, index) => (numbers[index - 1] === number - 1 ? [] : [index]))
  return starts.map((start, index) => numbers.slice(start, starts[index + 1]))
}

/** The line that a comment is about. */
function commented(lines: readonly string[], at: number): number {
  return isComment.test(lines[at] ?? '') ? commented(lines, at + 1) : at
}

/** The lines of a statement, with the comment above it, its object, and all that it opens. */
function statementAt(lines: readonly string[], at: number): readonly number[] {
  let from = at
  const belongsTo = [isComment, opensBlock, /[,=] \{$|\($|^@\w+\(\{$/]
  while (belongsTo.some((each) => each.test(lines[from - 1] ?? ''))) from -= 1
  let to = from
  const goesOn = (line = '') => /=>?$|^\s*<script[^>]*>$/.test(line)
  for (let open = opened(lines[from] ?? ''); to < at || ((open > 0 || goesOn(lines[to])) && to < lines.length); )
    open += opened(lines[++to] ?? '')
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** How many brackets a line opens more than it closes. */
function opened(line: string): number {
  const bare = line.replace(/'[^']*'|`[^`]*`|(?<!:)\/\/.*$/g, '')
  return (bare.match(/[([{]/g)?.length ?? 0) - (bare.match(/[)\]}]/g)?.length ?? 0)
}

function withoutIndent(lines: readonly string[]): string {
  const indent = Math.min(...lines.map((line) => line.search(/\S|$/)))
  return lines.map((line) => line.slice(indent)).join('\n')
}
