/**
 * A shop's server with its records in SQLite, and the service behind it: prints what its callback
 * was told.
 */
import { resolve } from 'node:path'
import { createSandbox } from 'paywindow/sandbox'
import { createPaywindow } from 'paywindow/server/node'

const webhookSecret = 'a-secret-of-this-test-alone'
const sandbox = createSandbox({
  webhooks: {
    receivers: [{ url: 'https://shop.example/hooks/', secret: webhookSecret }],
    fetch: (input, init) => paywindow.webhook(new Request(input, init)),
  },
})
const told = []
const paywindow = createPaywindow({
  service: sandbox.access,
  storePath: resolve('shop.sqlite'),
  clientKey: () => 'the only visitor',
  test: true,
  webhookSecret,
  offer: () => ({
    price: { asset: 'USD', amount: '49.90' },
    methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
    merchant: { name: 'Lantern Books' },
  }),
  onStatusChange: async ({ phase, reference }) => {
    told.push(`${reference} ${phase}`)
  },
})
const ask = (path, options) => paywindow.fetch(new Request(`https://shop.example/paywindow${path}`, options))
const headers = { 'content-type': 'application/json' }
const body = JSON.stringify({ reference: 'cart-42', asset: 'BTC', network: 'bitcoin' })
const { id, key, address, amount } = await (await ask('/checkouts', { method: 'POST', headers, body })).json()
await paywindow.settled()
const { order } = sandbox.payer.deposit({ address, amount })
sandbox.payer.confirm(order.id)
await sandbox.webhooks.settled()
await paywindow.settled()
const { status } = await (await ask(`/checkouts/${id}`, { headers: { 'paywindow-key': key } })).json()
await paywindow.close()
console.log(`${status}, told: ${told.join(', ')}`)
