/**
 * What draws pages, for servers in plain Node, which reads neither JSX nor styles. It is built from
 * the present source when a command begins.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { root } from '../../scripts/paths.ts'

/**
 * The argument with which Node takes `#page` from where it is built: see `imports` in package.json.
 */
export const asBuilt = '--conditions=built'

const dist = join(root, 'dist')
const file = 'paywindow-page.js'

/** Loads it as servers will with their first page, so that they need not wait for the disk. */
export async function loadPage(): Promise<void> {
  await import(pathToFileURL(join(dist, file)).href)
}

/** Builds it, in a second or two. Other commands may load the file that is there meanwhile. */
export async function buildPage(): Promise<void> {
  mkdirSync(dist, { recursive: true })
  const folder = mkdtempSync(join(dist, 'page-'))
  try {
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
    // Tests set it, and a build goes by it.
    const { NODE_ENV: _, ...env } = process.env
    await promisify(execFile)(process.execPath, [vite, 'build', '--mode', 'page', '--outDir', folder], {
      cwd: root,
      env,
    })
    renameSync(join(folder, file), join(dist, file))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
