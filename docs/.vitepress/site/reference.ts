/** The reference: pages that are written from the sources, from the last build and from the commands themselves. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { adviceOn } from '../../../scripts/advice.ts'
import { angularOutputs } from '../../../scripts/angular-directive.ts'
import { typedEntries } from '../../../scripts/entries.ts'
import { root } from '../../../scripts/paths.ts'
import { errorCodes } from '../../../src/contract/error-codes.testing.ts'
import { statusOfCode } from '../../../src/contract/status-of-code.ts'
import { attributeNames, propertyOf } from '../../../src/element/reflecting-element.ts'
import { en } from '../../../src/locales/en.ts'
import { entryPage, entryPages, placesFor } from './entry-pages.ts'
import { withLinksOfPages } from './links.ts'
import { linkedType, tableOf } from './names.ts'

interface Described {
  readonly name: string
  readonly description: string
}

interface Typed extends Described {
  readonly type: { readonly text: string }
}

/** What scripts/manifest.ts writes. */
interface Manifest {
  readonly modules: readonly [
    {
      readonly declarations: readonly [
        {
          readonly attributes: readonly Typed[]
          readonly events: readonly Typed[]
        },
      ]
    },
  ]
}

/**
 * Pages by their path.
 *
 * @param pages - Pages by the paths of their sources, for links in what comes from other pages.
 */
export function referencePages(pages: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  const options = (heading: string) => optionsOf(heading, pages)
  const between: Readonly<Record<string, string>> = {
    element: `${elementPart(pages)}\n${options('`<Paywindow>`')}`,
    react: options('`<Paywindow>`'),
    server: options('`createPaywindow'),
  }
  return {
    ...Object.fromEntries(
      Object.keys(entryPages).map((name) => [`reference/${name}.md`, entryPage(name, between[name])]),
    ),
    'reference/errors.md': errorsPage(pages),
    'reference/texts.md': textsPage(),
    'reference/commands.md': commandsPage(),
    'reference/api/index.md': `# Public names\n\nWhat each entry of the package exports, as its build has reported it.\n\n${Object.keys(
      typedEntries,
    )
      .map((entry) => `- [${entry}](./${entry}.md)`)
      .join('\n')}\n`,
  }
}

/** The table of options. */
function optionsOf(heading: string, pages: ReadonlyMap<string, string>): string {
  return `## Options\n\n${linked(tableIn('docs/options.md', `## ${heading}`), 'docs/options.md', pages)}\n`
}

/** The first table below a heading that begins with these words. */
function tableIn(path: string, heading: string): string {
  const text = readFileSync(join(root, path), 'utf8')
  const table = text.split(`\n${heading}`)[1]?.match(/(?:^\|.*\n)+/m)?.[0]
  if (!table) throw new Error(`${path} has no table under ${heading}`)
  return table
}

/** The cells of that table, by rows: the first row is its head. */
export function rowsIn(path: string, heading: string): readonly (readonly string[])[] {
  const [head = '', , ...rows] = tableIn(path, heading).trim().split('\n')
  return [head, ...rows].map((row) =>
    row
      .replace(/^\| ?| ?\|$/g, '')
      .split(/ ?(?<!\\)\| ?/)
      .map((cell) => cell.trim()),
  )
}

/** Text of another page, with links that work in the reference. */
function linked(markdown: string, source: string, pages: ReadonlyMap<string, string>): string {
  return withLinksOfPages(markdown, source, pages, 'reference/index.md')
}

/** What is no name that can be imported. */
function elementPart(pages: ReadonlyMap<string, string>): string {
  // Not imported: types are checked before anything is built.
  const manifest: Manifest = JSON.parse(readFileSync(join(root, 'dist', 'custom-elements.json'), 'utf8'))
  const [{ attributes, events }] = manifest.modules[0].declarations
  const places = placesFor('element')
  const theming = (heading: string) => linked(tableIn('docs/theming.md', `## ${heading}`), 'docs/theming.md', pages)
  const attributeRows = attributeNames.map((name) => {
    const { type, description } = attributes.find((each) => each.name === name) ?? {}
    return [`\`${name}\``, `\`${propertyOf(name)}\``, `\`${type?.text}\``, description ?? '']
  })
  const detailOf = ({ text }: Typed['type']) => text.replace(/^CustomEvent<(.*)>$/, '$1')
  const eventRows = events.map(({ name, type, description }) => [
    `\`${name}\``,
    linkedType(detailOf(type), places),
    description,
  ])
  const outputRows = angularOutputs().map(({ name, property }) => [`\`${property}\``, `\`${name}\``])
  return `## Attributes and properties

A property reads and writes its attribute: null, undefined and false remove it. The attribute of the script tag is the same after \`data-\`.

${tableOf(['attribute', 'property', 'type', ''], attributeRows)}

The properties without an attribute are those of [\`PaywindowElement\`](#paywindowelement).

## Events

They bubble out of shadow roots. They are for information only: fulfil in \`onStatusChange\` on the server.

${tableOf(['event', '`detail`', ''], eventRows)}

## In templates

\`paywindow/element/react\`, \`/vue\` and \`/svelte\` register it and add it to the types of their templates. In Angular
\`imports: [PaywindowDirective]\` of \`paywindow/element/angular\` does. It has the attributes and \`texts\` as inputs, and these outputs, whose value is
the event:

${tableOf(['output', 'event'], outputRows)}

## Parts

\`pay-window::part(button)\` styles a part; the class is that of the React component.

${theming('Parts and classes')}

## Custom properties

${theming('Custom properties')}

## \`Paywindow.open\`

Of the script tag: \`Paywindow.open({ endpoint, reference })\` opens the payment as a modal. It takes the properties of the element, the
callbacks of the React component, and \`onClose\`. It returns the \`element\`, and \`close()\`. If the same payment is open already, that one is returned.
`
}

function errorsPage(pages: ReadonlyMap<string, string>): string {
  const status: Readonly<Record<string, number>> = statusOfCode
  const rows = errorCodes.map((code) => {
    const { text, from } = adviceOn(code)
    return [`\`${code}\``, String(status[code] ?? '–'), linked(text, from, pages)]
  })
  return `# Error codes

Branch on \`code\`: codes are never used for anything else later. A code with an HTTP status is an answer to the browser; the others are for
\`onError\` of the server, or for the browser's.

${tableOf(['code', 'HTTP', 'what to do'], rows)}
`
}

function textsPage(): string {
  const rows = Object.entries(en).map(([name, text]) => [`\`${name}\``, text])
  return `# Texts

Every text of the widget, by the name under which \`texts\` replaces it. \`{name}\` is filled in. Twenty languages are included.

${tableOf(['name', 'English'], rows)}
`
}

function commandsPage(): string {
  const help = helpOf([])
  const names = [...help.matchAll(/^ {2}(\w+) .*/gm)].map(([, name = '']) => name).filter((name) => name !== 'help')
  const commands = [...new Set(names)].map((name) => `## \`${name}\`\n\n\`\`\`\n${helpOf([name])}\n\`\`\`\n`)
  return `# Commands\n\nWhat each command prints with \`--help\`.\n\n\`\`\`\n${help}\n\`\`\`\n\n${commands.join('\n')}`
}

function helpOf(command: readonly string[]): string {
  const { stdout, status, stderr } = spawnSync(process.execPath, [join(root, 'dist', 'cli.js'), ...command, '--help'], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', COLUMNS: '100' },
  })
  if (status !== 0) throw new Error(`paywindow ${command.join(' ')} --help failed: ${stderr}`)
  return stdout.trim()
}
