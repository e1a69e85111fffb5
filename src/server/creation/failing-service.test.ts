import { describe, expect, it } from 'vitest'
import type { Fault } from '../../sandbox/index.ts'
import { createTestShop, deposit, requestOf, type TestShop } from '../shop.testing.ts'

/** Whether an answer carries anything that must stay on the server. */
function secretsIn(shop: TestShop, text: string): string[] {
  const { accessToken, subAccountId } = shop.sandbox.access
  return [accessToken, subAccountId, ...shop.sandbox.orders().map(({ id }) => id)].filter((secret) =>
    text.includes(secret),
  )
}

describe('a service that fails', () => {
  const faults: [string, Fault, number, string][] = [
    [
      '400 with a message',
      { kind: 'status', status: 400, message: 'Amount below minimum for account 77' },
      502,
      'service_refused',
    ],
    ['401', { kind: 'status', status: 401 }, 502, 'service_refused'],
    ['403', { kind: 'status', status: 403 }, 502, 'service_refused'],
    ['429', { kind: 'status', status: 429, retryAfter: '7' }, 503, 'service_unavailable'],
    ['500', { kind: 'status', status: 500 }, 503, 'service_unavailable'],
    ['HTML', { kind: 'html' }, 502, 'service_invalid'],
    ['half a body', { kind: 'truncated' }, 502, 'service_invalid'],
    ['two bodies', { kind: 'duplicated' }, 502, 'service_invalid'],
    ['nothing', { kind: 'empty' }, 502, 'service_invalid'],
    ['a connection that breaks', { kind: 'reset' }, 503, 'service_unavailable'],
    ['silence', { kind: 'hang' }, 503, 'service_unavailable'],
  ]

  it.each(faults)(
    'with %s: reports the failure, and shows the panel once the service works again',
    async (_, fault, status, code) => {
      const shop = createTestShop()
      shop.sandbox.faults = (request) => (request.method === 'POST' ? fault : undefined)
      const answer = await shop.send('POST', '/checkouts', { body: { reference: 'cart-42' } })
      expect(answer).toMatchObject({ status, json: { error: { code } } })
      expect(JSON.stringify(answer.json)).not.toContain('minimum')
      expect(secretsIn(shop, JSON.stringify(answer.json))).toEqual([])
      expect(shop.errors.length).toBeGreaterThan(0)
      expect(JSON.stringify(shop.errors.map(({ message }) => message))).not.toContain(shop.sandbox.access.accessToken)
      shop.sandbox.faults = undefined
      await shop.pass(30_000)
      const checkout = await shop.open()
      expect(
        shop.sandbox
          .orders()
          .some(({ address, sourceAmount }) => address === checkout.address && sourceAmount === checkout.amount),
      ).toBe(true)
    },
  )

  it('is not asked again for an order once the cart has a deposit', async () => {
    const shop = createTestShop()
    const old = await shop.open()
    await shop.settle()
    await shop.pass(1_300_000)
    await shop.poll(old)
    let asked = 0
    shop.sandbox.faults = (request) => {
      if (request.method !== 'POST') return undefined
      asked++
      return { kind: 'hang' }
    }
    const { id, key } = old
    const poll = () => shop.paywindow.fetch(requestOf('GET', `/checkouts/${id}`, { key }))
    const renew = () => shop.paywindow.fetch(requestOf('POST', `/checkouts/${id}/renew`, { key, body: {} }))
    const paying = async () => {
      await shop.clock.sleep(3_000)
      deposit(shop)
      await poll()
    }
    const [renewed] = await shop.run(Promise.all([renew(), paying()]))
    expect(asked).toBe(1)
    expect(renewed.status).toBe(503)
    expect(await shop.run(renew())).toMatchObject({ status: 409 })
  })

  it('passes on how long to wait', async () => {
    const shop = createTestShop()
    shop.sandbox.faults = () => ({ kind: 'status', status: 429, retryAfter: '7' })
    expect((await shop.send('POST', '/checkouts', { body: { reference: 'a' } })).headers.get('retry-after')).toBe('7')
  })

  it('keeps the panel when the status cannot be read', async () => {
    const shop = createTestShop()
    const checkout = await shop.open()
    await shop.settle()
    shop.sandbox.faults = () => ({ kind: 'status', status: 500 })
    await shop.pass(5_000)
    expect(await shop.poll(checkout)).toMatchObject({ id: checkout.id, address: checkout.address, phase: 'waiting' })
  })

  it('answers a poll with the last known status when the service is silent', async () => {
    const shop = createTestShop()
    const checkout = await shop.open()
    await shop.settle()
    shop.sandbox.faults = () => ({ kind: 'hang' })
    await shop.pass(5_000)
    const before = shop.clock.now()
    expect((await shop.poll(checkout)).phase).toBe('waiting')
    expect(shop.clock.now() - before).toBeLessThanOrEqual(4_000)
  })

  it('sends one request for an order however many browsers poll', async () => {
    const shop = createTestShop()
    const checkout = await shop.open()
    await shop.settle()
    await shop.pass(5_000)
    let asked = 0
    shop.sandbox.faults = () => {
      asked++
      return undefined
    }
    const poll = () => shop.paywindow.fetch(requestOf('GET', `/checkouts/${checkout.id}`, { key: checkout.key }))
    await shop.run(Promise.all(Array.from({ length: 50 }, poll)))
    expect(asked).toBe(1)
  })
})
