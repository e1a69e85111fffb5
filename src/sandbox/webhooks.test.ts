import { describe, expect, it } from 'vitest'
import { createVirtualClock } from '../service/virtual-clock.testing.ts'
import { createSandbox, type SandboxOptions, seededRandom, type WebhookAttempt, type WebhookOptions } from './index.ts'

const url = 'https://shop.example/hooks/'
const secret = 'a-secret_of.24~characters'
const minuteMs = 60_000

/** A sandbox with a receiver that answers with the given statuses, then with 204. */
function setUp(
  { answers = [], ...options }: WebhookOptions & { answers?: (number | 'none')[] } = {},
  more: SandboxOptions = {},
) {
  const clock = createVirtualClock()
  const got: { atMs: number; headers: Headers; json: { id: string; event: string; data: Record<string, unknown> } }[] =
    []
  const attempts: WebhookAttempt[] = []
  const shop: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    got.push({ atMs: clock.now(), headers: request.headers, json: await request.json() })
    const answer = answers.shift() ?? 204
    if (answer === 'none') throw new TypeError('fetch failed')
    return new Response(null, { status: answer })
  }
  const sandbox = createSandbox({
    clock,
    random: seededRandom(1),
    webhooks: { receivers: [{ url, secret }], fetch: shop, onAttempt: (attempt) => attempts.push(attempt), ...options },
    ...more,
  })
  const create = () => sandbox.addOrder({ sourceAsset: 'BTC', targetAsset: 'USD', targetAmount: '49.90' })
  const pay = ({ address, sourceAmount }: ReturnType<typeof create>) =>
    sandbox.payer.deposit({ address: address ?? '', amount: sourceAmount })
  const settle = () => clock.run(sandbox.webhooks.settled())
  const events = () => got.map(({ json }) => json.event)
  return { clock, sandbox, create, pay, settle, got, events, attempts }
}

describe('a webhook', () => {
  it('is sent as it is documented, with the secret', async () => {
    const { create, settle, got, attempts } = setUp()
    const order = create()
    await settle()
    expect(got.map(({ json }) => json)).toEqual([
      {
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        event: 'order.created',
        account_id: expect.any(String),
        data: {
          order_id: order.id,
          created_at: order.createdAt,
          updated_at: '2026-11-21T10:00:00.000000Z',
          description: '',
          recipient_email: '',
          status: 'open',
          target_amount: 49.9,
          target_asset: 'USD',
          valid_until: order.validUntil,
          message: '',
        },
      },
    ])
    expect(got[0]?.headers.get('authorization')).toBe(`Bearer ${secret}`)
    expect(got[0]?.headers.get('content-type')).toBe('application/json')
    expect(attempts).toEqual([{ event: 'order.created', orderId: order.id, url, status: 204, repeats: false }])
  })

  it('is sent when an order is confirmed or canceled, and not for a deposit', async () => {
    const { create, pay, sandbox, settle, events, got } = setUp()
    const order = create()
    pay(order)
    sandbox.payer.confirm(order.id)
    pay(order)
    sandbox.payer.completeRefund(order.id)
    sandbox.payer.cancel(order.id)
    await settle()
    expect(events()).toEqual(['order.created', 'order.confirmed', 'order.cancelled'])
    expect(got.map(({ json }) => json.data.status)).toEqual(['open', 'confirmed', 'canceled'])
  })

  it('is sent when the time of a change has come, although nobody reads the order', async () => {
    const { create, pay, clock, got } = setUp({}, { autoConfirmMs: 10_000, cancelExpiredAfterMs: 0 })
    const startMs = clock.now()
    pay(create())
    create()
    await clock.run(clock.sleep(21 * minuteMs))
    expect(got.map(({ atMs, json }) => [json.event, atMs - startMs])).toEqual([
      ['order.created', 0],
      ['order.created', 0],
      ['order.confirmed', 10_000],
      ['order.cancelled', 20 * minuteMs],
    ])
  })

  it('is sent when the clock is moved past a change, and later if it is moved back', async () => {
    const { create, clock, sandbox, settle, events } = setUp({}, { cancelExpiredAfterMs: 0 })
    create()
    sandbox.clock.advance(-minuteMs)
    await clock.run(clock.sleep(20 * minuteMs))
    expect(events()).toEqual(['order.created'])
    sandbox.clock.advance(minuteMs)
    await settle()
    expect(events()).toEqual(['order.created', 'order.cancelled'])
  })

  it('is repeated until it is accepted or no try is left', async () => {
    const first = setUp({ answers: [500, 'none', 302] })
    first.create()
    const startMs = first.clock.now()
    await first.settle()
    expect(first.got.map(({ atMs }) => atMs - startMs)).toEqual([0, 5_000, 35_000, 155_000])
    expect(new Set(first.got.map(({ json }) => json.id)).size).toBe(1)
    expect(first.attempts.map(({ status, repeats }) => [status, repeats])).toEqual([
      [500, true],
      [null, true],
      [302, true],
      [204, false],
    ])
    const second = setUp({ answers: [404, 404], repeatAfterMs: [1_000] })
    second.create()
    await second.settle()
    expect(second.attempts.map(({ status, repeats }) => [status, repeats])).toEqual([
      [404, true],
      [404, false],
    ])
  })

  it('has no answer when there is none within ten seconds', async () => {
    const hangs: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    const { create, clock, settle, attempts } = setUp({ fetch: hangs, repeatAfterMs: [] })
    const startMs = clock.now()
    create()
    await settle()
    expect(attempts).toMatchObject([{ status: null, repeats: false }])
    expect(clock.now() - startMs).toBe(10_000)
  })

  it('goes to the receivers that are registered when it is sent', async () => {
    const { create, sandbox, settle, events } = setUp({ receivers: [] })
    create()
    sandbox.webhooks.register({ url })
    const order = create()
    await settle()
    expect(events()).toEqual(['order.created'])
    expect([sandbox.webhooks.unregister(url), sandbox.webhooks.unregister(url)]).toEqual([true, false])
    sandbox.payer.cancel(order.id)
    await settle()
    expect(events()).toEqual(['order.created'])
    for (const bad of ['', 'shop.example', 'ftp://shop.example'])
      expect(() => sandbox.webhooks.register({ url: bad })).toThrow('http or https')
  })

  it('is not sent again after the end', async () => {
    const { create, sandbox, clock, got } = setUp({ answers: ['none'] })
    create()
    await clock.run(clock.sleep(1))
    sandbox.webhooks.stop()
    create()
    await clock.run(sandbox.webhooks.settled())
    expect(got).toHaveLength(1)
    expect(clock.pending()).toBe(0)
  })

  it('without receivers changes nothing in a repeatable run', () => {
    const addresses = (faults?: WebhookOptions['faults']) => {
      const { create } = setUp({ receivers: [], ...(faults && { faults }) })
      return [create(), create()].map(({ id, address }) => [id, address])
    }
    expect(addresses(() => ({ kind: 'twice' }))).toEqual(addresses())
  })
})

describe('a fault of webhooks', () => {
  it('makes one late', async () => {
    const { create, sandbox, clock, settle, got } = setUp({ faults: () => ({ kind: 'late', byMs: minuteMs }) })
    const startMs = clock.now()
    create()
    sandbox.webhooks.faults = undefined
    await settle()
    expect(got.map(({ atMs }) => atMs - startMs)).toEqual([minuteMs])
  })

  it('sends one twice, with the same id', async () => {
    const { create, settle, got } = setUp({ faults: () => ({ kind: 'twice' }) })
    create()
    await settle()
    expect(got).toHaveLength(2)
    expect(got[0]?.json).toEqual(got[1]?.json)
  })

  it('sends one after the next of its order', async () => {
    const { create, pay, sandbox, settle, events } = setUp({
      faults: (event) => (event === 'order.confirmed' ? { kind: 'out-of-order' } : undefined),
    })
    const order = create()
    pay(order)
    sandbox.payer.confirm(order.id)
    create()
    await settle()
    expect(events()).toEqual(['order.created', 'order.created'])
    sandbox.payer.cancel(order.id)
    await settle()
    expect(events().slice(2)).toEqual(['order.cancelled', 'order.confirmed'])
  })

  it('loses one', async () => {
    const { create, sandbox, settle, events } = setUp({
      faults: (event) => (event === 'order.created' ? { kind: 'lost' } : undefined),
    })
    sandbox.payer.cancel(create().id)
    await settle()
    expect(events()).toEqual(['order.cancelled'])
  })

  it('forges one after the true one, with another id and another event', async () => {
    const { create, settle, got, sandbox } = setUp({ faults: () => ({ kind: 'forged', event: 'order.confirmed' }) })
    const { id } = create()
    await settle()
    expect(got.map(({ json }) => [json.event, json.data.status, json.data.order_id])).toEqual([
      ['order.created', 'open', id],
      ['order.confirmed', 'confirmed', id],
    ])
    expect(got[0]?.json.id).not.toBe(got[1]?.json.id)
    expect(sandbox.orders()).toMatchObject([{ id, status: 'open' }])
  })
})
