/** Projects with the packed package, the libraries that it brings along, and nothing else. */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { cache, root } from '../../scripts/paths.ts'

const tarball = join(cache, 'paywindow.tgz')
const uses = join(root, 'e2e', 'package', 'uses')

/** The packages of this folder, which has other compilers and frameworks than the product. */
const others = join(import.meta.dirname, 'node_modules')

const compilers = {
  'TypeScript 5.4': join(others, 'typescript-5.4'),
  'TypeScript 6': join(others, 'typescript'),
  'TypeScript 7': join(root, 'scripts', 'node_modules', 'typescript'),
} as const

/** The compilers of three generations. */
export type Compiler = keyof typeof compilers

/** A package that a project has: of the product or this folder, perhaps by another name. */
export type Installed = string | readonly [name: string, folder: string]

/** The oldest React and TanStack Query that package.json admits, and what each brings along. */
export const oldestReact: readonly Installed[] = [
  'react',
  'react-dom',
  'scheduler',
  '@tanstack/react-query',
  '@tanstack/query-core',
].map((name) => [name, name])

/**
 * A tool with its TypeScript 6, as a copy: a link would lead it to other packages. Its own needs at
 * the top of node_modules are links.
 */
export function withNeeded(name: string): readonly Installed[] {
  const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, 'package-lock.json'), 'utf8'))
  const path = `node_modules/${name}`
  const copied = Object.keys(packages).filter((each) => each === path || each.startsWith(`${path}/`))
  const needed = copied.flatMap((each) => Object.keys(packages[each].dependencies ?? {}))
  return [
    [name, name],
    ['typescript', 'typescript'],
    ...new Set(needed.filter((each) => each !== 'typescript' && `node_modules/${each}` in packages)),
  ]
}

/** A project on disk. */
export interface Project {
  /** Where it is. */
  readonly folder: string
  /** The package in it. */
  readonly installed: string
  /** What the compiler complains of; empty if nothing. */
  compile(compiler: Compiler, options: Readonly<Record<string, unknown>>, files: readonly string[]): string
  /** Node's output when it is called in there, and its exit code. */
  node(...args: readonly string[]): { readonly output: string; readonly code: number | null }
  remove(): void
}

/**
 * Makes a project.
 *
 * @param type - Of its package.json.
 * @param packages - What it has installed beside Paywindow.
 */
export function createProject(type: 'module' | 'commonjs', packages: readonly Installed[]): Project {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'paywindow-project-')))
  write('package.json', JSON.stringify({ name: 'shop', private: true, type }))
  const installed = join(folder, 'node_modules', 'paywindow')
  unpack(installed)
  for (const each of [...Object.keys(packageJson.dependencies), ...packages]) {
    if (typeof each === 'string') link(each)
    else copy(...each)
  }
  cpSync(uses, folder, { recursive: true })

  function write(name: string, text: string): void {
    writeFileSync(join(folder, name), text)
  }

  function link(name: string): void {
    const place = join(folder, 'node_modules', name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(realpathSync(placeOf(name)), place, 'junction')
  }

  /** A link would mix versions: React's DOM of one with the React of another. */
  function copy(name: string, from: string): void {
    cpSync(join(others, from), join(folder, 'node_modules', name), { recursive: true })
  }

  function start(args: readonly string[]) {
    const { stdout, stderr, status, error } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
    if (error) throw error
    return { output: `${stdout}${stderr}`.trim(), code: status }
  }

  return {
    folder,
    installed,
    compile(compiler, options, files) {
      write('tsconfig.json', JSON.stringify({ compilerOptions: { ...strict, ...options }, files }))
      const { output, code } = start([join(compilers[compiler], 'bin', 'tsc'), '-p', folder])
      if (code !== 0 && output === '') throw new Error(`the compiler ended with ${code} and said nothing`)
      return output
    },
    node: (...args) => start(args),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** The product's own comes first. */
function placeOf(name: string): string {
  const found = [join(root, 'node_modules', name), join(others, name)].find((each) => existsSync(each))
  if (found === undefined) throw new Error(`${name} is not installed: npm run test:all installs it`)
  return found
}

const strict = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  strict: true,
  exactOptionalPropertyTypes: true,
  types: ['node'],
  noEmit: true,
}

function unpack(place: string): void {
  if (!existsSync(tarball))
    throw new Error(`${tarball} is missing: npm run build, then node scripts/run.mjs scripts/pack.ts ${tarball}`)
  mkdirSync(place, { recursive: true })
  const { status, stderr, error } = spawnSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', place])
  if (status !== 0) throw error ?? new Error(`tar failed: ${stderr}`)
}
