/**
 * Runs tests on the oldest Node that is supported, which has another SQLite and another JSON parser than the newest. Its version is the one that
 * package.json names under engines. Arguments: which tests; without any, those of the server half.
 */
import { spawnSync } from 'node:child_process'
import packageJson from '../package.json' with { type: 'json' }
import { root } from './paths.ts'

const version = /^>=(\d+\.\d+)$/.exec(packageJson.engines.node)?.[1]
if (version === undefined) throw new Error(`engines.node is ${packageJson.engines.node}: expected the form >=22.13`)

const given = process.argv.slice(2)
const tests = given.length > 0 ? given : ['src/server', 'src/service', 'src/sandbox']
const { status } = spawnSync(
  'npx',
  ['--yes', '-p', `node@${version}`, '--', 'node', 'node_modules/vitest/vitest.mjs', 'run', ...tests],
  // It warns that its SQLite is an experiment.
  { cwd: root, stdio: 'inherit', shell: process.platform === 'win32', env: { ...process.env, NODE_NO_WARNINGS: '1' } },
)
process.exit(status ?? 1)
