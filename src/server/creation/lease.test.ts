/** A server asks for an order only while no other server may have taken over. */
import { describe, expect, it } from 'vitest'
import { storeAround } from '../../testing/store-around.testing.ts'
import { mute } from '../following/binding.testing.ts'
import { createTestShop, requestOf, type TestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { Store } from '../store/store.ts'

/** Just less than the limit of a call. */
const slowMs = 28_500

type SlowCall = 'the attempt is written' | 'the servers are read'

/**
 * Two servers on one store, of which one waits for the answer to one call after it has the lease.
 */
function twoServers(call: SlowCall) {
  const base = createTestShop({ sandbox: mute, hasCallback: false })
  const store = createMemoryStore(base.clock.now)
  let isLeased = false
  let isPast = false
  const slowly = async <Value>(isThis: boolean, work: Promise<Value>): Promise<Value> => {
    const value = await work
    if (!isThis || isPast || !isLeased) return value
    isPast = true
    await base.clock.sleep(slowMs)
    return value
  }
  const slow: Store = {
    ...store,
    lease: async (name, holder, forMs) => {
      const isGiven = await store.lease(name, holder, forMs)
      isLeased ||= name.startsWith('create ')
      return isGiven
    },
    read: (key) => slowly(call === 'the servers are read' && key === 'servers', store.read(key)),
    replace: (record, version) =>
      slowly(
        call === 'the attempt is written' && /"outcome":"sent"/.test(record.value),
        store.replace(record, version),
      ),
  }
  return {
    one: createTestShop({ beside: { shop: base, store: slow } }),
    two: createTestShop({ beside: { shop: base, store }, hasCallback: false }),
  }
}

/** Asks as the widget does: again where it is told to. */
async function open({ paywindow, clock }: TestShop): Promise<unknown> {
  for (;;) {
    const response = await paywindow.fetch(requestOf('POST', '/checkouts', { body: { reference: 'cart-42' } }))
    if (response.status === 200) return ((await response.json()) as { readonly address: string }).address
    expect(response.status).toBe(503)
    await clock.sleep(2_000)
  }
}

describe('two servers that are asked for one order', () => {
  it.each<SlowCall>(['the attempt is written', 'the servers are read'])(
    'make one, where one is slow when %s',
    async (call) => {
      const { one, two } = twoServers(call)
      const first = open(one)
      await one.pass(1_000)
      const addresses = await one.run(Promise.all([first, open(two)]))
      expect(one.sandbox.orders()).toHaveLength(1)
      expect(addresses).toEqual([one.sandbox.orders()[0]?.address, one.sandbox.orders()[0]?.address])
    },
  )
})

describe('a store of which each call takes long', () => {
  /** Resolves with whether the payer was shown an address within a minute. */
  async function openOn(callMs: number) {
    const store = storeAround(createMemoryStore(), async (_, call) => {
      const value = await call()
      await shop.clock.sleep(callMs)
      return value
    })
    const shop: TestShop = createTestShop({ store })
    const asked = await shop.send('POST', '/checkouts', { body: { reference: 'cart-42' } })
    return { status: asked.status, shop }
  }

  it.each([1_000, 1_500, 2_000, 2_500])('sells all the same: %i ms', async (callMs) => {
    expect((await openOn(callMs)).status).toBe(200)
  })

  it('sends nothing where the lease is over before that, and tells the merchant why', async () => {
    const { status, shop } = await openOn(5_000)
    await shop.pass(60_000)
    await shop.settle()
    expect([status, shop.creations()]).toEqual([503, 0])
    expect(shop.errors.map(({ message }) => message)).toContainEqual(expect.stringContaining('The store took so long'))
  })
})
