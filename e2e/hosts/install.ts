/** Follows a quick start from an empty folder to the built shop, with the packed package. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { subset } from 'semver'
import { cache, root } from '../../scripts/paths.ts'
import { asOlder, olderIsUsed } from '../older-script.ts'
import { describedIn, type Instructions, instructionsOf, type Way } from './examples.ts'

const tarball = join(cache, 'paywindow.tgz')
/**
 * Outside of the project, so that an example finds only its own packages. Some tools also treat
 * files under `node_modules` differently.
 */
const copies = join(tmpdir(), `paywindow-hosts-${hashOf(root)}`)

/** How a shop differs from the one that its page describes. */
interface Difference {
  /** Done to the folder once it is installed. */
  readonly change?: (folder: string) => void
  /** What the console says, and nothing else. */
  readonly complaints?: readonly string[]
  readonly commandOf?: (command: string) => string
  /** A file that is edited while an address is shown. */
  readonly edited?: string
}

const differences: Readonly<Record<Way, Difference>> = {
  copied: {},
  written: {},
  'beside an older script': { change: addOlderScript, complaints: [olderIsUsed] },
  // The development server of Next.
  edited: { commandOf: (command) => command.replace('npm start', 'npx next dev'), edited: 'payments.js' },
}

/** A shop on disk. */
export interface Installed extends Pick<Instructions, 'urls' | 'link'> {
  readonly folder: string
  /** What its `package.json` names, and the version that is there. */
  readonly versions: Readonly<Record<string, string>>
  /** What is left to do: to start the sandbox, to start the shop, and to pay. */
  readonly commands: readonly string[]
  /** A file that is edited while an address is shown. */
  readonly edited?: string
  /** What the console says, and nothing else. */
  readonly complaints: readonly string[]
  /** Whether its server draws the widget. */
  readonly isDrawn: boolean
}

/** Does what the page says, unless that was done already. @throws Error with a command's output. */
export function install(name: string, way: Way): Installed {
  const page = readFileSync(join(root, 'docs', 'start', `${name}.md`), 'utf8')
  if (!existsSync(tarball))
    throw new Error(`${tarball} is missing: npm run build, then node scripts/run.mjs scripts/pack.ts ${tarball}`)
  const instructions = instructionsOf(page, way)
  const { change, complaints = [], commandOf = (command) => command, edited } = differences[way]
  const folder = join(copies, `${name}-${way.replaceAll(' ', '-')}`, hashOf(page, readFileSync(tarball)))
  if (!existsSync(folder)) make(folder, instructions, change)
  const { dependencies, engines } = describedIn(readFileSync(join(folder, 'package.json'), 'utf8'))
  const packages = Object.keys(dependencies).map((each) => packageIn(folder, each))
  const refusing = packages.filter((each) => !subset(engines.node, each.engines?.node ?? '*'))
  if (refusing.length > 0)
    throw new Error(`${name} asks for Node ${engines.node}, which is too old for ${refusing.map(inWords).join(', ')}`)
  const { urls, link } = instructions
  return {
    folder,
    versions: Object.fromEntries(packages.map((each) => [each.name, each.version])),
    commands: instructions.paying.map(commandOf),
    ...(edited && { edited: join(folder, edited) }),
    complaints,
    isDrawn: page.includes('paywindow.html('),
    urls,
    link,
  }
}

interface InstalledPackage {
  readonly name: string
  readonly version: string
  readonly engines?: { readonly node?: string }
}

function packageIn(folder: string, name: string): InstalledPackage {
  return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
}

function inWords({ name, version, engines }: InstalledPackage): string {
  return `${name} ${version} (${engines?.node})`
}

function make(folder: string, { files, commands }: Instructions, change?: (folder: string) => void): void {
  rmSync(dirname(folder), { recursive: true, force: true })
  const unfinished = `${folder}-unfinished`
  mkdirSync(unfinished, { recursive: true })
  for (const { path, text } of files) {
    mkdirSync(dirname(join(unfinished, path)), { recursive: true })
    // No registry has this version yet.
    writeFileSync(join(unfinished, path), path === 'package.json' ? withTarball(text) : text)
  }
  for (const line of commands) {
    const command = line === 'npm install paywindow' ? `npm install ${tarball}` : line
    const { status, stdout, stderr } = spawnSync(command, { cwd: unfinished, encoding: 'utf8', shell: true })
    if (status !== 0) throw new Error(`${command} ended with ${status}:\n${stdout}${stderr}`)
  }
  change?.(unfinished)
  renameSync(unfinished, folder)
}

/**
 * As if a theme brought one version of the script and the shop another. The page notes its errors,
 * because not every driver reads a console.
 */
function addOlderScript(folder: string): void {
  const assets = join(folder, 'node_modules', 'paywindow', 'dist')
  writeFileSync(join(assets, 'older.js'), asOlder(readFileSync(join(assets, 'paywindow.js'), 'utf8')))
  const page = join(folder, 'page.html')
  const text = readFileSync(page, 'utf8')
  const script = '<script src="/assets/paywindow/paywindow.js" defer></script>'
  const noting = '<script>complaints = []; console.error = (...words) => complaints.push(words.join(" "))</script>'
  if (!text.includes(script)) throw new Error(`${page} has no ${script}`)
  writeFileSync(page, text.replace(script, `${noting}${script.replace('paywindow.js', 'older.js')}${script}`))
}

function withTarball(text: string): string {
  const described = JSON.parse(text)
  return JSON.stringify({ ...described, dependencies: { ...described.dependencies, paywindow: `file:${tarball}` } })
}

function hashOf(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex').slice(0, 16)
}
