/**
 * Fails when the lock file lacks a package for some platform, or names a registry. A lock written where a registry has only
 * the binaries of one platform would make `npm ci` fail for everybody else.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface LockEntry {
  resolved?: string
  optionalDependencies?: Record<string, string>
}

const lockFile = fileURLToPath(new URL('../package-lock.json', import.meta.url))
const { packages }: { packages: Record<string, LockEntry> } = JSON.parse(readFileSync(lockFile, 'utf8'))

const problems = Object.entries(packages).flatMap(([path, entry]) => [
  ...Object.keys(entry.optionalDependencies ?? {})
    .filter((name) => !isLocked(path, name))
    .map((name) => `${path || 'paywindow'} needs ${name} on some platform, and the lock does not have it`),
  ...(entry.resolved?.startsWith('http') ? [`${path} is bound to one registry: ${new URL(entry.resolved).host}`] : []),
])

/** Looks for a package as Node does: beside its dependant, then in each folder above. */
function isLocked(dependant: string, name: string): boolean {
  for (let path = dependant; ; path = path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')))) {
    if (packages[`${path ? `${path}/` : ''}node_modules/${name}`]) return true
    if (path === '') return false
  }
}

if (problems.length > 0) {
  console.error(problems.join('\n'))
  console.error('Pin the package to a version whose binaries are all there, then: npm install --package-lock-only')
  process.exit(1)
}
console.log(`${Object.keys(packages).length - 1} packages, complete for every platform`)
