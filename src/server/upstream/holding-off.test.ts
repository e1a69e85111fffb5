import { describe, expect, it } from 'vitest'
import type { Fault } from '../../sandbox/index.ts'
import { inTier } from '../../testing/tier.testing.ts'
import { createTestShop, order, pay, type TestShop } from '../shop.testing.ts'
import { countRequests } from './backlog.testing.ts'

const minuteMs = 60_000
const refusal = (status: number, retryAfter?: string): Fault => ({
  kind: 'status',
  status,
  ...(retryAfter !== undefined && { retryAfter }),
})

async function openCarts(shop: TestShop, count: number) {
  const opened = []
  for (let at = 0; at < count; at++) {
    shop.sells({ price: { asset: 'USD', amount: `${at + 10}` } })
    opened.push(await shop.open({ reference: `cart-${at}` }))
  }
  await shop.settle()
  return opened
}

/** One of each kind: too long, negative, no number, a fraction, two at once, a date too far. */
const someHeaders = ['86400', '-1', 'NaN', '0.5', '5, 86400', 'Fri, 31 Dec 9999 23:59:59 GMT']

describe('hostile Retry-After headers', () => {
  // All fourteen in `npm run test:money`.
  it.each(
    inTier(someHeaders, [
      '86400',
      '999999999',
      '99999999999999999999',
      '-1',
      '1e309',
      'NaN',
      'Infinity',
      '0',
      '0.5',
      'soon',
      '5, 86400',
      'Fri, 31 Dec 9999 23:59:59 GMT',
      'Thu, 01 Jan 1970 00:00:00 GMT',
      'Sun, 99 Foo 2026 10:00:00 GMT',
    ]),
  )('with %j on one order stop nothing for longer than five minutes', async (retryAfter) => {
    const shop = createTestShop()
    await openCarts(shop, 3)
    const victim = order(shop, 0).id
    shop.sandbox.faults = ({ url }) => (url.includes(victim) ? refusal(429, retryAfter) : undefined)
    const watching = shop.paywindow.watch()
    await shop.pass(minuteMs)
    pay(shop, 1)
    await shop.pass(5 * minuteMs + 40_000)
    expect(shop.events.map(({ status }) => status)).toContain('confirmed')
    // It goes on, although the one is refused again and again.
    pay(shop, 2)
    await shop.pass(5 * minuteMs)
    expect(shop.events.filter(({ status }) => status === 'confirmed')).toHaveLength(2)
    shop.sandbox.faults = undefined
    pay(shop, 0)
    await shop.pass(10 * minuteMs)
    await shop.run(watching.stop())
    expect(shop.events.filter(({ status }) => status === 'confirmed')).toHaveLength(3)
  })
})

describe('creations while requests are paused', () => {
  it('are answered at once with the time to retry, send no request, and lose nothing', async () => {
    const shop = createTestShop()
    const requests = countRequests(shop)
    const counting = shop.sandbox.faults
    shop.sandbox.faults = (request) => {
      counting?.(request)
      return refusal(429, '86400')
    }
    await shop.send('POST', '/checkouts', { body: { reference: 'first' } })
    expect(requests.total()).toBe(1)
    for (let cart = 0; cart < 40; cart++) {
      const before = shop.clock.now()
      const answer = await shop.send('POST', '/checkouts', { body: { reference: `cart-${cart % 20}` } })
      expect(answer).toMatchObject({ status: 503, json: { error: { code: 'service_unavailable' } } })
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(300)
      expect(shop.clock.now()).toBe(before)
    }
    expect(requests.total()).toBe(1)
    shop.sandbox.faults = undefined
    await shop.pass(5 * minuteMs)
    expect((await shop.open({ reference: 'cart-3' })).phase).toBe('waiting')
    expect((await shop.open({ reference: 'first' })).phase).toBe('waiting')
  })

  it('continue when forty carts arrive at once and the first is refused', async () => {
    const shop = createTestShop({ creationsPerClient: 1_000 })
    const requests = { POST: 0, GET: 0 }
    shop.sandbox.faults = ({ method }) => {
      requests[method === 'POST' ? 'POST' : 'GET'] += 1
      return refusal(429)
    }
    for (let round = 0; round < 5; round++)
      await Promise.all(
        Array.from({ length: 40 }, (_, cart) =>
          shop.send('POST', '/checkouts', { body: { reference: `cart-${cart}` } }),
        ),
      )
    expect(requests.POST).toBeLessThanOrEqual(20)
    // Whoever has the turn reads the list first.
    expect(requests.GET).toBeLessThanOrEqual(5)
  })
})

describe('a service that refuses everything for an hour', () => {
  // All five in `npm run test:money`; one that asks for a pause, one that refuses and one that
  // failed in `npm test`.
  it.each(inTier([429, 401, 503], [429, 401, 403, 503, 500]))(
    'with %i is left alone, reported, and followed again by itself',
    async (status) => {
      const shop = createTestShop()
      await openCarts(shop, 12)
      const requests = countRequests(shop)
      const counting = shop.sandbox.faults
      shop.sandbox.faults = (request) => {
        counting?.(request)
        return refusal(status)
      }
      const watching = shop.paywindow.watch()
      for (let at = 0; at < 12; at++) pay(shop, at)
      await shop.pass(60 * minuteMs)
      expect(requests.total()).toBeLessThan(60)
      expect(shop.events).toEqual([])
      const lasting = shop.errors.filter(({ code }) => code === 'service_held_off')
      expect(lasting).toHaveLength(1)
      expect(lasting[0]?.message).toContain(String(status))
      shop.sandbox.faults = undefined
      await shop.pass(6 * minuteMs)
      await shop.run(watching.stop())
      expect(shop.events.map(({ status: each }) => each)).toEqual(Array.from({ length: 12 }, () => 'confirmed'))
    },
  )
})

describe('the budget', () => {
  it('is kept, whatever is requested', async () => {
    const shop = createTestShop({ serviceRequestsPerSecond: 3, creationsPerClient: 1_000 })
    const requests = countRequests(shop)
    const watching = shop.paywindow.watch()
    await openCarts(shop, 12)
    await shop.pass(5 * minuteMs)
    await shop.run(watching.stop())
    expect(requests.total()).toBeGreaterThan(100)
    expect(requests.mostInASecond()).toBeLessThanOrEqual(3)
  })

  it('delays stopping a watcher no longer than the reading in progress', async () => {
    const shop = createTestShop({ serviceRequestsPerSecond: 1, creationsPerClient: 1_000 })
    await openCarts(shop, 12)
    await shop.pass(minuteMs)
    const watching = shop.paywindow.watch()
    await shop.pass(100)
    const stoppedAtMs = shop.clock.now()
    await shop.run(watching.stop())
    expect(shop.clock.now() - stoppedAtMs).toBeLessThanOrEqual(10_000)
  })
})
