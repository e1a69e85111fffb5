/**
 * Finds the browsers of the tests, and installs missing ones. Chromium is installed with apt as
 * root, or else by Playwright; CHROMIUM_PATH names another. Firefox and WebKitGTK are installed
 * with apt only; FIREFOX_PATH names another Firefox. Run as a script, it also installs the fonts of
 * the tests, and with `--all-fonts` those of the layout tests.
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, globSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright'
import { ensureFonts, fontSets } from './fonts.ts'
import { root } from './paths.ts'

/** Preferred: in Chromium 156 an internal page uses the processor for a second beside every tab. */
const shell = 'chromium-headless-shell'
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge']
const places = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
  'C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe',
]

const firefoxPlaces = [
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:/Program Files/Mozilla Firefox/firefox.exe',
]

/**
 * Path of a Chromium that starts, or undefined.
 *
 * @throws Error when CHROMIUM_PATH is set and names none.
 */
export function findChromium(): string | undefined {
  return chosenBy('CHROMIUM_PATH') ?? firstThatStarts(chromium.executablePath(), ...names.map(onPath), ...places)
}

/**
 * Path of a Firefox that starts, or undefined.
 *
 * @throws Error when FIREFOX_PATH is set and names none.
 */
export function findFirefox(): string | undefined {
  return chosenBy('FIREFOX_PATH') ?? firstThatStarts(onPath('firefox-esr'), onPath('firefox'), ...firefoxPlaces)
}

/** Path of a Chromium, installed if there is none. @throws Error when that fails. */
export function ensureChromium(): string {
  const found = findChromium() ?? installChromium()
  if (found === undefined) {
    throw new Error('No Chromium found, and none could be installed. Install one, or set CHROMIUM_PATH to where it is.')
  }
  return found
}

/** Path of a Firefox, installed if there is none; undefined when that fails. */
export function ensureFirefox(): string | undefined {
  return findFirefox() ?? (install('Firefox', 'firefox-esr') ? findFirefox() : undefined)
}

/** Paths of the programs that run WebKitGTK. */
export interface WebKitPaths {
  readonly driver: string
  readonly browser: string
  readonly screen: string
}

/** Paths of WebKitGTK, installed if there is none; undefined when that fails. */
export function ensureWebKit(): WebKitPaths | undefined {
  return findWebKit() ?? (install('WebKitGTK', 'webkit2gtk-driver', 'xvfb') ? findWebKit() : undefined)
}

/** Paths of WebKitGTK, or undefined. */
export function findWebKit(): WebKitPaths | undefined {
  const [driver, screen] = ['WebKitWebDriver', 'Xvfb'].map(onPath)
  const [browser] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')
  return driver && screen && browser ? { driver, browser, screen } : undefined
}

/** Installs packages with apt. Returns whether that succeeded. */
function install(name: string, ...packages: readonly string[]): boolean {
  if (process.getuid?.() !== 0 || !onPath('apt-get')) return false
  console.log(`No ${name} found: installing it with apt (some 250 to 400 MB) …`)
  // An old list of packages has an old browser, which some tests do not expect.
  run('apt-get', ['update'])
  return run('apt-get', ['install', '-y', '--no-install-recommends', ...packages])
}

function installChromium(): string | undefined {
  // Not every release has the shell.
  const found = install('Chromium', shell) || install('Chromium', 'chromium') ? findChromium() : undefined
  if (found) return found
  console.log('No Chromium found: installing the one of Playwright (about 150 MB) …')
  run(process.execPath, [join(root, 'node_modules', '@playwright', 'test', 'cli.js'), 'install', 'chromium'])
  return findChromium()
}

function run(file: string, args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(file, args, { stdio: 'inherit', env }).status === 0
}

function chosenBy(variable: string): string | undefined {
  const chosen = process.env[variable]
  if (chosen && !isExecutable(chosen)) throw new Error(`${variable}=${chosen} is not an executable file`)
  return chosen || undefined
}

function firstThatStarts(...paths: (string | undefined)[]): string | undefined {
  return paths.find((path) => path !== undefined && starts(path))
}

function starts(path: string): boolean {
  // The wrappers of snap start, but cannot be driven.
  if (!isExecutable(path) || realpathSync(path).includes('/snap')) return false
  if (process.platform !== 'linux') return true
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 })
  return status === 0 && /\d+\.\d+/.test(stdout)
}

function onPath(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

if (process.argv[1] === import.meta.filename) {
  try {
    console.log(`Chromium: ${ensureChromium()}`)
    // The other sets are for the layout tests, which npm test leaves out.
    const sets = process.argv.includes('--all-fonts') ? fontSets : fontSets.slice(0, 1)
    ensureFonts(sets)
    console.log(`Fonts: ${sets.map(({ name }) => name).join(', ') || "this machine's own, as everywhere but on Linux"}`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
