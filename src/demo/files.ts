/** The shop's files: what lies in public, the browser files that were built for it, and the script of the package. */
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { file } from './headers.ts'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/** Folders by the beginning of the path they are served under; the first that fits is taken. */
const folders: readonly [prefix: string, folder: URL][] = [
  ['/assets/', new URL('../../dist/demo/', import.meta.url)],
  ['/paywindow.js', new URL('./paywindow.js', import.meta.resolve('paywindow/paywindow.js'))],
  ['/locales/', new URL('./locales/', import.meta.resolve('paywindow/paywindow.js'))],
  ['/', new URL('../../public/', import.meta.url)],
]

/** The file at a path, or null when there is none. */
export async function serveFile(pathname: string): Promise<Response | null> {
  // A path of plain names cannot leave its folder.
  if (!/^(\/[\w-][\w.-]*)+$/.test(pathname)) return null
  const type = types[extname(pathname)]
  const [prefix, folder] = folders.find(([start]) => pathname.startsWith(start)) ?? []
  if (type === undefined || prefix === undefined) return null
  try {
    return file(await readFile(fileURLToPath(new URL(pathname.slice(prefix.length), folder))), type)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR')) return null
    throw error
  }
}
