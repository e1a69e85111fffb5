/**
 * Font sets of browser tests: a browser with a set's fontconfig finds no other fonts. All tests run
 * under the first set, layout tests under each. Missing fonts are taken from Debian's packages into
 * the cache, where only the tests find them. Only Linux has fontconfig.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { cache } from './paths.ts'

/** A set of fonts. */
export interface FontSet {
  readonly name: string
  /** The font of `system-ui` and `sans-serif`. */
  readonly sans: string
  /** The font of `monospace`. */
  readonly mono: string
  /** Files of the regular faces. The bold faces are in the same folders. */
  readonly files: readonly string[]
  /** Debian's packages with these files, in some release. */
  readonly packages: readonly string[]
}

const sets: readonly FontSet[] = [
  {
    name: 'DejaVu',
    sans: 'DejaVu Sans',
    mono: 'DejaVu Sans Mono',
    files: ['DejaVuSans.ttf', 'DejaVuSansMono.ttf'],
    packages: ['fonts-dejavu-core', 'fonts-dejavu-mono'],
  },
  {
    name: 'Liberation',
    sans: 'Liberation Sans',
    mono: 'Liberation Mono',
    files: ['LiberationSans-Regular.ttf', 'LiberationMono-Regular.ttf'],
    packages: ['fonts-liberation'],
  },
  {
    name: 'Noto',
    sans: 'Noto Sans',
    mono: 'Noto Sans Mono',
    files: ['NotoSans-Regular.ttf', 'NotoSansMono-Regular.ttf'],
    packages: ['fonts-noto-core', 'fonts-noto-mono'],
  },
]

const own = join(cache, 'fonts')
const places = [
  own,
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  join(homedir(), '.local/share/fonts'),
  join(homedir(), '.fonts'),
]

/** The sets of this system: all on Linux, else none. */
export const fontSets: readonly FontSet[] = process.platform === 'linux' ? sets : []

/** Installs missing fonts. @throws Error that says which fonts are missing, and what to do. */
export function ensureFonts(wanted: readonly FontSet[]): void {
  const packages = new Set(wanted.filter((set) => foldersOf(set) === null).flatMap((set) => set.packages))
  if (packages.size > 0) takeFrom([...packages])
  for (const set of wanted) fontconfigOf(set)
}

/** The environment of a browser that uses a set. @throws Error when fonts are missing. */
export function drawnWith(set: FontSet | undefined): NodeJS.ProcessEnv {
  return set === undefined ? process.env : { ...process.env, FONTCONFIG_FILE: fontconfigOf(set) }
}

/** Writes a set's fontconfig and returns its path. @throws Error when fonts are missing. */
function fontconfigOf(set: FontSet): string {
  const { name, sans, mono, files, packages } = set
  const folders = foldersOf(set)
  if (folders === null) {
    throw new Error(
      `Fonts are missing that browser tests run under: ${files.join(', ')}. npm run e2e takes them from Debian's ` +
        `packages (${packages.join(', ')}) where it finds apt-get; elsewhere, install them or put them into ${places[3]}.`,
    )
  }
  const stands = (generic: string, family: string) =>
    `<match><test name="family"><string>${generic}</string></test>` +
    `<edit name="family" mode="prepend" binding="strong"><string>${family}</string></edit></match>`
  const folder = join(own, name)
  const file = join(folder, 'fonts.conf')
  const text = [
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>',
    ...folders.map((path) => `<dir>${path}</dir>`),
    `<cachedir>${join(folder, 'cache')}</cachedir>`,
    ...['sans-serif', 'sans', 'system-ui', 'serif'].map((generic) => stands(generic, sans)),
    stands('monospace', mono),
    `<match><edit name="family" mode="append_last"><string>${sans}</string></edit></match>`,
    '</fontconfig>\n',
  ].join('\n')
  mkdirSync(folder, { recursive: true })
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
  return file
}

/** The folders of a set's files; null when a file is missing. */
function foldersOf({ files }: FontSet): readonly string[] | null {
  const found = files.map((file) => places.flatMap((place) => globSync(join(place, '**', file)))[0])
  return found.includes(undefined) ? null : [...new Set(found.map((path = '') => dirname(path)))]
}

/** Unpacks packages into the cache, as far as this release of Debian has them. */
function takeFrom(packages: readonly string[]): void {
  console.log(`Fonts are missing: taking them from ${packages.join(', ')} …`)
  mkdirSync(own, { recursive: true })
  if (process.getuid?.() === 0) run('apt-get', ['update'])
  for (const name of packages) run('apt-get', ['download', name])
  for (const file of readdirSync(own)) {
    if (packages.includes(basename(file).split('_')[0] ?? '')) run('dpkg-deb', ['--extract', file, '.'])
  }
}

function run(file: string, args: readonly string[]): void {
  const { error, stderr, status } = spawnSync(file, args, { cwd: own, encoding: 'utf8' })
  if (error || status !== 0) console.log(`${file} ${args.join(' ')}: ${(error?.message ?? stderr).trim()}`)
}
