/**
 * Installs what every command needs: packages, and a Node that is new enough. Each folder of
 * `parts` has its own package.json and lock file, and is installed when a command first needs it.
 * This file imports only modules of Node, because nothing else is installed yet.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** The folders with packages, and their sizes on disk (`npm run measure`). */
const parts = {
  '.': { what: 'Paywindow needs', megabytes: 130 },
  scripts: { what: 'checks and packs it', megabytes: 175 },
  'scripts/node': { what: 'runs it: a Node that is new enough', megabytes: 122 },
  'scripts/oldest-node': { what: 'tests it on the oldest Node', megabytes: 185 },
  'e2e/stores': { what: 'tests its stores: databases and their drivers', megabytes: 280 },
  'e2e/package': { what: 'tests its package: other compilers and frameworks', megabytes: 180 },
  e2e: { what: 'surrounds it in tests: engines, CSS frameworks, telemetry, Lighthouse', megabytes: 425 },
  'plugins/vendure': { what: 'tests its plug-in for Vendure', megabytes: 141 },
  'plugins/medusa': { what: 'tests its plug-in for Medusa', megabytes: 676 },
  docs: { what: 'builds the documentation', megabytes: 125 },
}

/** Paywindow needs Node 22.13. If the machine's Node is older, the repository installs its own. */
const isNewEnough = isAtLeast(22, 13)
const ownNode = join(root, 'scripts', 'node', 'node_modules', packageOfNode())

/** The path of the Node for all scripts. */
export const node = isNewEnough
  ? process.execPath
  : join(ownNode, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** The environment of that Node. */
export const env = { ...process.env }
// Scripts that start `node` by its name find the same Node.
if (!isNewEnough) env.PATH = [dirname(node), env.PATH].join(delimiter)
// Node 22 warns of SQLite and TypeScript. Before 22.18 it needs a flag for TypeScript.
if (isNewEnough && !isAtLeast(24, 0)) {
  const types = isAtLeast(22, 18) ? '' : '--experimental-strip-types'
  env.NODE_OPTIONS = `${env.NODE_OPTIONS ?? ''} --disable-warning=ExperimentalWarning ${types}`.trim()
}

/** The path of a file of a package. @param part - The folder that has the package. */
export function command(part, packageName, file) {
  return join(root, part, 'node_modules', ...packageName.split('/'), file)
}

/** Runs a command. Resolves with its exit code. `doing`: printed every 15 seconds while it runs. */
export function run(file, args, { doing, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: root, stdio: 'inherit', env, ...options })
    const startedAt = Date.now()
    const heartbeat = doing
      ? setInterval(() => {
          console.log(`  still ${doing} (${Math.round((Date.now() - startedAt) / 1000)} s)`)
        }, 15_000)
      : undefined
    child.on('error', reject)
    child.on('close', (code) => {
      clearInterval(heartbeat)
      resolve(code ?? 1)
    })
  })
}

/**
 * Installs the root and these parts, if packages are missing or have other versions than their lock
 * files name. Ends the process with a message when that fails.
 */
export async function ensureInstalled(...names) {
  if (!isAtLeast(20, 19)) {
    console.error(`Paywindow needs Node 20.19 or newer; this is Node ${process.versions.node}. See https://nodejs.org/`)
    process.exit(1)
  }
  const missing = ['.', ...(isNewEnough ? [] : ['scripts/node']), ...names].filter((name) => !isInstalled(name))
  const codes = await Promise.all(missing.map(install))
  const failed = missing.filter((_, at) => codes[at] !== 0)
  if (failed.length === 0 && existsSync(node)) return
  console.error(
    failed.length > 0
      ? `npm ci failed in ${failed.join(' and ')}: see its message above. Is the package registry reachable?`
      : `Paywindow needs Node 22.13 or newer, and npm has none for this machine. See https://nodejs.org/`,
  )
  process.exit(1)
}

async function install(name) {
  const { what, megabytes } = parts[name]
  console.log(`Installing what ${what} (npm ci in ${name}, ${megabytes} MB) …`)
  const npm = process.env.npm_execpath
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const options = { cwd: join(root, name), env: process.env, doing: 'installing' }
  const code = npm?.endsWith('.js')
    ? await run(process.execPath, [npm, ...args], options)
    : await run('npm', args, { ...options, shell: process.platform === 'win32' })
  // Headers for compilers are a third of its size.
  if (name === 'scripts/node')
    for (const each of ['include', 'share']) rmSync(join(ownNode, each), { recursive: true, force: true })
  return code
}

function isInstalled(name) {
  const wanted = readPackages(join(root, name, 'package-lock.json'))
  const present = readPackages(join(root, name, 'node_modules', '.package-lock.json'))
  if (name === 'scripts/node' || name === 'scripts/oldest-node') return versionIn(present) === versionIn(wanted)
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || entry.optional || present[path]?.version === entry.version,
  )
}

function versionIn(packages) {
  return packages[`node_modules/${packageOfNode()}`]?.version
}

/** npm has a package of Node for each platform. */
function packageOfNode() {
  const { platform, arch } = process
  return `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${platform === 'win32' ? 'win' : platform}-${arch}`
}

function isAtLeast(wantedMajor, wantedMinor) {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}

function readPackages(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages
  } catch (error) {
    if (error.code === 'ENOENT') return {}
    throw error
  }
}
