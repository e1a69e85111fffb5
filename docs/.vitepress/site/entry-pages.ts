/** The pages of the reference that describe entries of the package, with all of their public names. */
import packageJson from '../../../package.json' with { type: 'json' }
import { typedEntries } from '../../../scripts/entries.ts'
import { type Member, membersOf } from '../../../scripts/public-names.ts'
import { anchorOf, ownNamesOf, type Places, partsOf, sectionsOf } from './names.ts'

/** A page. Its first entry is the one of which it says most. */
interface EntryPage {
  readonly title: string
  /** What the entry is for. */
  readonly about: string
  /** Names of files in dist. */
  readonly entries: readonly [string, ...string[]]
}

/** By the last part of their path. */
export const entryPages: Readonly<Record<string, EntryPage>> = {
  element: {
    title: 'Element and script tag',
    about: '`<pay-window>`, and the same as `data-` attributes of the script tag.',
    entries: ['element', 'element-define'],
  },
  react: { title: 'React', about: 'The component and its hook.', entries: ['index'] },
  server: {
    title: 'Server',
    about: 'The merchant server under Node, and without Node as `paywindow/server`.',
    entries: ['server-node', 'server'],
  },
  service: {
    title: 'Service client',
    about: 'The client of the exchange service, which the server uses, by itself.',
    entries: ['service'],
  },
  sandbox: {
    title: 'Sandbox',
    about: 'The exchange service in memory, with a payer who does what you say.',
    entries: ['sandbox'],
  },
  postgres: { title: 'Postgres store', about: 'Records in a Postgres.', entries: ['server-postgres'] },
  redis: { title: 'Redis store', about: 'Records in a Redis or Valkey.', entries: ['server-redis'] },
  d1: { title: 'D1 store', about: 'Records in a D1 of Cloudflare.', entries: ['server-d1'] },
  testing: { title: 'Tests of stores', about: 'What a store of your own has to pass.', entries: ['testing'] },
  opentelemetry: { title: 'OpenTelemetry', about: 'Metrics and traces.', entries: ['opentelemetry'] },
}

/** They describe all that they export. The others leave out what the server exports, too, such as errors and stores. */
const halves = ['element', 'react', 'server']

/** One page as Markdown. @param between - What stands between its beginning and the names. */
export function entryPage(name: string, between = ''): string {
  const page = entryPages[name]
  if (!page) throw new Error(`There is no page ${name}`)
  const entries = page.entries.map((entry) => `\`${specifierOf(entry)}\``).join(', ')
  const own = ownOf(name)
  const parts = partsOf(page.entries[0], allNamed())
  const places = placesFor(name)
  const others = membersOf(page.entries[0]).filter(({ name: each }) => !own.some((member) => member.name === each))
  return [
    `# ${page.title}\n\n${page.about} Import ${entries}.\n`,
    between,
    ...groupsOf(name).map(({ entry, members }) =>
      entry === page.entries[0] ? sectionsOf(members, places) : inEntry(entry, members, places),
    ),
    others.length === 0 ? '' : `## Described elsewhere\n\n${others.map((each) => linkTo(each, places)).join(', ')}\n`,
    parts.length === 0
      ? ''
      : `## Parts of these types\n\nThey have no name to import.\n\n${sectionsOf(parts, places, 3)}`,
  ].join('\n')
}

/** Where each name is described, as a page of the reference sees it: on itself, if it describes it. */
export function placesFor(name: string): Places {
  const order = [...new Set([name, 'server', ...Object.keys(entryPages)])].reverse()
  return new Map(
    order.flatMap((each) => {
      const file = each === name ? '' : `./${each}.md`
      const parts = each === name ? partsOf(entryPages[each]?.entries[0] ?? '', allNamed()) : []
      return [...ownOf(each), ...parts].map((member): [string, string] => [member.name, file + anchorOf(member.name)])
    }),
  )
}

function linkTo({ name }: Member, places: Places): string {
  return `[\`${name}\`](${places.get(name)})`
}

/** What differs in an entry from the first of its page. */
function inEntry(entry: string, members: readonly Member[], places: Places): string {
  return members.length === 0 ? '' : `## In \`${specifierOf(entry)}\`\n\n${sectionsOf(members, places, 3)}`
}

/** What a page describes. */
function ownOf(name: string): readonly Member[] {
  return groupsOf(name).flatMap(({ members }) => members)
}

/** What a page describes, by its entries. */
function groupsOf(name: string): readonly { readonly entry: string; readonly members: readonly Member[] }[] {
  const page = entryPages[name]
  if (!page) return []
  const [first, ...rest] = page.entries
  const elsewhere = halves.includes(name) ? [] : ownOf('server')
  const main = ownNamesOf(first, elsewhere)
  return [
    { entry: first, members: main },
    ...rest.map((entry) => ({ entry, members: ownNamesOf(entry, [...main, ...elsewhere]) })),
  ]
}

function allNamed(): readonly Member[] {
  return Object.keys(typedEntries).flatMap(membersOf)
}

/** What somebody imports. */
function specifierOf(entry: string): string {
  const [name = ''] =
    Object.entries(packageJson.exports).find(
      ([, target]) => typeof target === 'object' && target.default === `./dist/${entry}.js`,
    ) ?? []
  return name.replace(/^\./, 'paywindow')
}
