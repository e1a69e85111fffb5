import { describe, expect, it } from 'vitest'
import type { JsonRecord } from '../../contract/parse.ts'
import { createIds } from '../records/ids.ts'
import { someCheckout, startMs } from '../records/records.testing.ts'
import { createRepository } from '../records/repository.ts'
import { createTestShop, order, pay, type TestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import { mute } from './binding.testing.ts'
import { createSweep, mended } from './sweep.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const phaseOf = { open: 'waiting', pending: 'seen', confirmed: 'paid', canceled: 'ended' } as const
const event = {
  eventId: 'e1',
  status: 'confirmed',
  previousStatus: 'open',
  at: new Date(startMs).toISOString(),
  failures: 0,
  nextTryAtMs: startMs,
} as const

/** A clock that is ahead of another by so much. */
const ahead = ({ clock }: TestShop, byMs: number) => ({ ...clock, now: () => clock.now() + byMs })

async function watch(shop: TestShop, ms: number): Promise<void> {
  const watching = shop.paywindow.watch()
  await shop.pass(ms)
  await shop.run(watching.stop())
}

describe('a sweep of many checkouts', () => {
  it('gives up its turn after each twenty', async () => {
    const repository = createRepository(createMemoryStore())
    for (let number = 0; number < 450; number++)
      await repository.createCheckout(someCheckout({ id: `c${String(number).padStart(20, '0')}` }))
    const pauses: number[] = []
    const sleep = async (ms: number) => void pauses.push(ms)
    const rules = { phaseOf, eventId: () => 'event' }
    const ids = createIds((length) => new Uint8Array(length))
    await createSweep({ repository, sleep, rules, plannedNow: () => startMs, ids })()
    expect(pauses).toEqual(Array(22).fill(0))
  })
})

describe('times that a clock a day ahead has written', () => {
  const at = (nextLookAtMs: number | null) => someCheckout({ nextLookAtMs })

  it('are made due, and times that a correct clock writes stay unchanged', () => {
    expect(mended(at(startMs + dayMs), startMs, phaseOf).nextLookAtMs).toBe(startMs)
    expect(mended(at(null), startMs, phaseOf).nextLookAtMs).toBe(startMs)
    for (const usual of [at(startMs + 5_000), at(startMs - dayMs)]) expect(mended(usual, startMs, phaseOf)).toBe(usual)
    const later = { ...event, nextTryAtMs: startMs + dayMs }
    expect(mended({ ...at(startMs), events: [later] }, startMs, phaseOf).events).toEqual([event])
    const usual = { ...at(startMs), events: [{ ...event, nextTryAtMs: startMs + 60 * minuteMs }] }
    expect(mended(usual, startMs, phaseOf)).toBe(usual)
    const binding = {
      orderId: 'o',
      evidence: 'only_candidate',
      boundAtMs: startMs + dayMs,
      isProvisional: true,
    } as const
    expect(mended({ ...at(startMs), binding }, startMs, phaseOf).binding?.boundAtMs).toBe(startMs)
  })

  it('are found within the hour, so that a payment is not delivered a day late', async () => {
    let clock: TestShop['clock'] | undefined
    const store = createMemoryStore(() => clock?.now() ?? 0)
    const shop = createTestShop({ store })
    clock = shop.clock
    await shop.open()
    await shop.settle()
    const early = createTestShop({ beside: { shop, store }, clock: ahead(shop, dayMs) })
    await watch(early, 2 * minuteMs)
    pay(shop)
    await watch(shop, 70 * minuteMs)
    expect(shop.events.map(({ status }) => status)).toEqual(['confirmed'])
  })

  it('do not delay the first delivery of what a server with such a clock saw', async () => {
    let clock: TestShop['clock'] | undefined
    const store = createMemoryStore(() => clock?.now() ?? 0)
    const shop = createTestShop({ store })
    clock = shop.clock
    const checkout = await shop.open()
    await shop.settle()
    const early = createTestShop({ beside: { shop, store }, clock: ahead(shop, dayMs), hasCallback: false })
    // The next sweep is an hour away.
    await watch(shop, 5_000)
    pay(shop)
    await shop.pass(3_000)
    expect(await early.poll(checkout)).toMatchObject({ phase: 'paid' })
    await early.settle()
    await watch(shop, 5_000)
    expect(shop.events.map(({ status }) => status)).toEqual(['confirmed'])
  })

  it('do not delay by a day what is certain after a minute', async () => {
    const store = createMemoryStore()
    const shop = createTestShop({ store, sandbox: mute })
    const early = createTestShop({ beside: { shop, store }, clock: ahead(shop, dayMs) })
    await early.open()
    await early.settle()
    pay(shop)
    await watch(shop, 5 * minuteMs)
    expect(shop.events.map(({ status }) => status)).toEqual(['confirmed'])
  })

  it('do not delay by a day the report that an order cannot be identified', async () => {
    const store = createMemoryStore()
    const shop = createTestShop({ store, sandbox: { ...mute, appearAfterMs: () => 500 } })
    const early = createTestShop({ beside: { shop, store }, clock: ahead(shop, dayMs) })
    const opening = early.open()
    await opening
    shop.sandbox.addOrder({ sourceAsset: 'BTC', network: 'bitcoin', targetAsset: 'USD', targetAmount: '49.90' })
    await early.settle()
    await watch(shop, 5 * minuteMs)
    expect(shop.errors.map(({ code }) => code)).toEqual(['order_unresolved'])
  })

  it.each([
    ['two equal orders of one moment', (order: JsonRecord) => order],
    ['a list that cannot be read to its end', (order: JsonRecord) => ({ ...order, order_id: 7 })],
  ])('do not delay by a day the report that an order cannot be identified: %s', async (_, changeAnswer) => {
    const store = createMemoryStore()
    const shop = createTestShop({ store, sandbox: mute, changeAnswer })
    const early = createTestShop({ beside: { shop, store }, clock: ahead(shop, dayMs) })
    shop.sandbox.faults = ({ url }) => (url.includes('page=') ? { kind: 'reset' } : undefined)
    await Promise.all(['a', 'b'].map((reference) => early.open({ reference })))
    await early.settle()
    shop.sandbox.faults = undefined
    await watch(shop, 25 * minuteMs)
    expect(shop.errors.map(({ code }) => code)).toEqual(['order_unresolved', 'order_unresolved'])
  })

  it('do not keep a cart from getting a new quote', async () => {
    const store = createMemoryStore()
    const shop = createTestShop({ store, creationsPerCart: 2 })
    const early = createTestShop({ beside: { shop, store }, creationsPerCart: 2, clock: ahead(shop, dayMs) })
    for (const amount of ['10', '20']) {
      early.offer = early.offer && { ...early.offer, price: { asset: 'USD', amount } }
      await early.open()
      await early.settle()
    }
    expect((await shop.open()).price.amount).toBe('49.9')
  })

  it('are found by a scheduled job, too, and once an hour only', async () => {
    const base = createMemoryStore()
    let lists = 0
    const store = {
      ...base,
      list: (...args: Parameters<typeof base.list>) => {
        if (args[0] === 'all') lists += 1
        return base.list(...args)
      },
    }
    const shop = createTestShop({ store })
    for (let minute = 0; minute < 150; minute++) {
      await shop.pass(minuteMs)
      await shop.run(shop.paywindow.watchOnce())
    }
    expect(lists).toBeLessThanOrEqual(3)
  })
})

describe('a store that was restored from a backup', () => {
  /** The store as it is now, as another store. */
  async function copyOf(store: ReturnType<typeof createMemoryStore>, keys: readonly string[]) {
    const copy = createMemoryStore()
    for (const key of keys) {
      const record = await store.read(key)
      // Due at once, as everything is that was due before the backup was restored.
      const due = key.startsWith('checkout ') ? [{ queue: 'look', atMs: 0 }] : []
      if (record)
        await copy.create({ key, value: record.value, due, labels: key.startsWith('checkout ') ? ['all'] : [] })
    }
    return copy
  }

  it('delivers a payment again under another id, and not under the id of another change', async () => {
    const store = createMemoryStore()
    const shop = createTestShop({ store })
    const checkout = await shop.open()
    await shop.settle()
    const keys = [`checkout ${checkout.id}`, 'cart cart-42', `order ${order(shop).id}`]
    const backup = await copyOf(store, keys)
    // The merchant learnt of the deposit. The backup lacks it, and by then the order is paid.
    shop.sandbox.payer.deposit({ address: checkout.address, amount: checkout.amount })
    await watch(shop, minuteMs)
    shop.sandbox.payer.confirm(order(shop).id)
    const restored = createTestShop({ beside: { shop, store: backup } })
    await watch(restored, minuteMs)
    expect(shop.events.map(({ status }) => status)).toEqual(['pending'])
    expect(restored.events.map(({ status }) => status)).toEqual(['confirmed'])
    expect(restored.events[0]?.eventId).not.toBe(shop.events[0]?.eventId)
  })

  it('delivers under the same id what was already undelivered in the backup', async () => {
    const store = createMemoryStore()
    const web = createTestShop({ store, hasCallback: false })
    const checkout = await web.open()
    await web.settle()
    pay(web)
    await web.pass(3_000)
    await web.poll(checkout)
    const backup = await copyOf(store, [`checkout ${checkout.id}`, 'cart cart-42', `order ${order(web).id}`])
    const worker = createTestShop({ beside: { shop: web, store } })
    await watch(worker, minuteMs)
    const restored = createTestShop({ beside: { shop: web, store: backup } })
    await watch(restored, 2 * minuteMs)
    // The copy has no queues: a request finds what waits only by its own record.
    await restored.run(restored.paywindow.watchOnce())
    expect(worker.events).toHaveLength(1)
    for (const { eventId } of restored.events) expect(eventId).toBe(worker.events[0]?.eventId)
  })
})
