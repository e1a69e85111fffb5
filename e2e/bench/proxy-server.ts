/** The process under load: the sandbox, the merchant's server in front of it, and a bare pass-through. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSandbox } from '../../src/sandbox/index.ts'
import { createMemoryStore } from '../../src/server/index.ts'
import { createPaywindow, toNodeListener } from '../../src/server/node.ts'

export interface Servers {
  readonly paywindow: number
  readonly passThrough: number
  /** Path of an order's details, for requests to the pass-through. */
  readonly path: string
}

const sandbox = createSandbox()
const service = await open((request) => sandbox.fetch(request))
const { accessToken, subAccountId } = sandbox.access
const paywindow = createPaywindow({
  service: { baseUrl: service.url, accessToken, subAccountId },
  store: createMemoryStore(),
  test: true,
  creationsPerClient: 1_000_000,
  offer: async ({ reference }) => ({
    price: { asset: 'USD', amount: `${1 + Number(reference.slice(5)) / 100}` },
    methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
    merchant: { name: 'Lantern Books' },
  }),
})
const merchant = await open(paywindow.fetch)
const headers = { accept: 'application/json', authorization: `Bearer ${accessToken}`, 'x-sub-account-id': subAccountId }
const passThrough = await open(async (request) => {
  const { pathname, search } = new URL(request.url)
  const answer = await fetch(`${service.url}${pathname}${search}`, { headers })
  return new Response(answer.body, { status: answer.status, headers: { 'content-type': 'application/json' } })
})

await fetch(`${merchant.url}/paywindow/checkouts`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', origin: merchant.url },
  body: JSON.stringify({ reference: 'cart-0' }),
})
const path = `/v1/orders/details/${sandbox.orders()[0]?.id}`
const servers: Servers = { paywindow: merchant.port, passThrough: passThrough.port, path }
process.send?.(servers)
process.on('disconnect', () => process.exit())

async function open(fetch: (request: Request) => Promise<Response>): Promise<{ url: string; port: number }> {
  const server = createServer(toNodeListener({ fetch }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port }
}
