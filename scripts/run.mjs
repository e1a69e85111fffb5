/**
 * `node scripts/run.mjs [--with=PART,PART] FILE [arguments]`: runs a script of the repository on a Node that is new enough, after installing
 * what the lock files of the root and of these parts (scripts/setup.mjs) name. So every command works from a fresh clone.
 */
import { ensureInstalled, node, run } from './setup.mjs'

const [first = '', ...rest] = process.argv.slice(2)
const parts = /^--with=(.+)$/.exec(first)?.[1].split(',')
await ensureInstalled(...(parts ?? []))
process.exit(await run(node, parts ? rest : [first, ...rest]))
