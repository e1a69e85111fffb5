import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { toNodeListener } from 'paywindow/server/node'
import sirv from 'sirv'
import { paywindow, signed } from './payments.js'

const page = readFileSync(new URL('./checkout.html', import.meta.url), 'utf8')
// The script, and the folder of its languages beside it.
const assets = sirv(fileURLToPath(new URL('.', import.meta.resolve('paywindow/paywindow.js'))), {
  etag: true,
  maxAge: 0,
})
const payments = toNodeListener(paywindow)

const policyOf = (nonce) =>
  [
    "default-src 'none'",
    // The files that the script loads have its nonce by themselves. With an import map: the map needs the nonce, too.
    `script-src 'nonce-${nonce}'`,
    // The page's own styles. The widget needs none: it adopts style sheets.
    `style-src 'nonce-${nonce}'`,
    // Icons of coins come from the endpoint.
    "img-src 'self' data:",
    // The endpoint, and the file of the payer's language beside the script, if it is not English.
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

const server = createServer((req, res) => {
  if (req.url.startsWith('/paywindow/')) return payments(req, res)
  if (req.url.startsWith('/assets/paywindow/')) {
    req.url = req.url.slice('/assets/paywindow'.length)
    return assets(req, res, () => res.writeHead(404).end())
  }
  if (req.url !== '/') return res.writeHead(404).end()
  const nonce = randomBytes(16).toString('base64')
  res.setHeader('content-type', 'text/html; charset=utf-8')
  res.setHeader('content-security-policy', policyOf(nonce))
  res.end(page.replaceAll('{nonce}', nonce).replace('{reference}', signed('cart-42')))
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
