/**
 * `node scripts/run.mjs [--with=PART,PART] FILE [arguments]`: runs a script on a Node that is new
 * enough, after it has installed the packages of the root and of these parts (scripts/setup.mjs).
 * So every command works in a fresh clone.
 */
import { ensureInstalled, node, run } from './setup.mjs'

const [first = '', ...rest] = process.argv.slice(2)
const parts = /^--with=(.+)$/.exec(first)?.[1].split(',')
await ensureInstalled(...(parts ?? []))
process.exit(await run(node, parts ? rest : [first, ...rest]))
