/** The list of all pages as Markdown, for models: see https://llmstxt.org. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { groups } from './map.ts'

type Page = readonly [path: string, title: string]

/** Pages that no sidebar has, under the group in which a model looks for them. */
const besides: Readonly<Record<string, readonly Page[]>> = {
  Begin: [['skills/paywindow/SKILL', 'Rules for coding agents']],
  'From an empty folder': [['examples', 'Examples']],
  'How it is made': [['index', 'First page']],
}

/** What nobody needs to sell something stands with all that no group has under this heading, which models may leave out. */
const optional = 'Optional'
const optionalGroup = 'How it is made'

/** @param folder - Of the pages. @param base - What addresses on the site begin with. */
export function listForModels(folder: string, base: string): string {
  const grouped = groups.map(({ text, pages }) => ({
    text: text === optionalGroup ? optional : text,
    pages: [...pages, ...(besides[text] ?? [])],
  }))
  const listed = new Set(grouped.flatMap(({ pages }) => pages.map(([path]) => path)))
  const others = markdownIn(folder)
    .filter((path) => !listed.has(path))
    .map((path): Page => [path, titleOf(textOf(folder, path))])
  const sections = grouped.map(({ text, pages }) => {
    const lines = [...pages, ...(text === optional ? others : [])].map(([path, title]) =>
      [`- [${title}](${base}${path}.md)`, firstSentence(textOf(folder, path))].filter(Boolean).join(': '),
    )
    return `## ${text}\n\n${lines.join('\n')}\n`
  })
  return `# Paywindow

> A crypto checkout widget for the browser, and the merchant server that makes it safe. Never fulfil an order on a browser event: fulfil in \`onStatusChange\` on the server. Only the server holds the access token.

${sections.join('\n')}`
}

function markdownIn(folder: string): readonly string[] {
  return globSync('**/*.md', { cwd: folder, exclude: ['public'] })
    .map((path) => path.replaceAll('\\', '/').replace(/\.md$/, ''))
    .sort()
}

function textOf(folder: string, path: string): string {
  return readFileSync(join(folder, `${path}.md`), 'utf8')
}

/** @throws Error where a page has none. */
function titleOf(markdown: string): string {
  const title = markdown.match(/^# (.*)$/m)?.[1]
  if (title === undefined) throw new Error(`A page has no title: ${markdown.slice(0, 200)}`)
  return title
}

/** What a page says first, without links, or what its head says of it. Empty where it begins with a list or code. */
function firstSentence(markdown: string): string {
  const described = markdown.match(/^---\n(?:.*\n)*?description: (.*)\n/)?.[1]
  const paragraphs = markdown.replace(/^```[\s\S]*?^```$/gm, '').split(/\n\n+/)
  const first = described ?? paragraphs.find((block) => /^[A-Z`[“]/.test(block)) ?? ''
  return (
    first
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/\s+/g, ' ')
      .match(/^.*?\.(?= |$)/)?.[0] ?? first
  )
}
