/**
 * The documents' advice on each error code, for the reference and for the developer's notes on a
 * page.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { errorCodes } from '../src/contract/error-codes.testing.ts'
import { statusOfCode } from '../src/contract/status-of-code.ts'
import { root } from './paths.ts'

/** The first has the shorter table. */
const documents = ['docs/errors.md', 'docs/troubleshooting.md'] as const

/** A sentence, and the document that its links are relative to. */
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

/**
 * Returns the last cell of the row that begins with a code, else of a row with it.
 *
 * @throws Error if there is none.
 */
export function adviceOn(code: string): Advice {
  const isNamedIn = (text = '') => text.includes(`\`${code}\``)
  const row = rows.find(({ line }) => isNamedIn(line.split(' | ')[0])) ?? rows.find(({ line }) => isNamedIn(line))
  if (row === undefined) throw new Error(`No table says what to do about ${code}`)
  return { text: row.line.split(' | ').at(-1)?.replace(/ \|$/, '') ?? '', from: row.from }
}

const { repository, version }: { readonly repository?: { readonly url: string }; readonly version: string } =
  packageJson
const repositoryUrl = repository?.url.replace(/^git\+|\.git$/g, '')

/** For `define` of builds that have src/developer. A published package names its repository. */
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
