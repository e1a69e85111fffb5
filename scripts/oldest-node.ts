/**
 * Runs tests on the oldest supported Node, which package.json names under engines: its SQLite and
 * JSON parser differ from the newest. Arguments: tests; default: the tests of the server half that
 * depend on Node. All tests of src/service do, because it reads bodies and exact JSON.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { root } from './paths.ts'
import { dependsOnNode, unitTests } from './test-files.ts'

const version = /^>=(\d+\.\d+)$/.exec(packageJson.engines.node)?.[1]
if (version === undefined) throw new Error(`engines.node is ${packageJson.engines.node}: expected the form >=22.13`)

const given = process.argv.slice(2)
const tests = given.length > 0 ? given : unitTests().filter(isOfNode)
if (given.length === 0) console.log(`${tests.length} files depend on Node:\n${tests.join('\n')}`)
const startedAt = performance.now()
const node = join(root, 'scripts', 'oldest-node', 'node_modules', `node-linux-${process.arch}`, 'bin', 'node')
if (!existsSync(node)) throw new Error(`${node} is missing: npm run test:all installs it, on Linux`)
if (!execFileSync(node, ['--version'], { encoding: 'utf8' }).startsWith(`v${version}.`))
  throw new Error(`${node} is another Node than ${version}, the one of engines in package.json`)
const { status } = spawnSync(node, ['node_modules/vitest/vitest.mjs', 'run', ...tests], {
  cwd: root,
  stdio: 'inherit',
  // The oldest Node warns that its SQLite is experimental.
  env: { ...process.env, NODE_NO_WARNINGS: '1' },
})
console.log(`On Node ${version}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
process.exit(status ?? 1)

function isOfNode(path: string): boolean {
  return path.startsWith('src/service/') || (/^src\/(?:server|sandbox)\//.test(path) && dependsOnNode(path))
}
