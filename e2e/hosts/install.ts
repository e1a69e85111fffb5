/** A copy of an example with the package as it was packed, as a merchant has it after `npm install`. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cache, root } from '../../scripts/paths.ts'

const examples = join(root, 'examples')
const tarball = join(cache, 'paywindow.tgz')
/**
 * Outside of the project, so that an example finds only the packages that it names. Some tools also treat what is under `node_modules` in
 * another way.
 */
const copies = join(tmpdir(), `paywindow-hosts-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`)

/** An example on disk. */
export interface Installed {
  readonly name: string
  readonly folder: string
  /** What its `package.json` names, and the version that is there. */
  readonly versions: Readonly<Record<string, string>>
  /** What Node is given to start it. */
  readonly start: readonly string[]
}

/** Names of all examples. */
export const exampleNames: readonly string[] = globSync('*/package.json', { cwd: examples })
  .map((path) => path.replace(/.package\.json$/, ''))
  .sort()

/** Installs and builds an example, unless that was done with the same files before. @throws Error with what npm said. */
export function install(name: string): Installed {
  const folder = join(copies, name, hashOf(name))
  if (!existsSync(folder)) make(name, folder)
  const { dependencies, scripts } = readJson(join(folder, 'package.json'))
  const versions = Object.keys(dependencies).map((each) => [
    each,
    readJson(join(folder, 'node_modules', each, 'package.json')).version,
  ])
  return { name, folder, versions: Object.fromEntries(versions), start: startOf(scripts.start) }
}

/** Without npm, which would not pass on the signal that ends it. */
function startOf(script: string): readonly string[] {
  const [program = '', ...args] = script.split(' ')
  return program === 'node' ? args : [join('node_modules', '.bin', program), ...args]
}

function make(name: string, folder: string): void {
  rmSync(dirname(folder), { recursive: true, force: true })
  const unfinished = `${folder}-unfinished`
  cpSync(join(examples, name), unfinished, { recursive: true })
  const described = readJson(join(unfinished, 'package.json'))
  const dependencies = { ...described.dependencies, paywindow: `file:${tarball}` }
  writeFileSync(join(unfinished, 'package.json'), JSON.stringify({ ...described, dependencies }))
  npm(unfinished, 'install', '--no-package-lock', '--no-audit', '--no-fund')
  npm(unfinished, 'run', 'build', '--if-present')
  renameSync(unfinished, folder)
}

function npm(folder: string, ...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
}

/** Of everything that the example is made of. */
function hashOf(name: string): string {
  if (!existsSync(tarball))
    throw new Error(`${tarball} is missing: npm run build, then npx node scripts/pack.ts ${tarball}`)
  const hash = createHash('sha256').update(readFileSync(tarball))
  const folder = join(examples, name)
  // Some frameworks have dots in the names of folders.
  const files = globSync('**/*.*', { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile())
  for (const path of files.sort()) hash.update(`${path}\0`).update(readFileSync(join(folder, path)))
  return hash.digest('hex').slice(0, 16)
}

function readJson(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
