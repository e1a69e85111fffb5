/** Two merchant servers on one database, each with a store of its own, sell to many payers. */
import { expect } from 'vitest'
import { type KeyedCheckout, keyHeader } from '../../src/contract/checkout.ts'
import { parseCheckout, parseKeyedCheckout } from '../../src/contract/parsers.ts'
import { createSandbox, seededRandom } from '../../src/sandbox/index.ts'
import type { StatusEvent } from '../../src/server/options.ts'
import { createPaywindow, type PaywindowServer } from '../../src/server/paywindow.ts'
import type { Store } from '../../src/server/store/store.ts'
import { type Clock, systemClock } from '../../src/service/clock.ts'

/** A clock ten times as fast as the machine's: real databases cannot wait in virtual time. */
const startMs = Date.now()
const clock: Clock = {
  now: () => Math.floor(startMs + performance.now() * 10),
  sleep: (ms, signal) => systemClock.sleep(ms / 10, signal),
}

const url = (path: string) => `https://shop.example/paywindow${path}`

/**
 * Asks again where the server says so, as the widget does: time is ten times as fast here, and the
 * databases are not.
 */
async function open(server: PaywindowServer, reference: string): Promise<KeyedCheckout> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ reference })
  const response = await server.fetch(new Request(url('/checkouts'), { method: 'POST', headers, body }))
  if (response.status === 503) {
    await clock.sleep(Number(response.headers.get('retry-after')) * 1_000)
    return open(server, reference)
  }
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return parseKeyedCheckout(await response.json())
}

async function phaseOf(server: PaywindowServer, { id = '', key = '' }: { id?: string; key?: string } = {}) {
  const response = await server.fetch(new Request(url(`/checkouts/${id}`), { headers: { [keyHeader]: key } }))
  return parseCheckout(await response.json()).phase
}

/** On a busy machine. */
const patience = { timeout: 20_000 }

/** Each order must be created once, shown as paid by both, and told once. Takes some seconds. */
export async function sellOnTwoServers(stores: readonly [Store, Store]): Promise<void> {
  const sandbox = createSandbox({ clock, random: seededRandom(1) })
  const errors: unknown[] = []
  const events: StatusEvent[] = []
  const servers = stores.map((store) =>
    createPaywindow({
      service: { ...sandbox.access, clock },
      store,
      test: true,
      clientKey: () => 'the only visitor',
      offer: ({ reference }) => ({
        price: { asset: 'USD', amount: `${reference.length}.90` },
        methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
        merchant: { name: 'Lantern Books' },
      }),
      onStatusChange: async (event) => {
        events.push(event)
        // Long enough for the other server to find the same change waiting.
        await clock.sleep(2_000)
      },
      onError: (error) => errors.push(error),
    }),
  )

  // Each of a cart's two tabs is served by another server.
  const carts = Array.from({ length: 8 }, (_, index) => 'cart'.padEnd(10 + index, '-'))
  const openings = carts.map((cart) => Promise.all(servers.map((server) => open(server, cart))))
  const checkouts = await Promise.all(openings)
  for (const [one, two] of checkouts) expect(two).toMatchObject({ id: one?.id, key: one?.key, address: one?.address })
  const orders = sandbox.orders()
  expect(orders).toHaveLength(carts.length)

  for (const { id, address, sourceAmount } of orders) {
    sandbox.payer.deposit({ address: address ?? '', asset: 'BTC', network: 'bitcoin', amount: sourceAmount })
    sandbox.payer.confirm(id)
  }
  for (const server of servers) server.watch()
  for (const [checkout] of checkouts)
    for (const server of servers) await expect.poll(() => phaseOf(server, checkout), patience).toBe('paid')
  const paid = () => events.filter(({ phase }) => phase === 'paid').map(({ reference }) => reference)
  await expect.poll(() => new Set(paid()).size, patience).toBe(carts.length)

  for (const server of servers) expect(await server.close()).toEqual([])
  expect(paid().sort()).toEqual(carts)
  expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length)
  expect(errors).toEqual([])
}
