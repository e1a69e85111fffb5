/** What the documentation consists of: which page each Markdown file of the repository becomes, and in which order they are read. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../scripts/paths.ts'

/** Pages by the path of their source, both relative: `docs/start/README.md` becomes `start/index.md`. */
export function pageOfSource(): ReadonlyMap<string, string> {
  const docs = globSync('docs/**/*.md', { cwd: root, exclude: ['docs/.vitepress/**', 'docs/node_modules/**'] }).map(
    (path) => path.replaceAll('\\', '/'),
  )
  return new Map([
    ['README.md', 'guide.md'],
    ['CHANGELOG.md', 'changelog.md'],
    ['CONTRIBUTING.md', 'contributing.md'],
    ['SECURITY.md', 'security.md'],
    ['examples/README.md', 'examples.md'],
    ...docs.map((path): [string, string] => [path, pageName(path)]),
  ])
}

function pageName(path: string): string {
  return path
    .replace(/^docs\/api\/(.*)\.api\.md$/, 'docs/reference/api/$1.md')
    .replace(/^docs\//, '')
    .replace(/README\.md$/, 'index.md')
}

function quickStarts(): readonly (readonly [path: string, title: string])[] {
  const pages = globSync('*.md', { cwd: join(root, 'docs', 'start') }).sort()
  return pages
    .filter((page) => page !== 'README.md')
    .map((page) => {
      const [, title = page] = readFileSync(join(root, 'docs', 'start', page), 'utf8').match(/^# (.*)$/m) ?? []
      return [`start/${page.replace('.md', '')}`, title]
    })
}

/** A group of the sidebar: pages by their path without `.md`, with their titles. */
export interface Group {
  readonly text: string
  readonly pages: readonly (readonly [path: string, title: string])[]
}

/** Everything a merchant reads first, and what those who work on it read last. */
export const groups: readonly Group[] = [
  {
    text: 'Begin',
    pages: [
      ['start/index', 'Quick starts'],
      ['concepts', 'Concepts'],
      ['guide', 'On one page'],
      ['playground', 'Playground'],
      ['pages', 'On your page'],
      ['links', 'Payment links'],
      ['serve', 'Without TypeScript'],
      ['languages', 'In PHP, Python, Ruby or Go'],
      ['plugins', 'Plug-ins for shops'],
      ['options', 'Options'],
      ['fulfilment', 'Fulfilling orders'],
      ['theming', 'Theming'],
      ['testing', 'Testing your callback'],
      ['errors', 'Error codes'],
      ['troubleshooting', 'Troubleshooting'],
    ],
  },
  { text: 'From an empty folder', pages: quickStarts() },
  {
    text: 'Run it',
    pages: [
      ['production', 'In production'],
      ['operations', 'Operations'],
      ['commands', 'Commands'],
      ['workers', 'Cloudflare Workers'],
      ['observability/index', 'Observability'],
      ['hosts', 'Hosts'],
      ['security', 'Security'],
      ['changelog', 'Changes'],
    ],
  },
  {
    text: 'Reference',
    pages: [
      ['reference/element', 'Element and script tag'],
      ['reference/react', 'React'],
      ['reference/server', 'Server'],
      ['reference/service', 'Service client'],
      ['reference/sandbox', 'Sandbox'],
      ['reference/postgres', 'Postgres store'],
      ['reference/redis', 'Redis store'],
      ['reference/d1', 'D1 store'],
      ['reference/testing', 'Tests of stores'],
      ['reference/opentelemetry', 'OpenTelemetry'],
      ['reference/errors', 'Error codes'],
      ['reference/texts', 'Texts'],
      ['reference/commands', 'Commands'],
      ['reference/api/index', 'Public names'],
    ],
  },
  {
    text: 'How it is made',
    pages: [
      ['architecture', 'Architecture'],
      ['glossary', 'Glossary'],
      ['decisions/index', 'Decisions'],
      ['maintainers/chaos', 'How the rules of money are tested'],
      ['maintainers/effort', 'What it takes to pick it up'],
      ['maintainers/performance', 'Speed of the widget'],
      ['maintainers/performance-server', 'Speed of the server'],
      ['maintainers/lighthouse', 'Lighthouse'],
      ['maintainers/blind-reading', 'A blind reading'],
      ['maintainers/complaints', 'Complaints about others'],
      ['maintainers/side-by-side', 'Side by side'],
      ['contributing', 'Working on it'],
      ['maintainers/add-a-language', 'Add a language'],
      ['maintainers/add-a-chain', 'Add a chain'],
      ['maintainers/add-a-store', 'Add a store'],
      ['maintainers/add-a-host', 'Add a host'],
      ['maintainers/dependencies', 'Dependencies'],
      ['maintainers/release', 'Release'],
    ],
  },
]
