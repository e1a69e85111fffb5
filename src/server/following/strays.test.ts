/**
 * Orders without a checkout: lost by the store, or made by another program; and orders that only
 * look so.
 */
import { describe, expect, it } from 'vitest'
import type { KeyedCheckout } from '../../contract/checkout.ts'
import type { PaywindowError } from '../../contract/errors.ts'
import { createReplaceableStore } from '../../testing/store-around.testing.ts'
import { createTestShop, type TestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { NewRecord, Store } from '../store/store.ts'
import { mute, orderIdAt, pay } from './binding.testing.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

type Code = 'paid_without_checkout' | 'order_without_checkout'
const told = ({ errors }: TestShop, code: Code): readonly PaywindowError[] =>
  errors.filter((error) => error.code === code)
const toldAtAll = (shop: TestShop) => [...told(shop, 'paid_without_checkout'), ...told(shop, 'order_without_checkout')]

type Options = Omit<NonNullable<Parameters<typeof createTestShop>[0]>, 'store'>

/** A shop whose store can be lost. */
async function openShop(options: Options = {}) {
  const store: LaggingStore = createLaggingStore(() => shop.clock.now())
  const shop: TestShop = createTestShop({ ...options, store })
  await pass(shop, minuteMs)
  return { shop, store }
}

/** Lets time pass with a watching job: each minute, or in long tests each half hour. */
async function pass(shop: TestShop, ms: number): Promise<void> {
  const everyMs = ms > 5 * hourMs ? hourMs / 2 : minuteMs
  const untilMs = shop.clock.now() + ms
  while (shop.clock.now() < untilMs) {
    await shop.run(shop.paywindow.watchOnce())
    await shop.pass(everyMs)
  }
}

/** Shows a payer an address, and lets the store lose the checkout 20 seconds later. */
async function loseOne(shop: TestShop, lose: (shown: KeyedCheckout) => Promise<void>) {
  const shown = await shop.open()
  await shop.pass(20_000)
  await lose(shown)
  expect((await shop.send('GET', `/checkouts/${shown.id}`, { key: shown.key })).status).toBe(404)
  return { ...shown, orderId: orderIdAt(shop, shown.address) }
}

const losses: [string, (store: LaggingStore, shown: KeyedCheckout) => Promise<void>][] = [
  ['a replica was a minute behind', (store) => store.failOver(minuteMs)],
  ['an old backup was restored', (store) => store.failOver(75_000)],
  ['the store was emptied', (store) => store.failOver(Number.POSITIVE_INFINITY)],
  ['keys were removed', (store, { id }) => store.evict((key) => key === `checkout ${id}` || key === 'cart cart-42')],
]

const sandbox = { sandbox: { detailsInstructions: true } }

describe('an order whose checkout the store has lost', () => {
  it.each(losses.flatMap(([name, lose]) => [[name, 'stays', lose] as const, [name, 'is started anew', lose] as const]))(
    'is told once it is paid, where %s and the process %s',
    async (_, process, lose) => {
      const { shop, store } = await openShop(sandbox)
      const { address, amount, orderId } = await loseOne(shop, (shown) => lose(store, shown))
      const then = process === 'stays' ? shop : createTestShop({ store, beside: { shop, store } })
      await pass(then, 4 * minuteMs)
      pay(shop, address, amount)
      await pass(then, 6 * minuteMs)
      expect(told(then, 'paid_without_checkout')).toHaveLength(1)
      const [{ message } = { message: '' }] = told(then, 'paid_without_checkout')
      for (const part of [orderId, amount, 'BTC', 'bitcoin', '49.9', 'USD', address, '2026-11-21T10:01:', 'bind'])
        expect(message).toContain(part)
      await pass(then, 80 * hourMs)
      expect(told(then, 'paid_without_checkout')).toHaveLength(1)
      expect([...shop.events, ...then.events]).toEqual([])
    },
  )

  it('is told, too, where the service had answered another cart with the same order', async () => {
    let first: object | undefined
    const { shop, store } = await openShop({
      changeAnswer: (json) => {
        if (!('wallet_address' in json) || 'status' in json) return json
        first ??= json
        return first
      },
    })
    const { id, address, amount } = await shop.open()
    await shop.pass(2_000)
    const other = await shop.send('POST', '/checkouts', { body: { reference: 'another cart' } })
    expect(other.status).toBe(502)
    await store.evict((key) => key === `checkout ${id}` || key === 'cart cart-42')
    pay(shop, address, amount)
    await pass(shop, 2 * hourMs)
    expect(told(shop, 'paid_without_checkout').map(({ message }) => message)).toEqual([
      expect.stringContaining(orderIdAt(shop, address)),
    ])
  })

  it.each([
    ['no zone', 23, 14 * hourMs],
    ['no seconds', 16, 10 * minuteMs],
    ['no text', 0, 10 * minuteMs],
  ])('is told, too, where the times of orders have %s', async (_, length, withinMs) => {
    const cut = (text: unknown) =>
      typeof text === 'string' ? `${text.slice(0, length)}${length === 16 ? 'Z' : ''}` : text
    const { shop, store } = await openShop({
      changeAnswer: (json) => ({
        ...json,
        ...('date_time' in json && { date_time: cut(json.date_time) }),
        ...('created_at' in json && { created_at: cut(json.created_at) }),
      }),
    })
    const { address, amount, orderId } = await loseOne(shop, () => store.failOver(minuteMs))
    pay(shop, address, amount)
    await pass(shop, withinMs)
    expect(told(shop, 'paid_without_checkout').map(({ message }) => message)).toEqual([
      expect.stringContaining(orderId),
    ])
  })

  it('is told while its deposit waits to be confirmed', async () => {
    const { shop, store } = await openShop()
    const { address, amount, orderId } = await loseOne(shop, () => store.failOver(minuteMs))
    shop.sandbox.payer.deposit({ address, amount })
    await pass(shop, 10 * minuteMs)
    expect(told(shop, 'paid_without_checkout').map(({ message }) => message)).toEqual([
      expect.stringContaining(`${orderId} (pending)`),
    ])
  })

  it.each([
    ['an hour', 'hours', 24 * hourMs, hourMs],
    ['a day', 'weeks', 20 * 24 * hourMs, 24 * hourMs],
  ])(
    'is told quietly once when nobody pays, and within %s when somebody does after %s',
    async (_, _after, ms, within) => {
      const { shop, store } = await openShop()
      const { address, amount, orderId } = await loseOne(shop, () => store.failOver(minuteMs))
      await pass(shop, 8 * minuteMs)
      expect(toldAtAll(shop)).toEqual([])
      await pass(shop, ms)
      expect(toldAtAll(shop).map(({ code }) => code)).toEqual(['order_without_checkout'])
      expect(toldAtAll(shop)[0]?.message).toContain(orderId)
      shop.sandbox.payer.deposit({ address, amount })
      shop.sandbox.payer.acceptLate(orderId)
      await pass(shop, within + 6 * minuteMs)
      expect(told(shop, 'paid_without_checkout').map(({ message }) => message)).toEqual([
        expect.stringContaining(orderId),
      ])
    },
  )

  it('is told once where each job is a process of its own', async () => {
    const { shop, store } = await openShop()
    const { address, amount } = await loseOne(shop, () => store.failOver(minuteMs))
    pay(shop, address, amount)
    const errors: PaywindowError[] = []
    for (let at = 0; at < 90; at++) {
      const job = createTestShop({ store, beside: { shop, store } })
      await job.run(job.paywindow.watchOnce())
      errors.push(...told(job, 'paid_without_checkout'))
      await job.pass(minuteMs)
    }
    expect(errors).toHaveLength(1)
  })

  it.each(losses)('can be bound to the checkout that its cart gets then, where %s', async (_, lose) => {
    const { shop, store } = await openShop()
    const { address, amount, orderId } = await loseOne(shop, (shown) => lose(store, shown))
    pay(shop, address, amount)
    const again = await shop.open()
    expect(again.address).not.toBe(address)
    await shop.run(shop.paywindow.bind(again.id, orderId, { confirmed: true }))
    await pass(shop, minuteMs)
    expect(shop.events).toMatchObject([{ reference: 'cart-42', status: 'confirmed', checkout: { id: again.id } }])
    await pass(shop, 2 * hourMs)
    expect(told(shop, 'paid_without_checkout')).toEqual([])
  })

  it('is told of a cart whose checkout came back without it', async () => {
    const { shop, store } = await openShop()
    const shown = await shop.open()
    await shop.settle()
    const record = await store.read(`checkout ${shown.id}`)
    if (!record) throw new Error('It is not stored')
    const { value, version } = record
    // As it was before the service answered.
    const after = JSON.parse(value)
    const attempts = after.attempts.map((attempt: object) => ({ ...attempt, outcome: 'sent', window: null }))
    const before = { ...after, attempts, instructions: null, binding: null }
    await store.replace({ key: record.key, value: JSON.stringify(before), due: [], labels: [] }, version)
    await store.evict((key) => key.startsWith('order '))
    expect((await shop.send('GET', `/checkouts/${shown.id}`, { key: shown.key })).status).toBe(404)
    const again = await shop.open()
    expect(again).toMatchObject({ id: shown.id })
    expect(again.address).not.toBe(shown.address)
    pay(shop, shown.address, shown.amount)
    await pass(shop, 10 * minuteMs)
    expect(told(shop, 'paid_without_checkout').map(({ message }) => message)).toEqual([
      expect.stringContaining(orderIdAt(shop, shown.address)),
    ])
  })
})

describe('an order of something else on the account', () => {
  const foreign = { sourceAsset: 'BTC', targetAsset: 'USD', network: 'bitcoin', targetAmount: '12.00' }
  const payForeign = (
    { sandbox }: TestShop,
    { id, address, sourceAmount }: ReturnType<TestShop['sandbox']['addOrder']>,
  ) => {
    sandbox.payer.deposit({ address: address ?? '', amount: sourceAmount })
    sandbox.payer.confirm(id)
  }

  /** How often each order is told; the newest is also in the example of a command. */
  const timesTold = (shop: TestShop) => {
    const all = shop.errors.map(({ message }) => message.replace(/<checkoutId> \S+/, '')).join()
    return shop.sandbox.orders().map(({ id }) => all.split(id).length - 1)
  }

  it('is told together with others: once an hour of each kind, with the number and the newest', async () => {
    const { shop } = await openShop()
    let last = ''
    for (let at = 0; at < 12 * 10; at++) {
      const order = shop.sandbox.addOrder(foreign)
      last = order.id
      if (at % 2 === 0) payForeign(shop, order)
      await pass(shop, 6 * minuteMs)
    }
    for (const code of ['paid_without_checkout', 'order_without_checkout'] as const) {
      expect(told(shop, code).length).toBeGreaterThan(8)
      expect(told(shop, code).length).toBeLessThanOrEqual(13)
    }
    await pass(shop, 2 * hourMs)
    expect(told(shop, 'order_without_checkout').some(({ message }) => message.includes(last))).toBe(true)
    expect(timesTold(shop)).toEqual(shop.sandbox.orders().map(() => 1))
    const atTheEnd = shop.errors.length
    await pass(shop, 12 * hourMs)
    expect(shop.errors).toHaveLength(atTheEnd)
  })

  it('is told later where they are many, and none is forgotten', async () => {
    const { shop } = await openShop()
    for (let at = 0; at < 120; at++) payForeign(shop, shop.sandbox.addOrder(foreign))
    await pass(shop, 8 * minuteMs)
    expect(toldAtAll(shop).map(({ message }) => message)).toEqual([expect.stringContaining('and 70 more')])
    await pass(shop, 3 * hourMs)
    expect(toldAtAll(shop)).toHaveLength(3)
    expect(timesTold(shop)).toEqual(shop.sandbox.orders().map(() => 1))
  })

  it('is not told where it is older than the store, but for one that is paid since', async () => {
    const shop = createTestShop()
    for (let at = 0; at < 40; at++) payForeign(shop, shop.sandbox.addOrder(foreign))
    const open = shop.sandbox.addOrder(foreign)
    shop.sandbox.addOrder(foreign)
    await shop.pass(5_000)
    await pass(shop, hourMs)
    expect(toldAtAll(shop)).toEqual([])
    shop.sandbox.payer.deposit({ address: open.address ?? '', amount: open.sourceAmount })
    shop.sandbox.payer.acceptLate(open.id)
    await pass(shop, 80 * hourMs)
    expect(toldAtAll(shop).map(({ code }) => code)).toEqual(['paid_without_checkout'])
    expect(toldAtAll(shop)[0]?.message).toContain(open.id)
  })

  it('is not told where it shows another sub-account', async () => {
    const { shop } = await openShop()
    payForeign(shop, shop.sandbox.addOrder({ ...foreign, subAccountId: 'another' }))
    await pass(shop, 3 * hourMs)
    expect(toldAtAll(shop)).toEqual([])
  })
})

describe('nothing is told', () => {
  it.each([
    ['of a checkout that is paid', {}],
    ['of one whose order shows little', mute],
  ])('%s, of one that nobody pays, and of a creation whose answer was lost', async (_, sandbox) => {
    const { shop } = await openShop({ sandbox })
    const paid = await shop.open()
    await pass(shop, 2 * minuteMs)
    await shop.open({ reference: 'cart-43' })
    await pass(shop, 2 * minuteMs)
    let losses = 0
    shop.sandbox.faults = ({ method }) =>
      method === 'POST' && losses++ === 0 ? { kind: 'reset', workDone: true } : undefined
    await shop.open({ reference: 'cart-44' })
    expect(losses).toBe(2)
    await pass(shop, 2 * minuteMs)
    pay(shop, paid.address, paid.amount)
    await pass(shop, 80 * hourMs)
    expect(shop.events).toMatchObject([{ reference: 'cart-42', status: 'confirmed' }])
    expect(toldAtAll(shop)).toEqual([])
  })

  it('of what may be the order of a checkout that is still looked for, until that is reported', async () => {
    const { shop } = await openShop({ sandbox: mute })
    const [first, second] = [await shop.open(), await shop.open({ reference: 'cart-43' })]
    // Neither can be told from one of somebody else.
    shop.sandbox.addOrder({ sourceAsset: 'BTC', targetAsset: 'USD', network: 'bitcoin', targetAmount: '49.90' })
    await pass(shop, 5 * minuteMs)
    expect(new Set(shop.errors.map(({ code }) => code))).toEqual(new Set(['order_unresolved', 'binding_contradicted']))
    pay(shop, first.address, first.amount)
    await pass(shop, 3 * hourMs)
    expect(second.address).not.toBe(first.address)
    const [paid, ...others] = told(shop, 'paid_without_checkout')
    expect(paid?.message).toContain(orderIdAt(shop, first.address))
    expect(paid?.message).not.toContain(orderIdAt(shop, second.address))
    expect(others).toEqual([])
    expect(told(shop, 'order_without_checkout')).toEqual([])
  })
})

/**
 * A store that an older copy replaces while servers use it: a lagging replica, or a backup.
 */
interface LaggingStore extends Store {
  /** Loses the writes of the last `lagMs`; infinite: all. */
  failOver(lagMs: number): Promise<void>
  /** Loses records, by their keys, as a database without memory does. */
  evict(isLost: (key: string) => boolean): Promise<void>
}

/** @param now - The clock of the store. */
function createLaggingStore(now: () => number): LaggingStore {
  const empty = () => createMemoryStore(now)
  /** Each record as it was from a time on; undefined: not there. */
  const states: { readonly atMs: number; readonly key: string; readonly record: NewRecord | undefined }[] = []
  const { store, records, become } = createReplaceableStore(empty(), empty, (key, record) =>
    states.push({ atMs: now(), key, record }),
  )

  /** The records as they were at a time. */
  function asOf(atMs: number): readonly NewRecord[] {
    const then = new Map(states.filter((state) => state.atMs <= atMs).map(({ key, record }) => [key, record]))
    return [...then.values()].filter((record) => record !== undefined)
  }

  return {
    ...store,
    failOver: (lagMs) => become(asOf(now() - lagMs)),
    evict: (isLost) => become([...records.values()].filter(({ key }) => !isLost(key))),
  }
}
