import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openPort } from '../server/http/listen.ts'
import { createMemoryStore } from '../server/store/memory.ts'
import { openDesk } from './desk/desk.testing.ts'
import type { ShopEvent } from './events.ts'
import { createTold } from './told.ts'

const event = { type: 'payment.paid', data: { checkout: 'c1' } } as ShopEvent

describe('what a shop was told', () => {
  const store = () => createMemoryStore(() => 0)

  it('is kept by event, with how often and why not, and told on as it was', async () => {
    let nowMs = 0
    let failure: Error | undefined = new Error('The shop answered 500, not 2xx')
    const { keeping, read } = createTold(store(), () => nowMs)
    const tell = keeping(
      async () => {
        if (failure) throw failure
      },
      (error) => expect.fail(String(error)),
    )
    await expect(tell('e1', event)).rejects.toBe(failure)
    nowMs = 60_000
    await expect(tell('e1', event)).rejects.toBe(failure)
    const first = { id: 'e1', type: 'payment.paid', firstAt: '1970-01-01T00:00:00.000Z' }
    const last = '1970-01-01T00:01:00.000Z'
    expect(await read('c1')).toEqual([{ ...first, lastAt: last, times: 2, failure: failure.message }])
    failure = undefined
    await tell('e1', event)
    await tell('e2', event)
    expect(await read('c1')).toEqual([
      { ...first, lastAt: last, times: 3, failure: null },
      { id: 'e2', type: 'payment.paid', firstAt: last, lastAt: last, times: 1, failure: null },
    ])
    expect(await read('c2')).toEqual([])
  })

  it('is told although it cannot be kept', async () => {
    const reported: unknown[] = []
    const broken = { ...store(), read: async () => Promise.reject(new Error('the disk is full')) }
    const tell = vi.fn(async () => undefined)
    await createTold(broken, () => 0).keeping(tell, (error) => reported.push(error))('e1', event)
    expect([tell.mock.calls.length, reported]).toEqual([1, [expect.objectContaining({ message: 'the disk is full' })]])
  })

  it('is told, and reported, where others write at the same time again and again', async () => {
    const reported: unknown[] = []
    const busy = { ...store(), create: async () => false }
    await createTold(busy, () => 0).keeping(
      async () => undefined,
      (error) => reported.push(error),
    )('e1', event)
    expect(reported).toEqual([expect.objectContaining({ message: expect.stringContaining('at the same time') })])
  })

  it.each<[string, Error, RegExp]>([
    ['long', new Error(`Hostname does not match: ${'DNS:shop.example, '.repeat(1_000)}`), /^Hostname does not match/],
    ['empty', new AggregateError([new Error('connect ECONNREFUSED ::1:9')]), /^AggregateError$/],
    ['many lines, turned around', new Error('one\n\u202etwo'), /^one\\u\{a\}\\u\{202e\}two$/],
  ])('can be read again where the failure is %s', async (_, failure, words) => {
    const { keeping, read } = createTold(store(), () => 0)
    const tell = keeping(
      async () => Promise.reject(failure),
      (error) => expect.fail(String(error)),
    )
    for (const id of ['e1', 'e2']) await expect(tell(id, event)).rejects.toBe(failure)
    expect(await read('c1')).toEqual(
      ['e1', 'e2'].map((id) => expect.objectContaining({ id, failure: expect.stringMatching(words) })),
    )
  })

  it('is forgotten after 400 days', async () => {
    let nowMs = 0
    const { keeping, read } = createTold(store(), () => nowMs)
    const tell = keeping(
      async () => undefined,
      () => undefined,
    )
    await tell('e1', event)
    nowMs = 401 * 86_400_000
    await tell('e2', { ...event, data: { ...event.data, checkout: 'c2' } })
    expect([await read('c1'), (await read('c2')).length]).toEqual([[], 1])
  })
})

describe('an order that nobody pays', () => {
  afterEach(() => void vi.useRealTimers())

  it('is told as lapsed, again until the shop takes it, and then no more', async () => {
    let answer = 500
    const told: [id: unknown, event: ShopEvent][] = []
    const shop = createServer(async (request, response) => {
      told.push([request.headers['webhook-id'], JSON.parse(await text(request))])
      response.writeHead(answer).end()
    })
    const port = await openPort(shop, { port: 0, host: '127.0.0.1' })
    onTestFinished(() => void shop.close())
    const { books, sandbox, pay } = await openDesk({ events: `http://127.0.0.1:${port}/` })
    const id = await pay('order-1', { number: '2026/0001' })
    const watchLater = async (ms: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
      sandbox.clock.advance(ms)
      await books.paywindow.watchOnce()
      await books.paywindow.settled()
    }
    await watchLater(30 * 60_000)
    expect(told).toEqual([])
    for (let hour = 0; hour < 3; hour += 1) await watchLater(3_600_000)
    answer = 204
    for (let hour = 0; hour < 3; hour += 1) await watchLater(3_600_000)
    const times = told.length
    expect(times).toBeGreaterThan(1)
    for (let hour = 0; hour < 6; hour += 1) await watchLater(3_600_000)
    expect(told).toHaveLength(times)
    expect(new Set(told.map(([each]) => each))).toEqual(new Set([`${id}-lapsed`]))
    expect(told[0]?.[1]).toMatchObject({
      type: 'payment.lapsed',
      data: { order: 'order-1', number: '2026/0001', phase: 'waiting', received: null, checkout: id, test: true },
    })
  })
})
