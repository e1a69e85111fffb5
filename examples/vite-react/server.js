// Serves what `vite build` has made, the widget's part of the server, and what the page asks for.
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { toNodeListener } from 'paywindow/server/node'
import sirv from 'sirv'
import { paywindow, signed } from './payments.js'

const pages = sirv(fileURLToPath(new URL('./dist', import.meta.url)), { etag: true, maxAge: 0 })
const payments = toNodeListener(paywindow)
const cart = () => JSON.stringify({ reference: signed('cart-42') })

const server = createServer((req, res) => {
  if (req.url.startsWith('/paywindow/')) return payments(req, res)
  if (req.url === '/cart') return res.writeHead(200, { 'content-type': 'application/json' }).end(cart())
  pages(req, res, () => res.writeHead(404).end())
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
