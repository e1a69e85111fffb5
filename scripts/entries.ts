/**
 * The entries of the package, by the names of their files in dist. Public entries are those that
 * package.json exports with types: `paywindow/server` is built from src/server/index.ts,
 * `paywindow/server/node` from src/server/node.ts, and `paywindow` from src/react/index.ts.
 * tsconfig.json has the same rule under `paths`.
 */
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { root } from './paths.ts'

/** Without a source: scripts/angular-directive.ts writes it. */
const written = ['./element/angular']

/**
 * The sources of entries with types of their own and an API report, relative to the root. Entries
 * that only add types to another entry's code are left out.
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

/** The React entry. Its bundle leaves out react, react-dom and TanStack Query. */
export const reactEntries = entriesIn(['react'])

/** The entries of the custom element, built together so that they share one class. */
export const elementEntries = entriesIn(['element'])

/** The server's entries, built together so that they share classes of errors. */
export const serverEntries = entriesIn(['server', 'service', 'sandbox', 'opentelemetry', 'testing'])

/** The command: an executable file. */
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
