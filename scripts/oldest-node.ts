/**
 * Runs the server half's tests on the oldest Node that is supported, which has another SQLite and another JSON parser than the
 * newest. Its version is the one that package.json names under engines.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.ts'

const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } }
const version = /^>=(\d+\.\d+)$/.exec(engines.node)?.[1]
if (version === undefined) throw new Error(`engines.node is ${engines.node}: expected the form >=22.13`)

const { status } = spawnSync(
  'npx',
  [
    '--yes',
    '-p',
    `node@${version}`,
    '--',
    'node',
    'node_modules/vitest/vitest.mjs',
    'run',
    'src/server',
    'src/service',
    'src/sandbox',
  ],
  { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' },
)
process.exit(status ?? 1)
