// Node's own server: `toNodeListener` answers what belongs to the widget.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { toNodeListener } from 'paywindow/server/node'
import sirv from 'sirv'
import { paywindow, signed } from './payments.js'

const page = readFileSync(new URL('./page.html', import.meta.url), 'utf8')
// The script, and the folder of its languages beside it.
const assets = sirv(fileURLToPath(new URL('.', import.meta.resolve('paywindow/paywindow.js'))), {
  etag: true,
  maxAge: 0,
})
const payments = toNodeListener(paywindow)

const server = createServer((req, res) => {
  if (req.url.startsWith('/paywindow/')) return payments(req, res)
  if (req.url.startsWith('/assets/paywindow/')) {
    req.url = req.url.slice('/assets/paywindow'.length)
    return assets(req, res, () => res.writeHead(404).end())
  }
  if (req.url !== '/') return res.writeHead(404).end()
  res.writeHead(200, { 'content-type': 'text/html' }).end(page.replace('{reference}', signed('cart-42')))
})
server.listen(process.env.PORT ?? 3000, () => console.log(`http://localhost:${server.address().port}/`))

// Polls of payments come every 5 seconds, which is when Node would close the connection.
server.keepAliveTimeout = 65_000
// When it is told to end: first what is asked, then what is followed. Connections on which payments are polled would stay open.
function end() {
  server.close(() => paywindow.close())
  server.keepAliveTimeout = 1
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, end)
