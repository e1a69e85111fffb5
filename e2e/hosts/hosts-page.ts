/** The page of the documentation that says what came of a run. */
import { execFileSync } from 'node:child_process'
import { root } from '../../scripts/paths.ts'
import { table } from '../bench/report.ts'
import type { Way } from './examples.ts'
import { playground } from './plan.ts'

const tested: Readonly<Record<Way, string>> = {
  written: 'the quick start, and a payment',
  copied: 'the copy in the package, and a payment',
  edited: 'the development server, three edits, and a payment',
  'beside an older script': 'two versions of the script, and a payment',
}

/** What came of a visit. `skipped` begins the outcome of one that this machine cannot make. */
export interface Visited {
  readonly name: string
  readonly way: Way
  readonly versions: string
  readonly engine: string
  readonly outcome: string
}

/** What a visit tests, in the words of the page. */
export function whatIsTested(name: string, way: Way): string {
  return name === playground ? 'every page, and payments' : tested[way]
}

/** Writes docs/hosts.md. */
export function hostsPage(visits: readonly Visited[]): string {
  const rows = visits.map(({ name, way, versions, engine, outcome }) => [
    name === playground ? name : `[${name}](start/${name}.md)`,
    versions,
    engine,
    whatIsTested(name, way),
    outcome,
  ])
  return `# Hosts

\`npm run hosts -- --write\` wrote this on ${new Date().toISOString().slice(0, 10)}, at commit ${commit()}, with Node ${process.version}.

Each row is a quick start, followed word for word with the packed package. Its files were written into
an empty folder, or copied from the package if the row says so. In the browser the payer chose Bitcoin,
and saw the address and the amount of the order at the service. The script tag loaded its languages.
After the payment the page said so, the shop's own code got one event, and the browser's console had no
error and no warning (unknown for WebKitGTK).

- *Three edits*: the development server runs, with React's StrictMode. A file of the shop is edited
  three times while an address is shown.
- *Two versions of the script*: the page loads another version of the script first. The console says
  so in one line, in each engine, and the payment goes on.
- *Playground* is the site of this documentation. Each page was opened: it had no error and no warning
  (a listener in the page hears them in each engine), requested no other host, and axe found nothing,
  light and dark. After the server had stopped, the site's worker showed a page that nobody had opened
  before, and the search found another. With the script tag and with the component, XRP was paid
  exactly, too little and then the rest, too much, and not at all. On the playground's page the
  clock was moved past the end of a quote, and the buttons of the payer and the service paid another
  cart.

${table(['host', 'with', 'engine', 'tested', 'result'], rows).replaceAll('--:', '---')}
`
}

function commit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
}
