/** Serves the built gallery on a loopback port. */
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Listening, listen } from '../src/cli/listen.ts'
import { drawCoin } from '../src/server/icons/coins/coin-icons.ts'

const folder = fileURLToPath(new URL('../dist/demo/gallery/', import.meta.url))
const types: Readonly<Record<string, string>> = { '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript' }

/** Serves the built gallery on a free port. */
export function serveGallery(): Promise<Listening> {
  return listen(async (request) => {
    const { pathname } = new URL(request.url)
    const icon = drawCoin(pathname.replace('/paywindow/icons/', ''))
    if (icon) return icon
    const file = pathname === '/' ? 'index.html' : pathname.slice(1)
    if (!/^[\w/-]+\.(css|html|js)$/.test(file)) return new Response(null, { status: 404 })
    return new Response(await readFile(join(folder, file)), { headers: { 'content-type': types[extname(file)] ?? '' } })
  }, 0)
}
