import { describe, expect, it } from 'vitest'
import type { Settings } from '../options.ts'
import { createTestShop } from '../shop.testing.ts'
import { createClients } from './clients.ts'
import { createClientLimit } from './limits.ts'

describe('createClientLimit', () => {
  it('allows a number of checkouts in ten minutes, and the same number afterwards', () => {
    const time = { nowMs: 0 }
    const limit = createClientLimit(2, () => time.nowMs)
    for (let count = 0; count < 2; count++) {
      limit.check('a')
      limit.note('a')
    }
    expect(() => limit.check('a')).toThrow('Too many')
    limit.check('b')
    time.nowMs = 600_000
    limit.check('a')
  })

  it('remembers at most a hundred thousand clients, and forgets the oldest first', () => {
    const limit = createClientLimit(1, () => 0)
    for (let client = 0; client < 100_001; client++) limit.note(String(client))
    limit.check('0')
    expect(() => limit.check('1')).toThrow('Too many')
    expect(() => limit.check('100000')).toThrow('Too many')
  })
})

describe('payers behind a proxy', () => {
  /** Opens carts as a proxy passes them on, each from an address of its own. */
  function open(options: Pick<Settings, 'clientKey'>, carts: number, header = 'x-forwarded-for') {
    const codes: string[] = []
    const report = ({ code }: { code: string }) => codes.push(code)
    const clients = createClients({ creationsPerClient: 1_000, report, ...options }, () => 0)
    for (let at = 0; at < carts; at++)
      clients.note(
        new Request('https://shop.example', { headers: header === '' ? {} : { [header]: `203.0.113.${at}` } }),
        `cart ${at}`,
      )
    return codes
  }

  it('are reported once when they all share one limit', () => {
    expect(open({}, 40)).toEqual(['clients_look_alike'])
    expect(open({ clientKey: () => '127.0.0.1' }, 40, 'forwarded')).toEqual(['clients_look_alike'])
  })

  it('are not reported while they are few, where no proxy says anything, or where the header is read', () => {
    expect(open({}, 9)).toEqual([])
    expect(open({}, 40, '')).toEqual([])
    expect(open({ clientKey: (request) => request.headers.get('x-forwarded-for') ?? '' }, 40)).toEqual([])
  })

  it('are reported once when they are refused together, although no proxy says anything', () => {
    const codes: string[] = []
    const report = ({ code }: { code: string }) => codes.push(code)
    const clients = createClients({ creationsPerClient: 30, report }, () => 0)
    const request = new Request('https://shop.example')
    for (let at = 0; at < 30; at++) {
      clients.check(request)
      clients.note(request, `cart ${at}`)
    }
    expect(codes).toEqual([])
    for (let again = 0; again < 3; again++) expect(() => clients.check(request)).toThrow('Too many')
    expect(codes).toEqual(['clients_look_alike'])
  })

  it('are not reported when one payer is refused who has few carts', () => {
    const codes: string[] = []
    const report = ({ code }: { code: string }) => codes.push(code)
    const clients = createClients({ creationsPerClient: 30, report }, () => 0)
    const request = new Request('https://shop.example')
    for (let at = 0; at < 30; at++) clients.note(request, `cart ${at % 9}`)
    expect(() => clients.check(request)).toThrow('Too many')
    expect(codes).toEqual([])
  })

  it('are not reported where one of them has many carts', () => {
    const codes: string[] = []
    const report = ({ code }: { code: string }) => codes.push(code)
    const settings = { creationsPerClient: 1_000, report, clientKey: () => '203.0.113.7' }
    const clients = createClients(settings, () => 0)
    for (let at = 0; at < 40; at++)
      clients.note(
        new Request('https://shop.example', { headers: { 'x-forwarded-for': `${at}.1.1.1, 203.0.113.7` } }),
        `cart ${at}`,
      )
    expect(codes).toEqual([])
  })
})

describe('a service that refuses every creation', () => {
  const refuse = (shop: ReturnType<typeof createTestShop>) => {
    shop.sandbox.faults = ({ method }) => (method === 'POST' ? { kind: 'status', status: 400 } : undefined)
  }

  it('gets at most six requests an hour for one checkout, however often a browser posts', async () => {
    const shop = createTestShop()
    refuse(shop)
    const answers: number[] = []
    for (let post = 0; post < 500; post++)
      answers.push((await shop.send('POST', '/checkouts', { body: { reference: 'cart' } })).status)
    expect(shop.creations()).toBe(6)
    expect(new Set(answers)).toEqual(new Set([502, 503]))
    await shop.pass(3_600_000)
    shop.sandbox.faults = undefined
    expect((await shop.open({ reference: 'cart' })).phase).toBe('waiting')
  })

  it('gets no more requests from several servers on one store, or after a restart', async () => {
    const { createMemoryStore } = await import('../store/memory.ts')
    const store = createMemoryStore()
    const shop = createTestShop({ store })
    const other = createTestShop({ beside: { shop, store } })
    refuse(shop)
    for (let post = 0; post < 20; post++) {
      await shop.send('POST', '/checkouts', { body: { reference: 'cart' } })
      await other.send('POST', '/checkouts', { body: { reference: 'cart' } })
    }
    expect(shop.creations() + other.creations()).toBe(6)
  })

  it('gets at most as many requests from one client with many carts as a client may create checkouts', async () => {
    const shop = createTestShop({ creationsPerClient: 10 })
    refuse(shop)
    for (let post = 0; post < 100; post++)
      await shop.send('POST', '/checkouts', { body: { reference: `cart-${post % 25}` } })
    expect(shop.creations()).toBeLessThanOrEqual(10)
  })

  it("gets no more requests than the cart's limit when a cart changes its price", async () => {
    const shop = createTestShop({ creationsPerCart: 8, creationsPerClient: 1_000 })
    refuse(shop)
    for (let post = 0; post < 100; post++) {
      shop.offer = {
        price: { asset: 'USD', amount: `${1 + (Math.floor(post / 5) % 3)}` },
        methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
        merchant: { name: 'Lantern Books' },
      }
      await shop.send('POST', '/checkouts', { body: { reference: 'cart' } })
    }
    expect(shop.creations()).toBeLessThanOrEqual(8)
  })
})
