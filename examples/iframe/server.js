import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { toNodeListener } from 'paywindow/server/node'
import sirv from 'sirv'
import { paywindow, signed } from './payments.js'

const port = process.env.PORT ?? 3000
// The site of the checkout, and another one that shows it.
const checkout = `http://localhost:${port}`
const other = `http://127.0.0.1:${port}`

const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8')
const pages = {
  '/': {
    text: read('./shop.html').replace('{checkout}', `${checkout}/checkout`),
    policy: `frame-src ${checkout}; frame-ancestors 'none'`,
  },
  '/checkout': {
    text: read('./checkout.html'),
    // Only these may show it. In a frame of another site a signed reference arrives, and a cookie often does not.
    policy: `frame-ancestors 'self' ${other}`,
  },
}
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
  const page = pages[req.url]
  if (!page) return res.writeHead(404).end()
  res.setHeader('content-type', 'text/html; charset=utf-8')
  res.setHeader('content-security-policy', page.policy)
  res.end(page.text.replace('{reference}', signed('cart-42')))
})
server.listen(port, () => console.log(`${checkout}/`))

// Polls of payments come every 5 seconds, which is when Node would close the connection.
server.keepAliveTimeout = 65_000
// When it is told to end: first what is asked, then what is followed. Connections on which payments are polled would stay open.
function end() {
  server.close(() => paywindow.close())
  server.keepAliveTimeout = 1
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, end)
