/**
 * What `npm start` and `npm test` need before anything else: a Node that is new enough, and the packages of the lock file.
 * Runs on a machine where nothing is installed yet, so it imports only what Node itself brings.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Node that the repository brings along, so that everything runs on one version whatever the machine has. */
export const ownNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** Path of a package's command, to be run with `ownNode`. */
export function command(packageName, file) {
  return join(root, 'node_modules', ...packageName.split('/'), file)
}

/** Ends the process with a clear message when this Node cannot run the tools. */
export function checkNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return
  console.error(`Paywindow needs Node 20.19, 22.12 or newer; this is Node ${version}. See https://nodejs.org/`)
  process.exit(1)
}

/** Runs a command and resolves with its exit code; its output goes to ours. While it is silent, says that it still runs. */
export function run(file, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: root, stdio: 'inherit', ...options })
    const startedAt = Date.now()
    const heartbeat = options.doing
      ? setInterval(() => {
          console.log(`  still ${options.doing} (${Math.round((Date.now() - startedAt) / 1000)} s)`)
        }, 15_000)
      : undefined
    child.on('error', reject)
    child.on('close', (code) => {
      clearInterval(heartbeat)
      resolve(code ?? 1)
    })
  })
}

/** Installs the packages of the lock file when they are missing or of other versions. Resolves with false when that failed. */
export async function ensureInstalled() {
  if (isInstalled()) return true
  console.log('Installing packages with npm ci (about 350 MB, half a minute or so) …')
  const npm = process.env.npm_execpath
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const code = npm?.endsWith('.js')
    ? await run(process.execPath, [npm, ...args], { doing: 'installing' })
    : await run('npm', args, { doing: 'installing', shell: process.platform === 'win32' })
  if (code !== 0) {
    console.error('npm ci failed: see its message above. Is the package registry reachable?')
    return false
  }
  if (!existsSync(ownNode)) {
    console.error(
      'The package `node` has not been set up. Is ignore-scripts set? Run: npm rebuild node --ignore-scripts=false',
    )
    return false
  }
  return true
}

function isInstalled() {
  if (!existsSync(ownNode)) return false
  const wanted = readPackages(join(root, 'package-lock.json'))
  const present = readPackages(join(root, 'node_modules', '.package-lock.json'))
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || entry.optional || present[path]?.version === entry.version,
  )
}

function readPackages(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages
  } catch (error) {
    if (error.code === 'ENOENT') return {}
    throw error
  }
}
