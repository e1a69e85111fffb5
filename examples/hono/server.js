import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { paywindow } from './payments.js'

const page = readFileSync(new URL('./page.html', import.meta.url), 'utf8')
// The script, and the folder of its languages beside it.
const assets = fileURLToPath(new URL('.', import.meta.resolve('paywindow/paywindow.js')))

const app = new Hono()
app.all('/paywindow/*', (c) => paywindow.fetch(c.req.raw))
app.use('/assets/*', serveStatic({ root: assets, rewriteRequestPath: (path) => path.slice('/assets'.length) }))
app.get('/', (c) => c.html(page))

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) }, ({ port }) =>
  console.log(`http://localhost:${port}/`),
)
