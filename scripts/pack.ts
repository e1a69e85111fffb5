/** Packs the built package, as for publishing, into the file that the argument names. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, renameSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { root } from './paths.ts'

const target = resolve(process.argv[2] ?? 'paywindow.tgz')
const folder = dirname(target)
mkdirSync(folder, { recursive: true })
const { status, stdout } = spawnSync('npm', ['pack', '--ignore-scripts', '--json', `--pack-destination=${folder}`], {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
  shell: process.platform === 'win32',
})
if (status !== 0) process.exit(status ?? 1)
const name = stdout.match(/"filename":\s*"([^"]+)"/)?.[1]
if (name === undefined) throw new Error(`npm pack did not say what it wrote: ${stdout}`)
renameSync(join(folder, name), target)
console.log(`${name}: ${stdout.match(/"entryCount":\s*(\d+)/)?.[1]} files`)
