/** The examples of the repository, and the quick start that is written from each. */
import { globSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { root } from '../../scripts/paths.ts'

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
export function describedIn(text: string): {
  readonly title: string
  readonly description: string
  /** The link on the first page that leads to the checkout, where it is on a page of its own. */
  readonly checkoutLink?: string
  /** What the shop is like at another address, which stands there in angle brackets. */
  readonly elsewhere?: string
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
} {
  return JSON.parse(text)
}

/** The files in the order in which somebody reads them: what it needs, what the shop does, the server, the pages. */
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

/** The quick start of an example: its files, and the commands that lead from an empty folder to a paid order. */
export function startPage(name: string): string {
  const files = filesOf(name)
  const { title, description, checkoutLink, elsewhere, scripts } = describedIn(files[0]?.text ?? '{}')
  const commands = ['npm install', ...(scripts.build ? ['npm run build'] : [])]
  const follow = checkoutLink === undefined ? '' : `, follow the link *${checkoutLink}*,`
  return `# ${title}

${description}. [examples/${name}](../../examples/${name}) has the same files as a folder to copy.

## Write

You need Node 22.13 or later. Put these files into an empty folder.

${files.map(block).join('\n')}
\`\`\`sh
${commands.join('\n')}
\`\`\`

## Pay

The sandbox stands in for the exchange service:

\`\`\`sh
npx paywindow sandbox
\`\`\`

It prints three lines that begin with \`export\`. In a second terminal run these three, and start the shop:

\`\`\`sh
PAYWINDOW_TEST=yes npm start
\`\`\`

Open <http://localhost:3000/>${follow} and choose Bitcoin: the address and the amount are those of an order at the sandbox. Pay it, in a third terminal:

\`\`\`sh
npx paywindow trigger paid
\`\`\`

In a few seconds the page says “Paid, thank you”, and the shop prints \`paid: cart-42, 49.90 USD\`.${elsewhere === undefined ? '' : ` ${elsewhere}`}

## Next

- [Testing your callback](../testing.md): everything that payers and services do wrong, each with its command.
- [In production](../production.md): leave \`PAYWINDOW_TEST\` out, and set the three variables to those of your account.
- [Troubleshooting](../troubleshooting.md), [theming](../theming.md), [all options](../../README.md#options).
`
}

function block({ path, text }: ExampleFile): string {
  return `\`${path}\`\n\n\`\`\`${extname(path).slice(1).replace('mjs', 'js')}\n${text.trimEnd()}\n\`\`\`\n`
}

/** What a page asks for: files to write, and commands to run in the order in which they stand. */
export interface Instructions {
  readonly files: readonly ExampleFile[]
  readonly commands: readonly string[]
  /** Where the shop is: a coin is chosen at the first address, and the others show the same order. */
  readonly urls: readonly string[]
  /** The link to follow before there is something to choose. */
  readonly link: string | undefined
}

/** Reads a quick start as somebody does who has nothing but the page. */
export function instructionsOf(page: string): Instructions {
  const files = [...page.matchAll(/^`([^`\n]+)`\n\n```\w+\n(.*?\n)```$/gms)]
  const [, pay = ''] = page.split('\n## Pay\n')
  const commands = [...page.matchAll(/^```sh\n(.*?)\n```$/gms)]
  return {
    files: files.map(([, path = '', text = '']) => ({ path, text })),
    commands: commands.flatMap(([, lines = '']) => lines.split('\n')),
    urls: [...pay.matchAll(/<(http:\/\/[\w.]+:3000\/)>/g)].map(([, url = '']) => url),
    link: /^Open <.*>, follow the link \*(.+)\*, and /m.exec(pay)?.[1],
  }
}
