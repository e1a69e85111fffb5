/**
 * Runs tests on the oldest Node that is supported, which has another SQLite and another JSON parser than the newest. Its version is the one that
 * package.json names under engines. Arguments: which tests; without any, those of the server half that depend on Node. All tests of
 * src/service do: it reads bodies, and JSON with the text of its numbers.
 */
import { spawnSync } from 'node:child_process'
import packageJson from '../package.json' with { type: 'json' }
import { root } from './paths.ts'
import { dependsOnNode, unitTests } from './test-files.ts'

const version = /^>=(\d+\.\d+)$/.exec(packageJson.engines.node)?.[1]
if (version === undefined) throw new Error(`engines.node is ${packageJson.engines.node}: expected the form >=22.13`)

const given = process.argv.slice(2)
const tests = given.length > 0 ? given : unitTests().filter(isOfNode)
if (given.length === 0) console.log(`${tests.length} files depend on Node:\n${tests.join('\n')}`)
const startedAt = performance.now()
const { status } = spawnSync(
  'npx',
  ['--yes', '-p', `node@${version}`, '--', 'node', 'node_modules/vitest/vitest.mjs', 'run', ...tests],
  // It warns that its SQLite is an experiment.
  { cwd: root, stdio: 'inherit', shell: process.platform === 'win32', env: { ...process.env, NODE_NO_WARNINGS: '1' } },
)
console.log(`On Node ${version}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
process.exit(status ?? 1)

function isOfNode(path: string): boolean {
  return path.startsWith('src/service/') || (/^src\/(?:server|sandbox)\//.test(path) && dependsOnNode(path))
}
