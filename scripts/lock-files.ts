/**
 * Fails when a lock file lacks a package for some platform, or names a registry. A registry may
 * have only the binaries of one platform; a lock written there breaks `npm ci` elsewhere.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.ts'

interface LockEntry {
  resolved?: string
  optionalDependencies?: Record<string, string>
}

type Packages = Readonly<Record<string, LockEntry>>

const locks = globSync('{.,scripts,scripts/node,docs,e2e,e2e/*,e2e/bench/peers,plugins/*}/package-lock.json', {
  cwd: root,
})
const problems = locks.flatMap((lock) => {
  const { packages }: { packages: Packages } = JSON.parse(readFileSync(join(root, lock), 'utf8'))
  console.log(`${lock}: ${Object.keys(packages).length - 1} packages`)
  return problemsIn(packages).map((problem) => `${lock}: ${problem}`)
})

if (problems.length > 0) {
  console.error(problems.join('\n'))
  console.error('Pin the package to a version whose binaries are all there, then, in the folder of the lock file:')
  console.error('npm install --package-lock-only --omit-lockfile-registry-resolved')
  process.exit(1)
}

function problemsIn(packages: Packages): string[] {
  return Object.entries(packages).flatMap(([path, entry]) => [
    ...Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !isLocked(packages, path, name))
      .map((name) => `${path || 'the project'} needs ${name} on some platform, and the lock does not have it`),
    ...(entry.resolved?.startsWith('http')
      ? [`${path} is bound to one registry: ${new URL(entry.resolved).host}`]
      : []),
  ])
}

/** Looks for a package as Node does: beside the dependant, then in each folder above. */
function isLocked(packages: Packages, dependant: string, name: string): boolean {
  for (let path = dependant; ; path = path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')))) {
    if (packages[`${path ? `${path}/` : ''}node_modules/${name}`]) return true
    if (path === '') return false
  }
}
