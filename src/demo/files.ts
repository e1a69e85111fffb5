/**
 * The shop's files: those in the folder public, the browser files that were built for it, and the
 * script of the package.
 */
import { realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import send from '@fastify/send'
import { file } from './headers.ts'

/** A folder, or one file of it, and the path that it is served under. */
export interface Place {
  /** Ends with a slash where all of a folder is served. */
  readonly path: string
  readonly folder: string
}

const at = (path: string, relative: string, base = import.meta.url): Place => ({
  path,
  folder: fileURLToPath(new URL(relative, base)),
})
const built = import.meta.resolve('paywindow/paywindow.js')

/** The first one that matches a path is used. */
const places: readonly Place[] = [
  at('/assets/production/', '../../dist/demo/production/'),
  at('/assets/development/', '../../dist/demo/development/'),
  at('/locales/', './locales/', built),
  at('/paywindow.js', './', built),
  at('/paywindow-later.js', './', built),
  at('/paywindow-developer.js', './', built),
  at('/paywindow-wallet.js', './', built),
  at('/', '../../public/'),
]

/**
 * The file at the path of a URL, or null if there is none. Never serves a file outside the folder,
 * even through a link.
 */
export async function serveFile(pathname: string, from: readonly Place[] = places): Promise<Response | null> {
  const place = from.find(({ path }) => (path.endsWith('/') ? pathname.startsWith(path) : pathname === path))
  if (place === undefined) return null
  const { path, folder } = place
  const inside = path.endsWith('/') ? pathname.slice(path.length - 1) : pathname
  try {
    const found = await send(asked(), inside, {
      root: folder,
      index: false,
      onFile: (real) => checkInside(real, folder),
    })
    const content = await buffer(found.stream)
    return found.type === 'file' ? file(content, found.headers['Content-Type'] ?? '') : null
  } catch (error) {
    if (error instanceof Outside || (error instanceof Error && 'code' in error && error.code === 'ENOENT')) return null
    throw error
  }
}

/**
 * A request for `send`, which reads only its method and headers. Without headers, every file is
 * sent whole.
 */
function asked(): Readable {
  return Object.assign(Readable.from([]), { method: 'GET', headers: {} })
}

class Outside extends Error {}

async function checkInside(path: string, folder: string): Promise<void> {
  const [real, root] = await Promise.all([realpath(path), realpath(folder)])
  if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) throw new Outside()
}
