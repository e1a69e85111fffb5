/** What of an example somebody adds to a shop that they have: the lines that are about payments, file by file. */
import { extname } from 'node:path'
import type { DescribedExample, ExampleFile } from './examples.ts'

/** What a line that belongs to Paywindow says. */
const isAbout = /pay-?window|payments|assets/i
/** A file with fewer lines than this is shown whole. */
const fewLines = 8
/** Peers of the component: a shop with React has the others. */
const alsoNeeded = ['@tanstack/react-query']

/** The section of a quick start about shops that are there. */
export function partsToAdd(files: readonly ExampleFile[], { dependencies }: DescribedExample): string {
  const packages = ['paywindow', ...alsoNeeded.filter((name) => name in dependencies)]
  const parts = files
    .filter(({ path }) => !['package.json', 'payments.js'].includes(path))
    .map(({ path, text }) => ({ path, text: partOf(path, text) }))
    .filter(({ text }) => text !== '')
    .map(({ path, text }) => `In \`${path}\`:\n\n${fenced(path, text)}\n`)
  return `## In a shop that you have

1. \`npm install ${packages.join(' ')}\`.
2. Copy \`payments.js\`. Let \`offer\` read the order from your database and refuse visitors whose order it is not, and take \`onStatusChange\` from
   [fulfilling orders](../fulfilment.md).
3. Add the lines below, which are all that is about payments in the files of [this shop](#write). \`reference\` is your name of the cart; it changes
   with the cart.

${parts.join('\n')}`
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
    if (isAbout.test(line)) for (const each of statementAt(lines, at)) kept.add(each)
  })
  return runsOf([...kept].sort((one, other) => one - other))
    .map((run) => withoutIndent(run.map((at) => lines[at] ?? '')))
    .join('\n')
}

/** Numbers that follow each other, together. */
function runsOf(numbers: readonly number[]): readonly (readonly number[])[] {
  const starts = numbers.flatMap((number, index) => (numbers[index - 1] === number - 1 ? [] : [index]))
  return starts.map((start, index) => numbers.slice(start, starts[index + 1]))
}

/** The numbers of the lines around one: the comment above it, the object that it is in, and what it opens. */
function statementAt(lines: readonly string[], at: number): readonly number[] {
  let from = at
  while (/^\s*(\/\/|\/\*|<!--)|, \{$|^@\w+\(\{$/.test(lines[from - 1] ?? '')) from -= 1
  let to = from
  for (let open = opened(lines[from] ?? ''); to < at || (open > 0 && to < lines.length); )
    open += opened(lines[++to] ?? '')
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** How many brackets a line opens more than it closes. */
function opened(line: string): number {
  const bare = line.replace(/'[^']*'|`[^`]*`|\/\/.*$/g, '')
  return (bare.match(/[([{]/g)?.length ?? 0) - (bare.match(/[)\]}]/g)?.length ?? 0)
}

function withoutIndent(lines: readonly string[]): string {
  const indent = Math.min(...lines.map((line) => line.search(/\S|$/)))
  return lines.map((line) => line.slice(indent)).join('\n')
}
