/** The reference: pages that are written from the sources, from the last build and from the commands themselves. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCodes } from '../../src/contract/error-codes.testing.ts'
import { statusOfCode } from '../../src/contract/errors.ts'
import { en } from '../../src/locales/en.ts'
import { adviceOn } from '../advice.ts'
import { typedEntries } from '../entries.ts'
import { root } from '../paths.ts'
import { withLinksOfPages } from './links.ts'
import { namesOf, tableOf } from './names.ts'

const readme = readFileSync(join(root, 'README.md'), 'utf8')

interface Described {
  readonly name: string
  readonly description: string
}

/** What scripts/manifest.ts writes. */
interface Manifest {
  readonly modules: readonly [
    {
      readonly declarations: readonly [
        {
          readonly attributes: readonly (Described & { readonly type: { readonly text: string } })[]
          readonly events: readonly Described[]
          readonly cssParts: readonly Described[]
          readonly cssProperties: readonly Described[]
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
  return {
    'reference/element.md': elementPage(),
    'reference/react.md': `# React\n\nThe entry \`paywindow\`.\n\n${optionsOf('`<Paywindow>`', pages)}\n${namesOf('index')}`,
    'reference/server.md': `# Server\n\nThe entries \`paywindow/server/node\` and, without Node, \`paywindow/server\`.\n\n${optionsOf('`createPaywindow', pages)}\n${namesOf('server-node')}`,
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

/** The table of options in the README: the only place that says defaults. */
function optionsOf(heading: string, pages: ReadonlyMap<string, string>): string {
  const [, section] = readme.split(new RegExp(`^### (?=${heading.replace(/[()]/g, '\\$&')})`, 'm'))
  const table = section?.match(/(?:^\|.*\n)+/m)?.[0]
  if (!table) throw new Error(`README.md has no table of options under ${heading}`)
  return `## Options\n\n${linked(table, 'README.md', pages)}`
}

/** Text of another page, with links that work in the reference. */
function linked(markdown: string, source: string, pages: ReadonlyMap<string, string>): string {
  return withLinksOfPages(markdown, source, pages, 'reference/index.md')
}

function elementPage(): string {
  // Not imported: types are checked before anything is built.
  const manifest: Manifest = JSON.parse(readFileSync(join(root, 'dist', 'custom-elements.json'), 'utf8'))
  const [element] = manifest.modules[0].declarations
  const described = (items: readonly Described[]) => items.map(({ name, description }) => [`\`${name}\``, description])
  return `# Element and script tag

\`<pay-window>\`, and the same as \`data-\` attributes of the script tag.

## Attributes

${tableOf(
  ['attribute', 'type', ''],
  element.attributes.map(({ name, type, description }) => [`\`${name}\``, `\`${type.text}\``, description]),
)}

## Events

They bubble out of shadow roots. They are for information only: fulfil in \`onStatusChange\` on the server.

${tableOf(['event', ''], described(element.events))}

## Parts

${tableOf(['part', ''], described(element.cssParts))}

## Custom properties

${tableOf(['property', ''], described(element.cssProperties))}

${namesOf('element')}`
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
  return `# Commands\n\n\`\`\`\n${help}\n\`\`\`\n\n${commands.join('\n')}`
}

function helpOf(command: readonly string[]): string {
  const { stdout, status, stderr } = spawnSync(process.execPath, [join(root, 'dist', 'cli.js'), ...command, '--help'], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', COLUMNS: '100' },
  })
  if (status !== 0) throw new Error(`paywindow ${command.join(' ')} --help failed: ${stderr}`)
  return stdout.trim()
}
