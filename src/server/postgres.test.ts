/** Two merchant servers on one Postgres, each with connections of its own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keyHeader } from '../contract/checkout.ts'
import { parseCheckout, parseKeyedCheckout } from '../contract/parsers.ts'
import { createSandbox, seededRandom } from '../sandbox/index.ts'
import { type Clock, systemClock } from '../service/clock.ts'
import type { StatusEvent } from './options.ts'
import { createPaywindow, type PaywindowServer } from './paywindow.ts'
import { noPostgres } from './store/postgres-programs.testing.ts'
import { startPostgres, storeOn, type TestPostgres } from './store/postgres-server.testing.ts'

/** A clock that runs twenty times as fast as the machine's: the database and its connections are real, and cannot wait in virtual time. */
const startMs = Date.now()
const clock: Clock = {
  now: () => Math.floor(startMs + performance.now() * 20),
  sleep: (ms, signal) => systemClock.sleep(ms / 20, signal),
}

let postgres: TestPostgres
beforeAll(async () => {
  if (noPostgres === undefined) postgres = await startPostgres()
}, 60_000)
afterAll(() => postgres?.stop(), 60_000)

const url = (path: string) => `https://shop.example/paywindow${path}`

async function open(server: PaywindowServer, reference: string) {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ reference })
  const response = await server.fetch(new Request(url('/checkouts'), { method: 'POST', headers, body }))
  return parseKeyedCheckout(await response.json())
}

async function poll(server: PaywindowServer, { id, key }: { id: string; key: string }) {
  const response = await server.fetch(new Request(url(`/checkouts/${id}`), { headers: { [keyHeader]: key } }))
  return parseCheckout(await response.json())
}

describe.skipIf(noPostgres !== undefined)('two servers on one Postgres', () => {
  it('create an order once, both show it paid, and tell each change once', async () => {
    const sandbox = createSandbox({ clock, random: seededRandom(1) })
    const errors: unknown[] = []
    const events: StatusEvent[] = []
    const servers = [1, 2].map(() =>
      createPaywindow({
        service: { ...sandbox.access, clock },
        store: storeOn(postgres.openPool()),
        test: true,
        offer: () => ({
          price: { asset: 'USD', amount: '49.90' },
          methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
          merchant: { name: 'Lantern Books' },
        }),
        onStatusChange: (event) => void events.push(event),
        onError: (error) => errors.push(error),
      }),
    )
    for (const server of servers) server.watch()

    // Each of two tabs is served by another server.
    const [checkout, same] = await Promise.all(servers.map((server) => open(server, 'cart-42')))
    if (!checkout) throw new Error('there is no checkout')
    expect(same).toMatchObject({ id: checkout.id, key: checkout.key, address: checkout.address })
    expect(sandbox.orders()).toHaveLength(1)

    const [order] = sandbox.orders()
    sandbox.payer.deposit({ address: checkout.address, asset: 'BTC', network: 'bitcoin', amount: checkout.amount })
    sandbox.payer.confirm(order?.id ?? '')
    for (const server of servers)
      await expect.poll(async () => (await poll(server, checkout)).phase, { timeout: 20_000 }).toBe('paid')
    await expect.poll(() => events.some(({ phase }) => phase === 'paid'), { timeout: 20_000 }).toBe(true)

    for (const server of servers) expect(await server.close()).toEqual([])
    expect(events.filter(({ phase }) => phase === 'paid')).toHaveLength(1)
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length)
    expect(errors).toEqual([])
  }, 60_000)
})
