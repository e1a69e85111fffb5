import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { KeyedCheckout } from '../../contract/checkout.ts'
import type { LapsedEvent } from '../options.ts'
import { createTestShop, pay, type TestShop, type TestShopOptions } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'

const minuteMs = 60_000
const onLapsed = vi.fn(async (_: LapsedEvent) => undefined)
const lapsed = () => onLapsed.mock.calls.map(([{ reference }]) => reference)
let shop: TestShop
let store: ReturnType<typeof createMemoryStore>

function openShop(options: TestShopOptions = {}): void {
  shop = createTestShop({ onLapsed, ...options })
}
beforeEach(() => {
  onLapsed.mockReset().mockResolvedValue(undefined)
  store = createMemoryStore()
  openShop()
})

/** Watches for some hours. */
async function watch(hours: number): Promise<void> {
  const watching = shop.paywindow.watch()
  for (let at = 0; at < hours * 6; at += 1) await shop.pass(10 * minuteMs)
  await shop.run(watching.stop())
}

describe('a cart that nobody pays', () => {
  it('is told once, an hour after its last quote', async () => {
    await shop.open()
    await watch(1.2)
    expect(lapsed()).toEqual([])
    await watch(5)
    expect(lapsed()).toEqual(['cart-42'])
    expect(onLapsed.mock.calls[0]?.[0].at).toMatch(/^\d{4}-.*Z$/)
  })

  it('is not told sooner where the time of the quote is read as 150 seconds', async () => {
    openShop({ sandbox: { expTime: { json: '150' }, dateTime: null } })
    await shop.open()
    await watch(1.2)
    expect(lapsed()).toEqual([])
    await watch(5)
    expect(lapsed()).toEqual(['cart-42'])
  })

  it('is not told while a later quote lives, and is told again once that has lapsed, too', async () => {
    const renew = async ({ id, key }: { id: string; key: string }) =>
      (await shop.send('POST', `/checkouts/${id}/renew`, { key, body: {} })).json as unknown as KeyedCheckout
    const first = await shop.open()
    await shop.pass(60 * minuteMs)
    const second = await renew(first)
    await watch(1)
    expect(lapsed()).toEqual([])
    await watch(4)
    expect(lapsed()).toEqual(['cart-42'])
    const third = await renew(second)
    await watch(5)
    expect(lapsed()).toEqual(['cart-42', 'cart-42'])
    expect(onLapsed.mock.calls.map(([{ checkoutId }]) => checkoutId)).toEqual([second.id, third.id])
  })

  it('is told until the call succeeds', async () => {
    onLapsed.mockRejectedValueOnce(new Error('the database is away'))
    await shop.open()
    await watch(6)
    expect(lapsed()).toEqual(['cart-42', 'cart-42'])
    expect(shop.errors.map(({ code }) => code)).toEqual(['callback_failed'])
  })

  it('is told in time where a server whose clock was months ahead has made its quote', async () => {
    const right = createTestShop({ store })
    const aheadMs = 200 * 24 * 60 * minuteMs
    const clock = { ...right.clock, now: () => right.clock.now() + aheadMs, monotonic: right.clock.now }
    await createTestShop({ beside: { shop: right, store }, clock }).open()
    openShop({ beside: { shop: right, store } })
    await watch(1.2)
    expect(lapsed()).toEqual([])
    await watch(5)
    expect(lapsed()).toEqual(['cart-42'])
  })

  it('is not told of a time to come by a server whose clock is months ahead: payments of it would look older', async () => {
    const right = createTestShop({ store })
    const aheadMs = 200 * 24 * 60 * minuteMs
    const clock = { ...right.clock, now: () => right.clock.now() + aheadMs, monotonic: right.clock.now }
    openShop({ beside: { shop: right, store }, clock })
    await shop.open()
    await watch(1.5)
    expect(lapsed()).toEqual(['cart-42'])
    expect(Date.parse(`${onLapsed.mock.calls[0]?.[0].at}`)).toBeLessThanOrEqual(right.clock.now())
  })

  it('is told by another process that watches', async () => {
    const first = createTestShop({ store })
    await first.open()
    openShop({ beside: { shop: first, store } })
    await watch(6)
    expect(lapsed()).toEqual(['cart-42'])
  })
})

describe('not told is', () => {
  it('a cart that was paid', async () => {
    await shop.open()
    await shop.open({ reference: 'cart-7' })
    await shop.settle()
    pay(shop, 0)
    await watch(8)
    expect(lapsed()).toEqual(['cart-7'])
  })

  it('a cart whose deposit is not confirmed', async () => {
    const { address } = await shop.open()
    shop.sandbox.payer.deposit({ address, amount: '0.0001' })
    await watch(8)
    expect(lapsed()).toEqual([])
  })

  it('a cart whose order is not known', async () => {
    openShop({ changeAnswer: (json, _, isListed) => (isListed ? null : json) })
    await shop.open()
    await watch(8)
    expect(lapsed()).toEqual([])
  })

  it('a cart at a time that only our clock says', async () => {
    const first = createTestShop({ store })
    const clock = { ...first.clock, now: () => first.clock.now() + 5 * 60 * minuteMs }
    openShop({ beside: { shop: first, store }, clock })
    await first.open()
    await watch(1)
    expect(lapsed()).toEqual([])
    await watch(3)
    expect(lapsed()).toEqual(['cart-42'])
  })

  it.each([2, 5, 24, 2_400])('a cart at a time to which our clock was set for a moment, by %d hours', async (hours) => {
    const first = createTestShop({ store })
    let aheadMs = 0
    const clock = {
      ...first.clock,
      now: () => first.clock.now() + aheadMs,
      monotonic: first.clock.now,
    }
    openShop({ beside: { shop: first, store }, clock })
    await first.open()
    const watching = shop.paywindow.watch()
    await shop.pass(2 * minuteMs)
    aheadMs = hours * 60 * minuteMs
    await shop.pass(5 * minuteMs)
    aheadMs = 0
    await shop.pass(5 * minuteMs)
    await shop.run(watching.stop())
    expect(lapsed()).toEqual([])
  })

  it.each([2, 5, 24])('a cart that a clock has made that was %d hours behind', async (hours) => {
    const first = createTestShop({ store })
    let aheadMs = -hours * 60 * minuteMs
    const clock = { ...first.clock, now: () => first.clock.now() + aheadMs, monotonic: first.clock.now }
    openShop({ beside: { shop: first, store }, clock })
    await shop.open()
    aheadMs = 0
    await watch(1)
    expect(lapsed()).toEqual([])
    await watch(2)
    expect(lapsed()).toEqual(['cart-42'])
  })

  it('a cart whose order has an unknown status', async () => {
    openShop({ changeAnswer: (json) => (json.status === 'pending' ? { ...json, status: 'processing' } : json) })
    const { address } = await shop.open()
    await shop.settle()
    shop.sandbox.payer.deposit({ address, amount: '0.0001' })
    await watch(8)
    expect(lapsed()).toEqual([])
  })

  it('a cart with a deposit that the service calls open', async () => {
    let message = ''
    const changeAnswer = (json: object, _: number, isListed: boolean) =>
      isListed || !('status' in json) ? json : { ...json, message }
    openShop({ changeAnswer, readArrival: (order) => (order.message ? { kind: 'short' } : null) })
    await shop.open()
    await shop.settle()
    message = 'The payer has sent too little'
    await watch(4)
    expect(lapsed()).toEqual([])
  })

  it('a cart of whose quotes one cannot be read, or is paid by its details alone', async () => {
    let isDown = false
    const paidId = () => shop.sandbox.orders()[1]?.id ?? ''
    openShop({
      changeAnswer: (json, _, isListed) => {
        if (!isListed || json.id !== paidId()) return json
        return isDown ? null : { ...json, status: 'open' }
      },
    })
    shop.sandbox.faults = ({ url }) => (isDown && url.endsWith(paidId()) ? { kind: 'status', status: 500 } : undefined)
    const first = await shop.open()
    await shop.pass(25 * minuteMs)
    await shop.send('POST', `/checkouts/${first.id}/renew`, { key: first.key, body: {} })
    await shop.settle()
    isDown = true
    pay(shop, 1)
    await watch(4)
    expect(lapsed()).toEqual([])
    isDown = false
    await watch(2)
    expect(lapsed()).toEqual([])
    expect(shop.events.map(({ phase }) => phase)).toEqual(['paid'])
  })
})
