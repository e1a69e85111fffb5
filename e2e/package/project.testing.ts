/** Projects of others that have the package as it was packed, the libraries that it brings along, and nothing else. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import lock from '../../package-lock.json' with { type: 'json' }
import { cache, root } from '../../scripts/paths.ts'

const tarball = join(cache, 'paywindow.tgz')
const uses = join(root, 'e2e', 'package', 'uses')

/** The compilers, by the folders of node_modules that they are in. */
export type Compiler = 'typescript-5.4' | 'typescript-6' | 'typescript'

/** What a project has installed: a package of ours, or one in a folder of node_modules that has another name. */
export type Installed = string | readonly [name: string, folder: string]

/** The oldest React and TanStack Query that package.json admits. */
export const oldestReact: readonly Installed[] = [
  ['react', 'react-18.0'],
  ['react-dom', 'react-dom-18.0'],
  ['@tanstack/react-query', 'react-query-5.0'],
]

/**
 * A tool with the TypeScript 6 that it needs: a copy, because a linked one would find ours. What it, and what is in its own folder, needs of the top
 * of node_modules is linked.
 */
export function withNeeded(name: string): readonly Installed[] {
  const path = `node_modules/${name}`
  const copied = Object.entries(lock.packages).filter(([each]) => each === path || each.startsWith(`${path}/`))
  const needed = copied.flatMap(([, each]) => ('dependencies' in each ? Object.keys(each.dependencies) : []))
  return [
    [name, name],
    ['typescript', 'typescript-6'],
    ...new Set(needed.filter((each) => `node_modules/${each}` in lock.packages)),
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
  /** What Node prints when it is called in there, and with what it ends. */
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
    symlinkSync(realpathSync(join(root, 'node_modules', name)), place, 'junction')
  }

  /** A link would lead it to the packages beside its own folder: React's DOM of one version to the React of another. */
  function copy(name: string, from: string): void {
    cpSync(join(root, 'node_modules', from), join(folder, 'node_modules', name), { recursive: true })
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
      const { output, code } = start([join(root, 'node_modules', compiler, 'bin', 'tsc'), '-p', folder])
      if (code !== 0 && output === '') throw new Error(`the compiler ended with ${code} and said nothing`)
      return output
    },
    node: (...args) => start(args),
    remove: () => rmSync(folder, { recursive: true }),
  }
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
    throw new Error(`${tarball} is missing: npm run build, then npx node scripts/pack.ts ${tarball}`)
  mkdirSync(place, { recursive: true })
  const { status, stderr, error } = spawnSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', place])
  if (status !== 0) throw error ?? new Error(`tar failed: ${stderr}`)
}
