/** Builds the pages of the bench in dist/bench, each a page with nothing but its panel. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { root } from '../../scripts/paths.ts'
import { type Target, targets } from './targets.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
export const sites = join(root, 'dist', 'bench')

/** Like the light build of a shop that aliases React. */
const preact = [
  { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react(-dom)?$/, replacement: 'preact/compat' },
]

/** Installs the peers where they are not, and builds every page. */
export async function buildSites(): Promise<void> {
  const peers = join(here, 'peers')
  if (!existsSync(join(peers, 'node_modules'))) run('npm', ['ci', '--ignore-scripts'], peers)
  mkdirSync(sites, { recursive: true })
  writeFileSync(join(sites, 'blank.html'), '<!doctype html><title>Blank</title>')
  for (const target of targets) {
    console.log(`Building ${target.folder} …`)
    const folder = join(sites, target.folder)
    mkdirSync(folder, { recursive: true })
    if (target.entry === undefined) copyFileSync(join(root, 'dist', 'paywindow.js'), join(folder, 'paywindow.js'))
    else await bundle(target.entry, folder, target.light === true)
    writeFileSync(join(folder, 'index.html'), pageOf(target, readdirSync(folder)))
  }
}

function bundle(entry: string, outDir: string, light: boolean): Promise<unknown> {
  return build({
    root: here,
    configFile: false,
    logLevel: 'warn',
    resolve: { alias: light ? preact : [] },
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

/** What a merchant writes. The bare panels have their few styles in the page. */
function pageOf({ entry }: Target, files: readonly string[]): string {
  const body =
    entry === undefined
      ? '<pay-window endpoint="/paywindow" reference="order-1042"></pay-window>'
      : '<div id="root"></div>'
  const script =
    entry === undefined ? '<script src="paywindow.js" defer></script>' : '<script type="module" src="app.js"></script>'
  const isBare = entry?.startsWith('pages/') === true && entry !== 'pages/react.tsx'
  if (isBare) copyFileSync(join(here, 'pages', 'panel.css'), join(sites, 'panel.css'))
  const styles = isBare
    ? '<link rel="stylesheet" href="/panel.css">'
    : files.includes('app.css')
      ? '<link rel="stylesheet" href="app.css">'
      : ''
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Pay</title>${styles}${script}</head><body>${body}</body></html>`
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`)
}
