/** A signed reference opens its cart, so it is in nothing that others may log. */
import { expect, it, vi } from 'vitest'
import { bitcoin, createTestShop, order, pay, type TestShop, xrp } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { Occurrence } from './occurrence.ts'
import type { Logger } from './reporting.ts'

const signature = 'Zt0y5K1q8Xv_Jw2LrB-7mQ'
const reference = `cart-42.${signature}`
const written = [signature, ...[0, 1, 2].map((at) => btoa(`${'x'.repeat(at)}${reference}`).slice(4, -4))]

/** All reports of a server, and its answers without their bodies. */
function listening(options: Parameters<typeof createTestShop>[0] = {}) {
  const told: unknown[] = []
  const write = (...line: unknown[]) => void told.push(line)
  const logger: Logger = { debug: write, info: write, warn: write, error: write }
  const printed = vi.spyOn(console, 'error').mockImplementation(write)
  const telemetry = { note: (occurrence: Occurrence) => void told.push(occurrence), watch: () => () => undefined }
  const shop = createTestShop({ logger, telemetry, ...options })
  const send: TestShop['send'] = async (...request) => {
    const answer = await shop.send(...request)
    told.push([...answer.headers])
    return answer
  }
  return {
    shop,
    send,
    open: (more: object = {}) => send('POST', '/checkouts', { body: { reference, ...more } }),
    codes: () => shop.errors.map(({ code }) => code),
    expectNothing: () => {
      const text = JSON.stringify([told, shop.errors.map(({ message, cause }) => [message, String(cause)])])
      for (const part of written) expect(text).not.toContain(part)
      printed.mockRestore()
      expect(told.length).toBeGreaterThan(0)
    },
  }
}

it('is in no line of the log, no metric and no header, from the first request to a cart that is paid twice and used again', async () => {
  const { shop, send, open, codes, expectNothing } = listening()
  shop.sells({ methods: [bitcoin, xrp] })
  await send('POST', '/offer', { body: { reference } })
  await open()
  const opened = [await open({ asset: 'BTC', network: 'bitcoin' }), await open({ asset: 'XRP', network: 'ripple' })]
  await shop.settle()
  pay(shop)
  const { address, tag, sourceAmount, id } = order(shop, 1)
  shop.sandbox.payer.deposit({ address: address ?? '', tag, asset: 'XRP', network: 'ripple', amount: sourceAmount })
  shop.sandbox.payer.confirm(id)
  for (const { json } of [...opened, ...opened]) {
    await shop.pass(60_000)
    await send('GET', `/checkouts/${json.id}`, { key: String(json.key) })
    await shop.settle()
  }
  expect(shop.events.map(({ phase }) => phase)).toEqual(['paid', 'paid'])
  shop.sells({ price: { asset: 'USD', amount: '99.00' } })
  await open()
  expect(codes()).toEqual(expect.arrayContaining(['paid_twice', 'offer_invalid']))
  expectNothing()
})

/** Failures, and their causes. */
const failures: readonly (readonly [string, (shop: TestShop) => void])[] = [
  ['what offer returns is wrong', (shop) => shop.sells({ methods: [] })],
  [
    'offer throws',
    (shop) => {
      Object.defineProperty(shop, 'offer', {
        get: () => {
          throw new RangeError('the database of carts is away')
        },
      })
    },
  ],
  [
    'the service refuses',
    (shop) => {
      shop.sandbox.faults = () => ({ kind: 'status', status: 400 })
    },
  ],
]

it.each(failures)('is in no message and nothing that is printed, where %s', async (_, spoil) => {
  const deaf = () => {
    throw new Error('nobody listens')
  }
  // Without a listener errors are printed.
  for (const options of [{}, { onError: deaf }]) {
    const { shop, send, open, expectNothing } = listening(options)
    spoil(shop)
    expect((await open()).status).toBeGreaterThan(400)
    await send('POST', '/offer', { body: { reference } })
    expectNothing()
  }
})

it('is in no message of a record that cannot be read; onError gets it beside', async () => {
  const store = createMemoryStore()
  await store.create({ key: `cart ${reference}`, value: '{', due: [], labels: [] })
  const onError = vi.fn()
  const { open, expectNothing } = listening({ store, onError })
  expect((await open()).status).toBe(500)
  const unread = onError.mock.calls.find(([{ code }]) => code === 'record_unreadable')
  expect(unread?.[1]).toEqual({ reference })
  expect(onError.mock.calls.map(([{ message }]) => message).join()).not.toContain(signature)
  expectNothing()
})

it('is in no message of a record that others change again and again', async () => {
  const store = createMemoryStore()
  const cart = JSON.stringify({ v: 1, reference, entries: [], chosen: null })
  await store.create({ key: `cart ${reference}`, value: cart, due: [], labels: [] })
  const { shop, open, expectNothing } = listening({ store: { ...store, replace: async () => false } })
  expect((await open()).status).toBe(500)
  expect(shop.errors.map(({ message }) => message).join()).toContain('changes faster than it can be written')
  expectNothing()
})
