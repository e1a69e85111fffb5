/**
 * What the package consists of, by the names of files in dist. The public entries are those that package.json exports with types:
 * `paywindow/server` is built from src/server/index.ts, `paywindow/server/node` from src/server/node.ts, and `paywindow` itself
 * from src/react/index.ts. tsconfig.json has the same rule under `paths`.
 */
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { root } from './paths.ts'

/** No source: scripts/angular-directive.ts writes it as a whole. */
const written = ['./element/angular']

/**
 * Entries that others import, which therefore have types and an API report: the source of each, relative to the root. Not those that add
 * types to the code of another.
 */
export const typedEntries: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(packageJson.exports).flatMap(([name, target]) =>
    typeof target === 'object' &&
    'types' in target &&
    target.types.default === target.default.replace(/js$/, 'd.ts') &&
    !written.includes(name)
      ? [[basename(target.default, '.js'), sourceOf(name)]]
      : [],
  ),
)

/** React entry: react, react-dom and TanStack Query stay outside. */
export const reactEntries = entriesIn(['react'])

/** Custom element with its own preact. Both are built together, so that they share one class. */
export const elementEntries = entriesIn(['element'])

/** Server side, its metrics, and the tests of stores. Built together, so that an error thrown by one entry is an instance of the class another exports. */
export const serverEntries = entriesIn(['server', 'service', 'sandbox', 'opentelemetry', 'testing'])

/** The command, an executable file beside the entries. */
export const cliEntry = { cli: 'src/cli/main.ts' }

/** The script tag: everything in one file. */
export const scriptEntry = { paywindow: 'src/element/script.ts' }

function sourceOf(name: string): string {
  if (name === '.') return 'src/react/index.ts'
  const folder = join('src', name).replaceAll('\\', '/')
  return existsSync(join(root, folder, 'index.ts')) ? `${folder}/index.ts` : `${folder}.ts`
}

function entriesIn(folders: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(typedEntries).filter(([, source]) => folders.some((folder) => source.startsWith(`src/${folder}/`))),
  )
}
