/** Serves the built documentation on a free port, compressed, as hosts of sites do. */
import compression from 'compression'
import { preview } from 'vite'
import { root } from '../scripts/paths.ts'

/** The site, with the slash at the end of its address. */
export async function serveSite(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = await preview({
    root,
    configFile: false,
    logLevel: 'error',
    // A page that is not there must not be answered with the first one.
    appType: 'mpa',
    build: { outDir: 'dist/site' },
    plugins: [
      {
        name: 'compressed',
        configurePreviewServer: ({ middlewares }) => {
          middlewares.use(compression())
        },
      },
    ],
    preview: { host: '127.0.0.1', port: 0, strictPort: false },
  })
  const url = server.resolvedUrls?.local[0]
  if (url === undefined) throw new Error('The documentation is not served')
  return { url, close: () => server.close() }
}
