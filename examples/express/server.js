import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import express from 'express'
import { toNodeListener } from 'paywindow/server/node'
import { paywindow, signed } from './payments.js'

const page = readFileSync(new URL('./page.html', import.meta.url), 'utf8')

const app = express()
app.use('/paywindow', toNodeListener(paywindow))
// The script, and the folder of its languages beside it.
app.use('/assets/paywindow', express.static(fileURLToPath(new URL('.', import.meta.resolve('paywindow/paywindow.js')))))
app.get('/', (_, res) => res.send(page.replace('{reference}', signed('cart-42'))))

const server = app.listen(process.env.PORT ?? 3000, () => console.log(`http://localhost:${server.address().port}/`))

// Polls of payments come every 5 seconds, which is when Node would close the connection.
server.keepAliveTimeout = 65_000
// When it is told to end: first what is asked, then what is followed. Connections on which payments are polled would stay open.
function end() {
  server.close(() => paywindow.close())
  server.keepAliveTimeout = 1
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, end)
