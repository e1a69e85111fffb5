import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { PaywindowError } from '../../contract/errors.ts'
import type { Settings } from '../options.ts'
import { createTestShop } from '../shop.testing.ts'
import { createClientLimit, createClients, fromHeader, noteSocketAddress, ownAddress } from './clients.ts'

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

  it.each([1, 3, 7, 30])('gives back one of %i when its part of the ten minutes is over', (most) => {
    const time = { nowMs: 0 }
    const limit = createClientLimit(most, () => time.nowMs)
    for (let count = 0; count < most; count++) {
      limit.check('a')
      limit.note('a')
    }
    expect(() => limit.check('a')).toThrow(expect.objectContaining({ retryAfterMs: expect.closeTo(600_000 / most) }))
    time.nowMs = 600_000 / most
    limit.check('a')
    limit.note('a')
    expect(() => limit.check('a')).toThrow('Too many')
  })

  it('remembers at most a hundred thousand clients, and forgets the oldest first', () => {
    const limit = createClientLimit(1, () => 0)
    for (let client = 0; client < 100_001; client++) limit.note(String(client))
    limit.check('0')
    expect(() => limit.check('1')).toThrow('Too many')
    expect(() => limit.check('100000')).toThrow('Too many')
  })
})

/** Clients with a request from each socket, and what they report. */
function setUp(options: Partial<Settings> = {}) {
  const time = { nowMs: 0 }
  const reports: string[] = []
  const report = ({ code, message }: PaywindowError) => reports.push(`${code}: ${message}`)
  const clients = createClients({ creationsPerClient: 30, report, ...options }, () => time.nowMs)
  const request = (headers: Record<string, string> = {}, socket?: string) => {
    const made = new Request('https://shop.example', { headers })
    if (socket !== undefined) noteSocketAddress(made, socket)
    return made
  }
  const begin = (reference: string, from = request()) => {
    clients.check(from, reference)
    clients.note(from, reference)
  }
  return { time, reports, clients, request, begin }
}

describe('payers of whom nothing tells which is which', () => {
  const proxy = '127.0.0.1'
  it.each([
    ['without clientKey', undefined, {}, undefined],
    ['where clientKey returns nothing', () => undefined, {}, proxy],
    ['where clientKey returns an empty text', () => '', {}, proxy],
    ['behind a proxy of this machine', ownAddress, { 'x-forwarded-for': '203.0.113.7' }, '::1'],
    ['behind a proxy of the network', ownAddress, { forwarded: 'for=203.0.113.7' }, '10.0.0.2'],
    ['behind a proxy that does not set the header', fromHeader('x-real-ip'), { 'x-forwarded-for': '1.1.1.1' }, proxy],
    ['behind a proxy that sets none', fromHeader('x-forwarded-for'), {}, 'fd00::2'],
  ])('are reported at once, and not refused for thirty carts of one of them: %s', (_, clientKey, headers, socket) => {
    const { reports, request, begin } = setUp({ clientKey })
    const from = request(headers, socket)
    begin('mallory 0', from)
    expect(reports).toEqual([expect.stringMatching(/^clients_look_alike: Nothing says which visitor .*fromHeader/)])
    for (let cart = 1; cart < 100; cart++) begin(`mallory ${cart}`, from)
    begin('alice', from)
    expect(reports).toHaveLength(1)
  })

  it.each([
    ['a payer on the internet', ownAddress, {}, '203.0.113.7'],
    ['a payer who writes a header', ownAddress, { 'x-forwarded-for': '198.51.100.1' }, '203.0.113.7'],
    ['a developer', ownAddress, {}, proxy],
    ['a payer whom the proxy names', fromHeader('x-forwarded-for'), { 'x-forwarded-for': '203.0.113.7' }, proxy],
    ['a payer of the same network', fromHeader('x-forwarded-for'), { 'x-forwarded-for': '1.1.1.1, 10.0.0.9' }, proxy],
    ['a visitor whom the shop names', () => 'visitor 7', { 'x-forwarded-for': '203.0.113.7' }, proxy],
  ])('do not include %s, who has a limit of their own', (_, clientKey, headers, socket) => {
    const { reports, request, begin } = setUp({ clientKey })
    const from = request(headers, socket)
    for (let quote = 0; quote < 30; quote++) begin('cart', from)
    expect(() => begin('cart', from)).toThrow('Too many')
    expect(reports).toEqual([])
  })

  it('are refused for a few seconds when ten times the limit is used up, and that is reported each hour', () => {
    const { time, reports, begin } = setUp()
    for (let cart = 0; cart < 300; cart++) begin(`cart ${cart}`)
    const refused = () => expect(() => begin('alice')).toThrow(expect.objectContaining({ retryAfterMs: 2_000 }))
    for (let again = 0; again < 3; again++) refused()
    expect(reports).toEqual([expect.any(String), expect.stringContaining('all payers together have used up')])
    time.nowMs += 2_000
    begin('alice')
    time.nowMs += 3_600_000
    for (let cart = 0; cart < 300; cart++) begin(`cart ${cart}`)
    refused()
    expect(reports).toHaveLength(4)
  })

  it('are reported to the merchant by a server that was mounted by its fetch', async () => {
    const shop = createTestShop({ clientKey: undefined })
    await shop.open()
    expect(shop.errors.map(({ code }) => code)).toEqual(['clients_look_alike'])
  })
})

it.each([[42], [Promise.resolve('visitor 7')], [['203.0.113.7']]])('a clientKey that returns %o is named', (name) => {
  const { clients, request } = setUp({ clientKey: () => name as unknown as string })
  expect(() => clients.check(request(), 'cart')).toThrow(
    expect.objectContaining({ code: 'callback_failed', message: 'clientKey must return a text at once' }),
  )
})

it('clients whose long names differ at their ends have a limit each', () => {
  const { request, begin } = setUp({ clientKey: (from) => from.headers.get('authorization') ?? undefined })
  const visitor = (name: string) => request({ authorization: `Bearer ${'x'.repeat(300)}${name}` })
  for (let cart = 0; cart < 30; cart++) begin(`cart ${cart}`, visitor('alice'))
  expect(() => begin('cart', visitor('alice'))).toThrow('Too many')
  begin('cart', visitor('bob'))
})

it('a clientKey that throws is named, with what it has thrown', () => {
  const cause = new TypeError("Cannot read properties of undefined (reading 'id')")
  const { clients, request } = setUp({
    clientKey: () => {
      throw cause
    },
  })
  for (const call of [clients.check, clients.note])
    expect(() => call(request(), 'cart')).toThrow(
      expect.objectContaining({ code: 'callback_failed', message: 'clientKey threw: see its cause', cause }),
    )
})

it('a clientKey that rejects is named, and ends no process', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  const clientKey = async () => {
    throw new Error('no session')
  }
  const shop = createTestShop({ clientKey: clientKey as unknown as Settings['clientKey'] })
  const { status, json } = await shop.send('POST', '/checkouts', { body: { reference: 'cart-42' } })
  expect([status, json.error]).toMatchObject([500, { code: 'internal' }])
  expect(shop.errors.map(({ message }) => message)).toEqual(['clientKey must return a text at once'])
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

describe('payers behind a proxy whose address is taken for theirs', () => {
  /** Opens carts as a proxy passes them on, each from an address of its own. */
  function open(clientKey: Settings['clientKey'], carts: number, header: string) {
    const { reports, request, clients } = setUp({ creationsPerClient: 1_000, clientKey })
    for (let at = 0; at < carts; at++)
      clients.note(request(header === '' ? {} : { [header]: `203.0.113.${at}` }), `cart ${at}`)
    return reports
  }
  const ofProxy = () => '198.51.100.1'

  it('are reported once when they all share one limit', () => {
    expect(open(ofProxy, 40, 'forwarded')).toEqual([expect.stringContaining('a proxy names several payers')])
  })

  it('are not reported while they are few, where no proxy says anything, or where the header is read', () => {
    expect(open(ofProxy, 9, 'x-forwarded-for')).toEqual([])
    expect(open(ofProxy, 40, '')).toEqual([])
    expect(open((request) => request.headers.get('x-forwarded-for') ?? '', 40, 'x-forwarded-for')).toEqual([])
  })

  it.each([30, 5])(
    'are reported once when they are refused together, after %i carts, although no proxy says anything',
    (carts) => {
      const { reports, begin, clients, request } = setUp({ clientKey: ofProxy })
      for (let at = 0; at < 30; at++) begin(`cart ${at % carts}`)
      expect(reports).toEqual([])
      for (let other = 0; other < 10; other++)
        expect(() => clients.check(request(), `other ${other}`)).toThrow('Too many')
      expect(reports).toEqual([expect.stringContaining('A client was refused')])
    },
  )

  it('are not reported when one payer is refused who has few carts', () => {
    const { reports, begin } = setUp({ clientKey: ofProxy })
    for (let at = 0; at < 30; at++) begin(`cart ${at % 9}`)
    for (let again = 0; again < 20; again++) expect(() => begin('cart 0')).toThrow('Too many')
    expect(reports).toEqual([])
  })

  it('are not reported where one of them has many carts', () => {
    const { reports, request, begin } = setUp({ creationsPerClient: 1_000, clientKey: () => '203.0.113.7' })
    for (let at = 0; at < 40; at++) begin(`cart ${at}`, request({ 'x-forwarded-for': `${at}.1.1.1, 203.0.113.7` }))
    expect(reports).toEqual([])
  })
})

describe('what is remembered of clients', () => {
  it('has nothing of the long headers that they send', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc')
    const heap = () => {
      collect()
      return process.memoryUsage().heapUsed
    }
    const { request, clients } = setUp({ clientKey: (from) => from.headers.get('x-client') ?? '' })
    const before = heap()
    for (let at = 0; at < 1_500; at++) {
      const long = `${at}.`.padEnd(12_000, 'x')
      clients.note(request({ 'x-client': `${at % 750} ${long}`, 'x-forwarded-for': long }), long)
    }
    const grown = heap() - before
    clients.check(request({ 'x-client': 'alice' }), 'so that what is remembered is still in use')
    // Any of the three texts would keep 12,000 characters each time.
    expect(grown).toBeLessThan(4_000_000)
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
