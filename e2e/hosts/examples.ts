/** The examples of the repository, and the quick start that is written from each. */
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/paths.ts'
import { fenced, partsToAdd } from './parts-to-add.ts'

const examples = join(root, 'examples')

/** A file of an example. `path` is relative to its folder. */
interface ExampleFile {
  readonly path: string
  readonly text: string
}

/** Names of all examples. */
export const exampleNames: readonly string[] = globSync('*/package.json', { cwd: examples })
  .map((path) => path.replace(/.package\.json$/, ''))
  .sort()

/** What the `package.json` of an example says. */
export interface DescribedExample {
  readonly title: string
  readonly description: string
  /** The link on the first page that leads to the checkout, where it is on a page of its own. */
  readonly checkoutLink?: string
  /** What the shop is like at another address, which stands there in angle brackets. */
  readonly elsewhere?: string
  /** `node`: the versions that all its packages take. */
  readonly engines: { readonly node: string }
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
}

/** Reads a `package.json`. */
export function describedIn(text: string): DescribedExample {
  return JSON.parse(text)
}

/** The files in the order of reading: what the shop needs, what it does, the server, the pages. */
function filesOf(name: string): readonly ExampleFile[] {
  const folder = join(examples, name)
  // Some frameworks have dots in the names of folders.
  const paths = globSync('**/*.*', { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile())
  const order = ['package.json', 'payments.js', 'server.js']
  const place = (path: string) => (order.includes(path) ? order.indexOf(path) : order.length)
  return paths
    .map((path) => path.replaceAll('\\', '/'))
    .sort((one, other) => place(one) - place(other) || one.localeCompare(other, 'en'))
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
}

/**
 * The quick start of an example: the commands from an empty folder to a paid order, what to add to
 * a shop that is there, and the files.
 */
export function startPage(name: string): string {
  const files = filesOf(name)
  const { title, description, checkoutLink, elsewhere, engines, scripts, dependencies } = describedIn(
    files[0]?.text ?? '{}',
  )
  const follow = checkoutLink === undefined ? '' : `, follow the link *${checkoutLink}*,`
  const ignore = String.raw`printf 'node_modules/\n.paywindow/\n' > .gitignore`
  const prepare = [ignore, 'npm install', ...(scripts.build ? ['npm run build'] : [])]
  const copy = ['npm init -y', 'npm install paywindow', `cp -r node_modules/paywindow/examples/${name}/. .`, ...prepare]
  return `# ${title}

${description}.

From an empty folder to a paid order in two minutes; then
[what to add](#in-a-shop-that-you-have) to a shop that you have.

## Copy

You need Node ${inWords(engines.node)}.
Take an empty folder, and the shell of Linux or macOS (on Windows that of WSL). The shop is in the
package:

${shell(copy)}

## Pay

The sandbox stands in for the exchange service:

\`\`\`sh
npx paywindow sandbox
\`\`\`

It prints three lines that begin with \`export\`. In a second terminal run these three, and start the
shop:

\`\`\`sh
PAYWINDOW_TEST=yes CART_SECRET=only-for-trying npm start
\`\`\`

Open <http://localhost:3000/>${follow} and choose Bitcoin.
You see the address and the amount of an order at the sandbox. Pay it, in a third terminal:

\`\`\`sh
npx paywindow trigger paid
\`\`\`

In a few seconds the page says “Paid, thank you”, and the shop prints \`paid: cart-42, 49.90 USD\`.
To pay once more, end the shop and the sandbox, delete the folder \`.paywindow\`, and begin again.${elsewhere === undefined ? '' : `\n\n${elsewhere}`}

## Next

- [Testing your callback](../testing.md): everything that payers and services do wrong, with a
  command for each.
- [Fulfilling orders](../fulfilment.md): a whole \`onStatusChange\` to copy.
- [In production](../production.md): leave \`PAYWINDOW_TEST\` out, and delete the folder \`.paywindow\`
  of your tries. Set the three variables to those of your account, \`CART_SECRET\` to 32 random bytes
  that you keep (\`openssl rand -hex 32\`), and \`PROXIES\` to the number of your reverse proxies.
  Serverless functions need another store, and a job that follows payments.
- [Troubleshooting](../troubleshooting.md), [theming](../theming.md), [all options](../options.md).

${partsToAdd(files, dependencies)}
## Write

The same shop by hand. [examples/${name}](../../examples/${name})
has these files as a folder.

${files.map(block).join('\n')}
${shell(prepare)}

Then [pay](#pay).
`
}

/** A range of versions of Node in words, such as `22.22.3 or a later 22, or 26.0.0 or later`. */
function inWords(range: string): string {
  const parts = range.split(' || ').map((part) => {
    const [version = '', line = ''] = /(\d+)[\d.]*/.exec(part) ?? []
    return part.startsWith('^') ? `${version} or a later ${line}` : `${version} or later`
  })
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(parts).replace(/ or (?=\S+ or later$)/, ', or ')
}

function shell(commands: readonly string[]): string {
  return `\`\`\`sh\n${commands.join('\n')}\n\`\`\``
}

function block({ path, text }: ExampleFile): string {
  return `\`${path}\`\n\n${fenced(path, text)}\n`
}

/**
 * How somebody gets the shop of a page: from the package, or file by file. Then the page may have
 * another version of the script already, or the shop may be edited while it is paid in.
 */
export type Way = 'copied' | 'written' | 'beside an older script' | 'edited'

/** What a page asks for: files to write, and commands to run in the order in which they stand. */
export interface Instructions {
  readonly files: readonly ExampleFile[]
  /** Up to the shop that is ready to start. */
  readonly commands: readonly string[]
  /** To start the sandbox, to start the shop, and to pay. */
  readonly paying: readonly string[]
  /** Addresses of the shop: a coin is chosen at the first, and all others show the same order. */
  readonly urls: readonly string[]
  /** The link to follow before there is something to choose. */
  readonly link: string | undefined
}

/** Reads a quick start as somebody does who has nothing but the page. */
export function instructionsOf(page: string, way: Way): Instructions {
  const sections = new Map(page.split(/^## /m).map((text) => [text.split('\n')[0], text]))
  const section = (name: string) => sections.get(name) ?? ''
  const commandsIn = (text: string) =>
    [...text.matchAll(/^```sh\n(.*?)\n```$/gms)].flatMap(([, lines = '']) => lines.split('\n'))
  const files = [...section('Write').matchAll(/^`([^`\n]+)`\n\n```\w+\n(.*?\n)```$/gms)]
  return {
    files: way === 'copied' ? [] : files.map(([, path = '', text = '']) => ({ path, text })),
    commands: commandsIn(section(way === 'copied' ? 'Copy' : 'Write')),
    paying: commandsIn(section('Pay')),
    urls: [...section('Pay').matchAll(/<(http:\/\/[\w.]+:3000\/)>/g)].map(([, url = '']) => url),
    link: /^Open <.*>, follow the link \*(.+)\*, and /m.exec(section('Pay'))?.[1],
  }
}
