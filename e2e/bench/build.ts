/** Builds the panels of the benchmark in dist/bench, and inserts each into its page. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { root } from '../../scripts/paths.ts'
import { type Target, targets } from './targets.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
/** Where the built pages are. */
export const sites = join(root, 'dist', 'bench')

/** The package: e2e is a package of its own, so that its name is that of no parent. */
const own = [
  { find: /^paywindow$/, replacement: join(root, 'dist', 'index.js') },
  { find: /^paywindow\/styles.css$/, replacement: join(root, 'dist', 'styles.css') },
]

/** Aliases for a light build, as in a shop with Preact in place of React. */
const preact = [
  { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react(-dom)?$/, replacement: 'preact/compat' },
]

/** Installs the peers if they are missing, and builds every panel. */
export async function buildSites(): Promise<void> {
  const peers = join(here, 'peers')
  if (!existsSync(join(peers, 'node_modules'))) run('npm', ['ci', '--ignore-scripts'], peers)
  mkdirSync(sites, { recursive: true })
  writeFileSync(join(sites, 'blank.html'), '<!doctype html><title>Blank</title>')
  copyFileSync(join(here, 'pages', 'panel.css'), join(sites, 'panel.css'))
  for (const { page, folder, panel } of targets) {
    // Every panel in the shop's page also has a page of its own, so it is built for that one.
    if (page === 'shop' || typeof panel === 'string') continue
    console.log(`Building ${folder} …`)
    await bundle(panel.entry, join(sites, folder), panel.light === true)
  }
}

function bundle(entry: string, outDir: string, light: boolean): Promise<unknown> {
  return build({
    root: here,
    configFile: false,
    logLevel: 'warn',
    resolve: { alias: [...own, ...(light ? preact : [])] },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      target: 'es2022',
      outDir,
      emptyOutDir: true,
      modulePreload: false,
      rolldownOptions: {
        input: join(here, entry),
        output: { entryFileNames: 'app.js', assetFileNames: 'app[extname]', minify: true },
        checks: { moduleLevelDirective: false },
      },
    },
  })
}

/**
 * Replaces the widget in a page by a target's panel, and the widget's script by the panel's.
 *
 * @param page - HTML as a merchant writes it.
 */
export function withPanel(page: string, { folder, panel }: Target): string {
  if (panel === 'own' || panel === 'drawn') return page
  const parts: string[] = []
  if (panel !== 'none') {
    if (panel.bare) parts.push('<link rel="stylesheet" href="/panel.css">')
    else if (existsSync(join(sites, folder, 'app.css'))) parts.push(`<link rel="stylesheet" href="/${folder}/app.css">`)
    parts.push(`<script type="module" src="/${folder}/app.js"></script>`)
  }
  const changed = replace(page, /<script src="\/paywindow\.js" defer><\/script>/, parts.join(''))
  return replace(
    changed,
    /<pay-window .*<\/pay-window>/,
    panel === 'none' ? '<p>No panel</p>' : '<div id="root"></div>',
  )
}

function replace(text: string, pattern: RegExp, by: string): string {
  if (!pattern.test(text)) throw new Error(`The page lacks ${pattern}`)
  return text.replace(pattern, by)
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`)
}
