import { describe, expect, it } from 'vitest'
import { createTestShop, deposit, order, pay, reverse, type TestShop, watchFor } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { Store } from '../store/store.ts'

const minuteMs = 60_000
const never = () => new Promise<void>(() => undefined)

/** A web process that has `offer` alone, and a worker that has the callback, on one store. */
function createPair() {
  const store: Store = createMemoryStore()
  const web = createTestShop({ store, hasCallback: false })
  const worker = createTestShop({ beside: { shop: web, store } })
  return { web, worker, store }
}

describe('a shop of two kinds of process', () => {
  it('is notified by its worker of what its web process saw first', async () => {
    const { web, worker } = createPair()
    const checkout = await web.open()
    await web.settle()
    pay(web)
    await web.pass(3_000)
    expect(await web.poll(checkout)).toMatchObject({ phase: 'paid' })
    await web.settle()
    expect(worker.events).toEqual([])
    await watchFor(worker, 2_000)
    expect(worker.events.map(({ status }) => status)).toEqual(['confirmed'])
    expect([...web.errors, ...worker.errors]).toEqual([])
  })

  it('is told no change as older than the one before, although clocks are some seconds apart', async () => {
    const base = createTestShop()
    const beside = { shop: base, store: createMemoryStore(base.clock.now) }
    const right = createTestShop({ beside })
    const fast = createTestShop({ beside, clock: { ...base.clock, now: () => base.clock.now() + 8_000 } })
    const checkout = await right.open()
    await right.settle()
    deposit(right)
    await right.pass(3_000)
    expect(await fast.poll(checkout)).toMatchObject({ phase: 'seen' })
    right.sandbox.payer.confirm(order(right).id)
    await right.pass(3_000)
    expect(await right.poll(checkout)).toMatchObject({ phase: 'paid' })
    await right.settle()
    const told = [...fast.events, ...right.events]
    expect(told.map(({ phase }) => phase)).toEqual(['seen', 'paid'])
    expect(told.map(({ at }) => at)).toEqual(told.map(({ at }) => at).toSorted())
  })

  it('is also notified of what its web process watches', async () => {
    const { web, worker } = createPair()
    await web.open()
    await web.settle()
    pay(web)
    const watching = [web.paywindow.watch(), worker.paywindow.watch()]
    await web.pass(minuteMs)
    await web.run(Promise.all(watching.map((each) => each.stop())))
    expect(worker.events.map(({ status }) => status)).toEqual(['confirmed'])
  })

  it('is notified of more changes than are delivered at once before a scheduled job ends', async () => {
    const { web, store } = createPair()
    const slow: Store = {
      ...store,
      listDue: (...query) => web.clock.sleep(20).then(() => store.listDue(...query)),
    }
    const worker = createTestShop({ beside: { shop: web, store: slow } })
    const count = 25
    for (let at = 0; at < count; at++) {
      web.sells({ price: { asset: 'USD', amount: `${50 + at}` } })
      await web.open({ reference: `cart-${at}` })
      pay(web, at)
    }
    await watchFor(web, 2 * minuteMs)
    expect(worker.events).toEqual([])
    await worker.run(worker.paywindow.watchOnce())
    expect(worker.events.length).toBe(count)
  })

  it('reports undelivered changes once an hour, from whichever process watches or polls', async () => {
    const { web } = createPair()
    const checkout = await web.open()
    await web.settle()
    pay(web)
    await web.pass(minuteMs)
    await web.poll(checkout)
    expect(web.errors).toEqual([])
    for (let minute = 0; minute < 30; minute++) {
      await web.pass(minuteMs)
      await web.poll(checkout)
    }
    await web.settle()
    expect(web.errors.map(({ code }) => code)).toEqual(['events_waiting'])
    await watchFor(web, 60 * minuteMs)
    expect(web.errors.map(({ code }) => code)).toEqual(['events_waiting', 'events_waiting'])
    expect(await web.paywindow.checkouts.list({ only: 'untold' })).toHaveLength(1)
  })

  it('needs no worker where it says that there is no callback', async () => {
    const shop = createTestShop({ onStatusChange: null })
    const checkout = await shop.open()
    await shop.settle()
    pay(shop)
    await shop.pass(3_000)
    expect(await shop.poll(checkout)).toMatchObject({ phase: 'paid' })
    await watchFor(shop, 60 * minuteMs)
    expect(await shop.paywindow.checkouts.list({ only: 'untold' })).toEqual([])
    expect(shop.errors).toEqual([])
  })

  it('is told by the process that has a callback, where another one says that there is none', async () => {
    const worker = createTestShop()
    const store = createMemoryStore(worker.clock.now)
    const teller = createTestShop({ beside: { shop: worker, store } })
    const web = createTestShop({ beside: { shop: worker, store }, onStatusChange: null })
    await teller.run(teller.paywindow.watchOnce())
    for (const [at, reference] of ['a', 'b', 'c'].entries()) {
      const checkout = await web.open({ reference })
      await web.settle()
      pay(web, at)
      await web.pass(3_000)
      await web.poll(checkout)
      await web.settle()
    }
    await teller.run(teller.paywindow.watchOnce())
    expect(teller.events.filter(({ phase }) => phase === 'paid').map(({ reference }) => reference)).toEqual([
      'a',
      'b',
      'c',
    ])
    expect(web.errors.map(({ code }) => code)).toEqual(['invalid_options'])
    expect(web.errors[0]?.message).toContain('Leave it out here')
  })

  it('is told by a web process with a callback, where the process that watches says that there is none', async () => {
    const first = createTestShop()
    const store = createMemoryStore(first.clock.now)
    const web = createTestShop({ beside: { shop: first, store } })
    const worker = createTestShop({ beside: { shop: first, store }, onStatusChange: null })
    const checkout = await web.open()
    await web.settle()
    pay(web)
    const watching = worker.paywindow.watch()
    await web.pass(2 * minuteMs)
    expect(web.events).toEqual([])
    expect(worker.errors.map(({ code }) => code)).toEqual(['invalid_options'])
    await web.poll(checkout)
    await web.settle()
    await worker.run(watching.stop())
    expect(web.events.map(({ phase }) => phase)).toEqual(['paid'])
  })

  it('forgets what came to nothing although nobody was ever notified, and keeps what was paid', async () => {
    const { web } = createPair()
    const lost = await web.open({ reference: 'cart-1' })
    const paid = await web.open({ reference: 'cart-2' })
    await web.settle()
    web.sandbox.payer.cancel(order(web, 0).id)
    pay(web, 1)
    await web.pass(3_000)
    expect((await web.poll(lost)).phase).toBe('ended')
    expect((await web.poll(paid)).phase).toBe('paid')
    expect(await reverse(web, paid, 1)).toBe('ended')
    for (let day = 0; day < 94; day++) {
      await web.pass(24 * 60 * minuteMs)
      await web.run(web.paywindow.watchOnce())
    }
    expect(await web.paywindow.checkouts.get(lost.id)).toBeUndefined()
    expect((await web.paywindow.checkouts.get(paid.id))?.untoldEvents).toBe(2)
  })
})

describe('a callback that never ends', () => {
  async function openMany(shop: TestShop, count: number) {
    for (let cart = 0; cart < count; cart++) {
      await shop.open({ reference: `cart-${cart}` })
      await shop.settle()
    }
    for (let at = 0; at < count; at++) pay(shop, at)
  }

  it('fails after its deadline, is reported, and is repeated with the same id', async () => {
    const ids: string[] = []
    const shop = createTestShop({
      callbackTimeoutMs: 5_000,
      onStatusChange: ({ eventId }) => {
        ids.push(eventId)
        return ids.length === 1 ? never() : undefined
      },
    })
    await openMany(shop, 1)
    await watchFor(shop, minuteMs)
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
    expect(shop.errors.map(({ code, message }) => [code, message.includes('did not end within 5000 ms')])).toEqual([
      ['callback_failed', true],
    ])
    expect(await shop.paywindow.checkouts.list({ only: 'untold' })).toEqual([])
  })

  it('delays no other cart and no orders, however many callbacks hang', async () => {
    const heard: string[] = []
    const shop = createTestShop({
      creationsPerClient: 1_000,
      onStatusChange: ({ reference }) => {
        const hangs = Number(reference.slice(5)) < 25
        if (!hangs) heard.push(reference)
        return hangs ? never() : undefined
      },
    })
    await openMany(shop, 25)
    const watching = shop.paywindow.watch()
    await shop.pass(5 * minuteMs)
    expect(heard).toEqual([])
    await shop.open({ reference: 'cart-99' })
    await shop.settle()
    pay(shop, 25)
    await shop.pass(30_000)
    expect(heard).toEqual(['cart-99'])
    await shop.run(watching.stop())
  })

  it('counts as delivered when it succeeds late, before the next try', async () => {
    let calls = 0
    const shop: TestShop = createTestShop({
      callbackTimeoutMs: 2_000,
      onStatusChange: () => {
        calls += 1
        return shop.clock.sleep(2_500)
      },
    })
    await openMany(shop, 1)
    await shop.pass(minuteMs)
    await shop.run(shop.paywindow.watchOnce())
    await shop.pass(minuteMs)
    await shop.run(shop.paywindow.watchOnce())
    expect(calls).toBe(1)
    expect(await shop.paywindow.checkouts.list({ only: 'untold' })).toEqual([])
  })

  it('does not block watchOnce, stop or close, which report what is undone', async () => {
    const shop = createTestShop({ onStatusChange: never, callbackTimeoutMs: 600_000 })
    await openMany(shop, 1)
    const [checkout] = await shop.paywindow.checkouts.list()
    const startedMs = shop.clock.now()
    const watching = shop.paywindow.watch()
    await shop.pass(10_000)
    expect(await shop.run(watching.stop())).toEqual([`the delivery for checkout ${checkout?.id}`])
    expect(shop.clock.now() - startedMs).toBeLessThanOrEqual(18_000)
    const beforeMs = shop.clock.now()
    await shop.run(shop.paywindow.watchOnce())
    expect(shop.clock.now() - beforeMs).toBeLessThanOrEqual(75_000)
    expect(await shop.run(shop.paywindow.close())).not.toEqual([])
    expect(shop.clock.now() - beforeMs).toBeLessThanOrEqual(150_000)
  })
})

describe('other calls that can hang', () => {
  it('ends a request with 503 when offer never returns, and reports it', async () => {
    const shop = createTestShop()
    const hanging = createTestShop({ beside: { shop, store: createMemoryStore() } })
    Object.defineProperty(hanging, 'offer', { get: never })
    const startedMs = shop.clock.now()
    expect(await hanging.send('GET', '/offer?reference=cart-42')).toMatchObject({
      status: 503,
      json: { error: { code: 'service_unavailable' } },
    })
    expect(shop.clock.now() - startedMs).toBeLessThanOrEqual(20_000)
    expect(hanging.errors.map(({ code }) => code)).toEqual(['callback_failed'])
  })

  it('ends a request after half a minute, and also stop, when the store never answers', async () => {
    const store = createMemoryStore()
    const shop = createTestShop({ store })
    const checkout = await shop.open()
    await shop.settle()
    store.read = never as Store['read']
    store.listDue = never as unknown as Store['listDue']
    const askedMs = shop.clock.now()
    expect(await shop.send('GET', `/checkouts/${checkout.id}`, { key: checkout.key })).toMatchObject({ status: 500 })
    expect(shop.clock.now() - askedMs).toBeLessThanOrEqual(30_000)
    expect(String(shop.errors.at(-1)?.cause)).toContain('The store has not answered read for 30000 ms')
    const watching = shop.paywindow.watch()
    await shop.pass(1_000)
    const startedMs = shop.clock.now()
    expect(await shop.run(watching.stop())).toContain('a round of the watcher')
    expect(shop.clock.now() - startedMs).toBeLessThanOrEqual(10_000)
  })
})
