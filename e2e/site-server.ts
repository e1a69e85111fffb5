/** Serves the built documentation on a free port, compressed, as hosts of sites do. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import compression from 'compression'
import { type Connect, preview } from 'vite'
import { root } from '../scripts/paths.ts'

/** Where it is built. */
const sitePath = join(root, 'dist', 'site')

/** Paths of its pages. Not the frame of the playground, which is a part of a page. */
export function sitePages(): readonly string[] {
  const paths = globSync('**/*.html', { cwd: sitePath, exclude: ['frame/**'] }).map((path) =>
    path.replaceAll('\\', '/'),
  )
  if (paths.length < 100) throw new Error(`The documentation has only ${paths.length} pages`)
  return paths.sort()
}

/**
 * The site, with the slash at the end of its address.
 *
 * @param head - HTML with which each page begins, before all that is its own.
 */
export async function serveSite(head = ''): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = await preview({
    root,
    configFile: false,
    logLevel: 'error',
    // A page that is not there must not be answered with the first one.
    appType: 'mpa',
    build: { outDir: sitePath },
    plugins: [
      {
        name: 'compressed',
        configurePreviewServer: ({ middlewares }) => {
          middlewares.use(compression())
          if (head !== '') middlewares.use(beginningWith(head))
        },
      },
    ],
    preview: { host: '127.0.0.1', port: 0, strictPort: false },
  })
  const url = server.resolvedUrls?.local[0]
  if (url === undefined) throw new Error('The documentation is not served')
  return { url, close: () => server.close() }
}

function beginningWith(head: string): Connect.NextHandleFunction {
  return (request, response, next) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = join(sitePath, pathname.replace(/\/$/, '/index.html'))
    if (!file.endsWith('.html') || !existsSync(file)) return next()
    response.setHeader('content-type', 'text/html')
    response.end(readFileSync(file, 'utf8').replace('<head>', `<head>${head}`))
  }
}
