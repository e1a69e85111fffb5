import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { toNodeListener } from 'paywindow/server/node'
import sirv from 'sirv'
import { paywindow, signed } from './payments.js'

const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8')
const layout = read('./layout.html')
const pageOf = (title, name) => ({
  type: 'text/html; charset=utf-8',
  text: layout.replace('{title}', title).replace('{main}', () => read(name)),
})

const shop = {
  '/': pageOf('Your cart', './cart.html'),
  '/orders/42/checkout': pageOf('Pay for order 42', './checkout.html'),
  '/application.js': { type: 'text/javascript', text: read('./application.js') },
}
// The folder of a package's files for the browser.
const filesOf = (name) => sirv(fileURLToPath(new URL('.', import.meta.resolve(name))), { etag: true, maxAge: 0 })
const folders = {
  '/assets/turbo/': filesOf('@hotwired/turbo'),
  '/assets/paywindow/': filesOf('paywindow/element/define'),
}
const payments = toNodeListener(paywindow)

const server = createServer((req, res) => {
  if (req.url.startsWith('/paywindow/')) return payments(req, res)
  // Assets: the widget, and Turbo.
  for (const [folder, files] of Object.entries(folders)) {
    if (!req.url.startsWith(folder)) continue
    req.url = req.url.slice(folder.length - 1)
    return files(req, res, () => res.writeHead(404).end())
  }
  const found = shop[req.url]
  if (!found) return res.writeHead(404).end()
  res.writeHead(200, { 'content-type': found.type }).end(found.text.replace('{reference}', signed('cart-42')))
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
