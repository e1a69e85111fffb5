/**
 * `node scripts/run.mjs FILE [arguments]`: runs a script of the repository on the Node that it brings along, after installing what
 * the lock file names. So every command works from a fresh clone, whatever Node the machine has.
 */
import { checkNode, ensureInstalled, ownNode, run } from './setup.mjs'

checkNode()
process.exit((await ensureInstalled()) ? await run(ownNode, process.argv.slice(2)) : 1)
