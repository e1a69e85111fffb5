/**
 * What `npm start` runs: the demo shop at http://localhost:4242. Reads PORT, and the three
 * PAYWINDOW_ variables that name a service; without any of those the sandbox plays it.
 * PAYWINDOW_DEMO_HOSTS lists further hosts that it answers to, with commas.
 */
import { createServer } from 'node:http'
import { readServiceEnvironment } from 'paywindow/service'
import { readHosts } from './hosts.ts'
import { listenerOf } from './listener.ts'
import { openShop } from './shop.ts'

const environment = readServiceEnvironment(process.env)
if (environment.kind === 'incomplete') {
  fail(
    `${environment.missing.join(' and ')} must be set${environment.production ? ' in production' : ' too'}: set all three ` +
      `PAYWINDOW_ variables to use the exchange service${environment.production ? '' : ', or none to use the sandbox'}.`,
  )
}
const port = Number(process.env.PORT || 4242)
if (!Number.isInteger(port) || port < 0 || port > 65_535) fail(`PORT=${process.env.PORT} is not a port`)

const shop = openShop(environment, '.paywindow', (line) => console.log(line), `http://localhost:${port}`)
const server = createServer(listenerOf(shop, readHosts(process.env.PAYWINDOW_DEMO_HOSTS)))

server.on('error', (error: NodeJS.ErrnoException) => {
  fail(
    error.code === 'EADDRINUSE' ? `Port ${port} is in use. Choose another: PORT=${port + 1} npm start` : error.message,
  )
})
server.listen(port, '127.0.0.1', () => {
  const address = server.address()
  const actualPort = typeof address === 'object' && address !== null ? address.port : port
  console.log(`Lantern Books is open: http://localhost:${actualPort} (React: http://localhost:${actualPort}/react)`)
  console.log(
    environment.kind === 'sandbox'
      ? 'The sandbox plays the exchange service: no money moves.'
      : `Payments go to the exchange service at ${new URL(environment.baseUrl).host}.`,
  )
})

let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Ctrl-C arrives twice: from the terminal, and from the process that started this one.
  process.on(signal, () => {
    if (!isStopping) void stop()
    isStopping = true
  })
}

/** Completes the requests under way, for five seconds at most, then exits. */
async function stop(): Promise<void> {
  setTimeout(() => process.exit(0), 5000).unref()
  server.close()
  server.closeIdleConnections()
  await shop.close()
  process.exit(0)
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
