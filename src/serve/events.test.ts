import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSocketServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Arrival } from '../contract/checkout.ts'
import type { StatusEvent } from '../server/options.ts'
import { createTestShop, pay } from '../server/shop.testing.ts'
import { someMerchantCheckout } from '../server/views/merchant.testing.ts'
import type { MerchantCheckout } from '../server/views/merchant-view.ts'
import { checkReceiver, createTelling, toLapsedEvent, toShopEvent } from './events.ts'
import { openApi } from './openapi.ts'

const secrets = ['whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3', 'whsec_b3RoZXIgb3RoZXIgb3RoZXIgb3RoZXIgb3RoZXI='] as const
const price = { asset: 'USD', amount: '49.90' }
const at = '2026-11-21T09:43:00.000Z'

const checkout = someMerchantCheckout({
  id: '0kx1m2n3p4abcdefghjk',
  reference: 'order-42',
  orderNumber: '2026/0042',
  status: 'pending',
  phase: 'seen',
  history: [{ status: 'pending', phase: 'seen', at }],
  order: { id: 'service-order', evidence: 'only_candidate' },
  untoldEvents: 1,
})
/** Tells of changes as the server does. */
function tellingOf(...parts: Parameters<typeof createTelling>) {
  const tell = createTelling(...parts)
  return (event: StatusEvent) => tell(event.eventId, toShopEvent(event))
}

const event: StatusEvent = {
  eventId: '0kx1m2n3p4abcdefghjk-pending-abcdefghijkl',
  reference: 'order-42',
  orderNumber: '2026/0042',
  price,
  status: 'pending',
  previousStatus: 'open',
  phase: 'seen',
  at,
  checkout,
  alsoPaid: [],
}

describe('the event of a change', () => {
  const arrived = (kind: Arrival['kind']) => ({ checkout: { ...checkout, arrival: { kind } } })
  const late = { checkout: { ...checkout, isLate: true } }
  const wasPaid = { previousStatus: 'confirmed' }

  it.each<[type: string, changes: object]>([
    ['seen', {}],
    ['seen', arrived('exact')],
    ['seen', arrived('other')],
    ['short', arrived('short')],
    ['over', arrived('over')],
    ['late', arrived('late')],
    ['late', late],
    ['short', { checkout: { ...late.checkout, arrival: { kind: 'short' } } }],
    ['returned', arrived('returning')],
    ['taken_back', wasPaid],
    ['taken_back', { ...wasPaid, ...arrived('short') }],
    ['paid', { phase: 'paid' }],
    ['paid', { phase: 'paid', ...late }],
    ['paid', { phase: 'paid', ...arrived('over') }],
    ['paid_twice', { phase: 'paid', alsoPaid: ['another'] }],
    ['short', { phase: 'paid_less' }],
    ['short', { phase: 'paid_less', alsoPaid: ['another'] }],
    ['over', { phase: 'paid_more' }],
    ['ended', { phase: 'ended' }],
    ['ended', { phase: 'ended', ...arrived('short') }],
    ['returned', { phase: 'ended', ...arrived('returning') }],
    ['taken_back', { phase: 'ended', ...wasPaid }],
    ['taken_back', { phase: 'ended', ...wasPaid, ...arrived('returning') }],
    ['taken_back', { phase: 'waiting', previousStatus: 'pending' }],
    ['taken_back', { phase: 'waiting', ...wasPaid }],
  ])('is %s for %j', (type, changes) => {
    expect(toShopEvent({ ...event, ...changes } as StatusEvent).type).toBe(`payment.${type}`)
  })

  it('has all that a shop compares, as text', () => {
    expect(toShopEvent(event)).toEqual({
      type: 'payment.seen',
      timestamp: at,
      data: {
        order: 'order-42',
        number: '2026/0042',
        price,
        received: null,
        phase: 'seen',
        status: 'pending',
        checkout: checkout.id,
        at,
        also_paid: [],
        test: false,
      },
    })
  })

  it('is what the OpenAPI document says of it', () => {
    const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } })
    ajv.addSchema(JSON.parse(JSON.stringify(openApi('0.0.0'))), 'openapi')
    const follows = ajv.compile({ $ref: 'openapi#/components/schemas/Event' })
    for (const each of [toShopEvent(event), toLapsedEvent({ ...checkout, phase: 'waiting', status: 'open' }, at)])
      expect([follows(each), follows.errors]).toEqual([true, null])
    expect(follows({ ...toShopEvent(event), type: 'payment.other' })).toBe(false)
  })

  it('of an order that nobody pays has what is known of its newest quote', () => {
    const waiting = { ...checkout, phase: 'waiting', status: 'open', history: [] } as const
    const { data, ...rest } = toLapsedEvent(waiting, at)
    expect(rest).toEqual({ type: 'payment.lapsed', timestamp: at })
    expect(data).toEqual({ ...toShopEvent(event).data, phase: 'waiting', status: 'open' })
  })

  it.each<[string, Partial<MerchantCheckout>, object]>([
    ['before it is confirmed', { arrival: { kind: 'short', received: price } }, { deposit: price, price: null }],
    [
      'as the service confirmed it',
      { arrival: { kind: 'short', received: price }, received: { deposit: null, price } },
      { deposit: null, price },
    ],
  ])('says what came %s', (_, changes, received) => {
    expect(toShopEvent({ ...event, checkout: { ...checkout, ...changes } }).data.received).toEqual(received)
  })
})

/** A shop that answers as it is told, on this machine. */
async function openShop(answer: (response: ServerResponse, request: IncomingMessage) => void) {
  const requests: { readonly headers: IncomingMessage['headers']; readonly body: string; readonly line: string }[] = []
  const server = createServer(async (request, response) => {
    requests.push({ headers: request.headers, body: await text(request), line: `${request.method} ${request.url}` })
    answer(response, request)
  })
  return { requests, url: `${await portOf(server)}/events?shop=1` }
}

async function portOf(server: Server): Promise<string> {
  onTestFinished(() => {
    if ('closeAllConnections' in server && typeof server.closeAllConnections === 'function')
      server.closeAllConnections()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}`
}

const found =
  (...addresses: string[]) =>
  (_: string, __: object, callback: (error: null, found: object[]) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
const world = (timeoutMs = 5_000, ...addresses: string[]) => ({
  lookup: found(...addresses) as never,
  now: Date.now,
  timeoutMs,
})

describe('the shop', () => {
  it('gets an event that the library of the specification verifies, by either secret', async () => {
    const shop = await openShop((response) => response.writeHead(204).end())
    await tellingOf({ url: shop.url, allowPrivate: true }, secrets)(event)
    const [{ headers, body, line } = { headers: {}, body: '', line: '' }] = shop.requests
    expect([line, headers['content-type'], headers['webhook-id']]).toEqual([
      'POST /events?shop=1',
      'application/json',
      event.eventId,
    ])
    for (const secret of secrets)
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(toShopEvent(event))
    const forged = body.replace('49.90', '49.91')
    expect(() => new Webhook(secrets[0]).verify(forged, headers as Record<string, string>)).toThrow(/signature/i)
  })

  it.each([200, 201, 202, 204, 299])('has taken it with %d', async (status) => {
    const { url } = await openShop((response) => response.writeHead(status).end())
    await expect(tellingOf({ url, allowPrivate: true }, secrets)(event)).resolves.toBeUndefined()
  })

  it.each([
    [301, /answered 301: a redirect, which is not followed/],
    [303, /answered 303: a redirect/],
    [307, /answered 307: a redirect/],
    [304, /answered 304: a redirect/],
    [400, /answered 400, not 2xx/],
    [410, /answered 410, not 2xx/],
    [500, /answered 500, not 2xx/],
  ])('has not taken it with %d', async (status, message) => {
    const target = await openShop((response) => response.writeHead(200).end())
    const { url } = await openShop((response) => response.writeHead(status, { location: target.url }).end())
    await expect(tellingOf({ url, allowPrivate: true }, secrets)(event)).rejects.toThrow(message)
    expect(target.requests).toEqual([])
  })

  it.each<[string, (response: ServerResponse) => void]>([
    ['never answers', () => undefined],
    ['promises an answer', (response) => response.writeContinue()],
    ['breaks off', (response) => response.destroy()],
    ['speaks no HTTP', (response) => response.socket?.end('hello\r\n\r\n')],
    [
      'speaks another protocol',
      (response) => response.socket?.end('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
  ])('that %s has not taken it, and ends nothing', async (_, answer) => {
    const { url } = await openShop(answer)
    await expect(tellingOf({ url, allowPrivate: true }, secrets, world(200))(event)).rejects.toThrow()
  })

  it('that hangs is given up in words', async () => {
    const { url } = await openShop(() => undefined)
    const telling = tellingOf({ url, allowPrivate: true }, secrets, world(100))
    await expect(telling(event)).rejects.toThrow('The shop did not answer within 0.1 seconds')
  })

  it('at a name with several addresses, all of them closed, is missed in words', async () => {
    const closed = createServer()
    const { port } = new URL(await portOf(closed))
    await new Promise((resolve) => closed.close(resolve))
    const receiver = { url: `http://shop.example:${port}/`, allowPrivate: true }
    const telling = createTelling(receiver, secrets, world(2_000, '127.0.0.1', '127.0.0.2'))
    await expect(telling('e1', toShopEvent(event))).rejects.toThrow(/^connect ECONNREFUSED /)
  })

  it('that answers without an end has taken it', async () => {
    const { url } = await openShop((response) => response.writeHead(200).write('x'))
    await expect(tellingOf({ url, allowPrivate: true }, secrets)(event)).resolves.toBeUndefined()
  })

  it('gets each event until it takes it, under the same id, and again by retell', async () => {
    let status = 500
    const shop = await openShop((response) => response.writeHead(status).end())
    const { paywindow, clock, errors, sandbox, ...server } = createTestShop({
      onStatusChange: tellingOf({ url: shop.url, allowPrivate: true }, secrets),
    })
    const { id } = await server.open()
    await server.settle()
    pay({ paywindow, clock, errors, sandbox, ...server } as never)
    const watching = paywindow.watch()
    const told = () => new Set(shop.requests.map(({ headers }) => headers['webhook-id']))
    await untilTrue(
      () => shop.requests.length >= 1,
      () => clock.run(clock.sleep(5_000)),
    )
    status = 200
    await untilTrue(
      async () => (await paywindow.checkouts.get(id))?.untoldEvents === 0,
      () => clock.run(clock.sleep(5_000)),
    )
    expect(errors).toContainEqual(expect.objectContaining({ code: 'callback_failed' }))
    const before = shop.requests.length
    await paywindow.retell(id)
    await untilTrue(
      () => shop.requests.length > before,
      () => clock.run(clock.sleep(1_000)),
    )
    expect([...told()]).toEqual([expect.stringMatching(`^${id}-confirmed-`)])
    await clock.run(watching.stop())
  })
})

/** Lets time pass until something is so: sockets are in no virtual time. */
async function untilTrue(is: () => boolean | Promise<boolean>, pass: () => Promise<unknown>): Promise<void> {
  for (let at = 0; at < 200; at++) {
    if (await is()) return
    await pass()
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error('nothing came')
}

describe('an address of a private network', () => {
  it.each([
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://10.1.2.3/x',
    'https://2130706433/x',
    'https://[::ffff:7f00:1]/',
    'https://169.254.169.254/latest',
    'https://0177.0.0.1/',
    'https://0x7f.1/',
    'https://127.1./',
    'https://0/',
    'https://１２７.0.0.1/',
    'https://[::7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fe80::1]/',
  ])('%s is not reached', async (url) => {
    await expect(tellingOf({ url }, secrets)(event)).rejects.toThrow(/is not a public address/)
  })

  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fd00::1'])(
    '%s is not reached by a name',
    async (address) => {
      const connections: unknown[] = []
      const server = createSocketServer((socket) => connections.push(socket.destroy()))
      const port = new URL(await portOf(server)).port
      const telling = tellingOf({ url: `https://shop.example:${port}/` }, secrets, world(2_000, address))
      await expect(telling(event)).rejects.toThrow('shop.example has no public address')
      expect(connections).toEqual([])
    },
  )

  it('cannot take the place of the one that was checked', async () => {
    const { url, requests } = await openShop((response) => response.writeHead(200).end())
    const asked: string[] = []
    const lookup = (name: string, _: object, callback: (error: null, found: object[]) => void) =>
      callback(null, [{ address: asked.push(name) > 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }])
    const receiver = { url: url.replace('127.0.0.1', 'shop.example'), allowPrivate: true }
    await tellingOf(receiver, secrets, { ...world(), lookup: lookup as never })(event)
    expect([asked, requests.length]).toEqual([['shop.example'], 1])
  })

  it('is reached where the shop is there', async () => {
    const { url, requests } = await openShop((response) => response.writeHead(200).end())
    const telling = tellingOf({ url: url.replace('127.0.0.1', 'localhost'), allowPrivate: true }, secrets)
    await telling(event)
    expect(requests).toHaveLength(1)
  })
})

describe('an address of events', () => {
  it.each<[string, boolean | undefined, RegExp | undefined]>([
    ['https://shop.example/events', undefined, undefined],
    ['http://shop.example/events', undefined, /^shops\.books\.events\.url must begin with https/],
    ['http://shop.example/events', true, undefined],
  ])('%s with allowPrivate %s', (url, allowPrivate, message) => {
    const check = () =>
      checkReceiver({ url, ...(allowPrivate !== undefined && { allowPrivate }) }, 'shops.books.events')
    if (message) expect(check).toThrow(message)
    else expect(check).not.toThrow()
  })
})
