/** What the documents say to do about each error code, for the reference and for the notes that a developer reads on the page. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { errorCodes } from '../src/contract/error-codes.testing.ts'
import { statusOfCode } from '../src/contract/status-of-code.ts'
import { root } from './paths.ts'

/** In this order: the first table of codes is the shorter one. */
const documents = ['docs/errors.md', 'docs/troubleshooting.md'] as const

/** A sentence and the document whose links it has. */
interface Advice {
  readonly text: string
  readonly from: (typeof documents)[number]
}

const rows = documents.flatMap((from) =>
  readFileSync(join(root, from), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => ({ from, line })),
)

/** The last cell of the row that begins with the code, or else has it. @throws Error if no table has it. */
export function adviceOn(code: string): Advice {
  const isNamedIn = (text = '') => text.includes(`\`${code}\``)
  const row = rows.find(({ line }) => isNamedIn(line.split(' | ')[0])) ?? rows.find(({ line }) => isNamedIn(line))
  if (row === undefined) throw new Error(`No table says what to do about ${code}`)
  return { text: row.line.split(' | ').at(-1)?.replace(/ \|$/, '') ?? '', from: row.from }
}

const { repository, version }: { readonly repository?: { readonly url: string }; readonly version: string } =
  packageJson
const repositoryUrl = repository?.url.replace(/^git\+|\.git$/g, '')

/** For `define` of builds that have src/developer in them. A published package names its repository: release.yml writes it there. */
export const advice = {
  PAYWINDOW_ADVICE: JSON.stringify(
    Object.fromEntries(errorCodes.map((code) => [code, adviceOn(code).text.replace(/\[(.*?)\]\(.*?\)/g, '$1')])),
  ),
  PAYWINDOW_ANSWERED: JSON.stringify(Object.keys(statusOfCode)),
  PAYWINDOW_DOCS: JSON.stringify(
    repositoryUrl === undefined
      ? 'node_modules/paywindow/docs/troubleshooting.md'
      : `${repositoryUrl}/blob/v${version}/docs/troubleshooting.md`,
  ),
}
