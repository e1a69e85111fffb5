/** Servers with one store and different clocks, and answers that arrive out of order. */
import { describe, expect, it } from 'vitest'
import { type KeyedCheckout, keyHeader } from '../../contract/checkout.ts'
import type { PaywindowErrorCode } from '../../contract/errors.ts'
import { parseCheckout, parseKeyedCheckout } from '../../contract/parsers.ts'
import { createSandbox, type FaultHook, type SandboxOptions, seededRandom } from '../../sandbox/index.ts'
import { createVirtualClock } from '../../service/virtual-clock.testing.ts'
import { createPaywindow } from '../paywindow.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { Store } from '../store/store.ts'
import { mute } from './binding.testing.ts'

/** Prices of carts other than 49.90. */
const prices: Readonly<Record<string, string>> = { dear: '310.00' }

/** One service and one store, and as many servers as a test wants, each with its own wall clock. */
function world(options: SandboxOptions = {}) {
  const clock = createVirtualClock()
  const startMs = clock.now()
  const sandbox = createSandbox({ clock, random: seededRandom(1), ...options })
  const store = createMemoryStore(clock.now)
  const told: string[] = []
  const errors: PaywindowErrorCode[] = []

  function server(offset = { ms: 0 }, seen: (store: Store) => Store = (same) => same) {
    const paywindow = createPaywindow({
      service: { ...sandbox.access },
      clock: { now: () => clock.now() + offset.ms, monotonic: () => clock.now() - startMs, sleep: clock.sleep },
      store: seen(store),
      test: true,
      clientKey: () => '203.0.113.7',
      offer: ({ reference }) => ({
        price: { asset: 'USD', amount: prices[reference] ?? '49.90' },
        methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
        merchant: { name: 'Lantern Books' },
      }),
      onError: ({ code }) => {
        errors.push(code)
      },
      onStatusChange: ({ checkout, status }) => {
        told.push(`${checkout.reference} ${status}`)
      },
    })
    const post = async (path: string, body: unknown, key = '') => {
      const headers = { 'content-type': 'application/json', [keyHeader]: key }
      const url = `https://shop.example/paywindow${path}`
      const answer = await paywindow.fetch(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }))
      return parseKeyedCheckout(await answer.json())
    }
    return {
      paywindow,
      open: (reference = 'a') => post('/checkouts', { reference }),
      renew: ({ id, key }: KeyedCheckout) => post(`/checkouts/${id}/renew`, {}, key),
      poll: async ({ id, key }: KeyedCheckout) => {
        const url = `https://shop.example/paywindow/checkouts/${id}`
        return parseCheckout(await (await paywindow.fetch(new Request(url, { headers: { [keyHeader]: key } }))).json())
      },
    }
  }

  const own = ({ address }: KeyedCheckout) => {
    const order = sandbox.orders().find((candidate) => candidate.address === address)
    if (!order) throw new Error('The payer was shown an address that no order has')
    return order
  }
  const pay = (checkout: KeyedCheckout) => {
    const order = own(checkout)
    sandbox.payer.deposit({ address: checkout.address, amount: order.sourceAmount })
    sandbox.payer.confirm(order.id)
  }
  return { sandbox, told, errors, server, own, pay, run: clock.run, pass: (ms: number) => clock.run(clock.sleep(ms)) }
}

describe('an answer that was written before the deposit and arrives after it', () => {
  it('reverts nothing: not the status, not the cart, not what the merchant was notified of', async () => {
    const { sandbox, told, server, pay, run, pass } = world()
    const [one, two] = [server(), server()]
    const checkout = await run(one.open())
    await run(one.paywindow.settled())
    await pass(10_000)
    let isSlow = true
    sandbox.faults = ({ url }) => {
      if (!isSlow || !url.includes('details')) return undefined
      isSlow = false
      return { kind: 'latency', afterMs: 9_000 }
    }
    const late = one.poll(checkout)
    // Until its turn to ask is over.
    await pass(3_000)
    pay(checkout)
    expect((await run(two.poll(checkout))).status).toBe('confirmed')
    await pass(10_000)
    await run(late)
    expect((await one.paywindow.checkouts.get(checkout.id))?.status).toBe('confirmed')
    expect(told).toEqual(['a confirmed'])
  })
})

describe('a server that stood still for six minutes before it stored an answer', () => {
  it('reverts nothing', async () => {
    const { sandbox, told, server, own, run, pass } = world()
    let goOn = () => {}
    let standing = Promise.resolve()
    const standsStill = (store: Store): Store => ({
      ...store,
      replace: (record, version) => standing.then(() => store.replace(record, version)),
    })
    const [one, two] = [server({ ms: 0 }, standsStill), server()]
    const checkout = await run(one.open())
    await run(one.paywindow.settled())
    await pass(70_000)
    await run(one.poll(checkout))
    await pass(10_000)

    const { id, sourceAmount } = own(checkout)
    sandbox.payer.deposit({ address: checkout.address, amount: sourceAmount })
    standing = new Promise((resolve) => {
      goOn = resolve
    })
    const late = one.poll(checkout)
    await pass(5.5 * 60_000)
    sandbox.payer.confirm(id)
    expect((await run(two.poll(checkout))).status).toBe('confirmed')
    await run(two.paywindow.settled())
    await pass(30_000)
    goOn()
    await run(late)
    await run(one.paywindow.settled())
    expect((await two.paywindow.checkouts.get(checkout.id))?.status).toBe('confirmed')
    expect(told).toEqual(['a confirmed'])
  })
})

describe('servers whose clocks differ', () => {
  it('show a quote until the same moment, 20 minutes after its request', async () => {
    const { server, run, pass } = world()
    const [ahead, right, behind] = [server({ ms: 600_000 }), server(), server({ ms: -600_000 })]
    const checkout = await run(ahead.open())
    await pass(60_000)
    for (const each of [ahead, right, behind]) {
      const { expiresInMs } = await run(each.poll(checkout))
      expect(expiresInMs).toBeLessThanOrEqual(1_140_000)
      expect(expiresInMs).toBeGreaterThan(1_135_000)
    }
    await pass(1_140_000)
    for (const each of [ahead, right, behind])
      expect((await run(each.poll(checkout))).expiresInMs).toBeLessThanOrEqual(0)
  })

  it('never have a checkout that is payable at the same time as its successor', async () => {
    const { server, run, pass } = world()
    const offset = { ms: 0 }
    const [one, right] = [server(offset), server()]
    const checkout = await run(right.open())
    await pass(10_000)
    offset.ms = 7_200_000
    const successor = await run(one.renew(checkout))
    expect(successor.id).not.toBe(checkout.id)
    expect((await run(right.poll(checkout))).expiresInMs).toBeLessThanOrEqual(0)
  })

  it('create one order for a cart, also when a lease seems to have run out', async () => {
    const { sandbox, server, run, pass } = world()
    const [one, ahead] = [server(), server({ ms: 30_000 })]
    sandbox.faults = ({ method }) => (method === 'POST' ? { kind: 'latency', afterMs: 2_000 } : undefined)
    const first = one.open()
    await pass(500)
    const second = ahead.open()
    const [a, b] = await run(Promise.all([first, second]))
    expect(a.id).toBe(b.id)
    expect(sandbox.orders()).toHaveLength(1)
  })

  it('give a full quote after a clock jumped ahead and back', async () => {
    const { server, run, pass } = world()
    const offset = { ms: 0 }
    const one = server(offset)
    offset.ms = 7_200_000
    await run(one.open('a'))
    offset.ms = 0
    await pass(60_000)
    expect((await run(one.open('b'))).expiresInMs).toBe(1_200_000)
  })
})

describe('equal checkouts of two servers', () => {
  it("do not bind each other's orders when one creation was lost", async () => {
    const { sandbox, server, own, run, pass } = world({ dateTime: null })
    const [one, two] = [server(), server()]
    let isLost = false
    sandbox.faults = ({ method }) => {
      if (method === 'GET') return { kind: 'status', status: 503 }
      if (isLost) return undefined
      isLost = true
      return { kind: 'hang' }
    }
    const opening = one.open('b')
    await pass(2_000)
    const a = await run(two.open('a'))
    const b = await run(opening)
    sandbox.faults = undefined
    await pass(15_000)
    await run(one.poll(b))
    await run(two.poll(a))
    expect((await two.paywindow.checkouts.get(a.id))?.order ?? null).toBeOneOf([
      null,
      expect.objectContaining({ id: own(a).id }),
    ])
    expect(await run(two.paywindow.bind(a.id, own(a).id))).toMatchObject({
      order: { id: own(a).id, evidence: 'merchant' },
    })
  })

  it('are all reported as paid when all of their orders are', async () => {
    const { sandbox, told, server, own, pay, run, pass } = world({ dateTime: null })
    const [one, two] = [server(), server()]
    sandbox.faults = ({ method }) => (method === 'GET' ? { kind: 'status', status: 500 } : undefined)
    const a = await run(one.open('a'))
    await pass(2_500)
    const b = await run(two.open('b'))
    sandbox.faults = undefined
    for (const checkout of [a, b]) pay(checkout)
    for (let minutes = 0; minutes < 20; minutes++) {
      await pass(60_000)
      await run(one.paywindow.watchOnce())
    }
    expect(told.sort()).toEqual(['a confirmed', 'b confirmed'])
    expect((await one.paywindow.checkouts.get(a.id))?.order?.id).toBe(own(a).id)
    expect((await one.paywindow.checkouts.get(b.id))?.order?.id).toBe(own(b).id)
  })
})

/** Delays the first request to a path, before or after the service's work. */
function slowOnce(part: string, delay: { beforeMs?: number; afterMs?: number }): FaultHook {
  let isOver = false
  return ({ url }) => {
    if (isOver || !url.includes(part)) return undefined
    isOver = true
    return { kind: 'latency', ...delay }
  }
}

describe('a binding that is looked at again', () => {
  it('by two servers at once, stays when one of them confirmed it and has delivered its status', async () => {
    let appearAfterMs = 0
    const { sandbox, told, errors, server, pay, run, pass } = world({ ...mute, appearAfterMs: () => appearAfterMs })
    const [one, two] = [server(), server()]
    const checkout = await run(one.open())
    await run(one.paywindow.settled())
    // Somebody else's order of that second, which the list shows later than any list should.
    appearAfterMs = 67_000
    sandbox.addOrder({ sourceAsset: 'ETH', targetAsset: 'USD', targetAmount: '310.00' })
    pay(checkout)
    await pass(66_000)
    sandbox.faults = slowOnce('/v1/order?', { beforeMs: 2_000 })
    const late = two.poll(checkout)
    expect(await run(one.poll(checkout))).toMatchObject({ tracked: true, status: 'confirmed' })
    await run(late)
    await run(two.paywindow.settled())
    expect(await run(one.poll(checkout))).toMatchObject({ tracked: true, status: 'confirmed' })
    expect({ told, errors }).toEqual({ told: ['a confirmed'], errors: [] })
  })

  it("is not undone because another checkout's order was bound meanwhile", async () => {
    const { sandbox, errors, server, run, pass } = world(mute)
    const [one, two] = [server(), server()]
    const checkout = await run(one.open())
    await run(one.paywindow.settled())
    // The other checkout cannot be bound as long as the list fails.
    sandbox.faults = ({ url }) => (url.includes('/v1/order?') ? { kind: 'status', status: 500 } : undefined)
    const other = await run(one.open('dear'))
    await run(one.paywindow.settled())
    await pass(66_000)
    sandbox.faults = slowOnce('details', { afterMs: 4_000 })
    const late = one.poll(checkout)
    await pass(1_000)
    await run(two.poll(other))
    await run(two.paywindow.settled())
    await run(late)
    await run(one.paywindow.settled())
    expect(await run(two.poll(checkout))).toMatchObject({ tracked: true })
    expect(errors).not.toContain('binding_contradicted')
  })
})
