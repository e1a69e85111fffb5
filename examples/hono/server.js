import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { paywindow, signed } from './payments.js'

const page = readFileSync(new URL('./page.html', import.meta.url), 'utf8')
// The script, and the folder of its languages beside it.
const assets = fileURLToPath(new URL('.', import.meta.resolve('paywindow/paywindow.js')))

const app = new Hono()
app.all('/paywindow/*', (c) => paywindow.fetch(c.req.raw))
app.use(
  '/assets/paywindow/*',
  serveStatic({ root: assets, rewriteRequestPath: (path) => path.slice('/assets/paywindow'.length) }),
)
app.get('/', (c) => c.html(page.replace('{reference}', signed('cart-42'))))

const server = serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) }, ({ port }) =>
  console.log(`http://localhost:${port}/`),
)

// Polls of payments come every 5 seconds, which is when Node would close the connection.
server.keepAliveTimeout = 65_000
// When it is told to end: first what is asked, then what is followed. Connections on which payments are polled would stay open.
function end() {
  server.close(() => paywindow.close())
  server.keepAliveTimeout = 1
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, end)
