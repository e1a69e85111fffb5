import { describe, expect, it } from 'vitest'
import { answer, failure, type Handler, order, setUp } from './client.testing.ts'
import * as fixtures from './fixtures.testing.ts'

const wallet = { asset: 'USDC', name: 'T', address: '0x1', network: 'erc-20' }
const broken =
  (code: string, details = {}) =>
  () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code, ...details }) })
  }
const hanging: Handler = () => new Promise(() => undefined)
const hangingBody: Handler = () => new Response(new ReadableStream({ start: (c) => c.enqueue(new Uint8Array([123])) }))

describe('statuses', () => {
  it.each([
    [400, 'refused', 'not_done'],
    [401, 'unauthorized', 'not_done'],
    [403, 'forbidden', 'not_done'],
    [404, 'not_found', 'not_done'],
    [408, 'unavailable', 'unknown'],
    [409, 'refused', 'not_done'],
    [425, 'unavailable', 'not_done'],
    [429, 'rate_limited', 'not_done'],
    [499, 'unavailable', 'unknown'],
    [500, 'unavailable', 'unknown'],
    [503, 'unavailable', 'unknown'],
    [302, 'invalid_answer', 'unknown'],
  ] as const)('reads %i as %s, %s', async (status, code, outcome) => {
    const { client, requests } = setUp(answer('{"message":"Says no"}', { status, headers: { location: '//evil' } }))
    const error = await failure(client.createOrder(order))
    expect(error).toMatchObject({ code, outcome, status, serviceMessage: 'Says no' })
    expect(error.message).toMatch(new RegExp(`^POST /v1/order/exchange answered ${status}`))
    expect(requests).toHaveLength(1)
  })

  it('does not follow redirects', async () => {
    let redirect: string | undefined
    const { client } = setUp((request) => {
      redirect = request.redirect
      return new Response(null, { status: 307 })
    })
    await failure(client.registerWallet(wallet))
    expect(redirect).toBe('manual')
  })

  it('caps the words of the service and cuts the token out of them, also at the end', async () => {
    const message = `Bad token secret-token ${'x'.repeat(475)}secret-token`
    const { client } = setUp(answer(JSON.stringify({ message }), { status: 403 }))
    const { serviceMessage = '' } = await failure(client.createOrder(order))
    expect(serviceMessage).toMatch(/^Bad token \[token\] x+\[to/)
    expect(serviceMessage).toHaveLength(500)
    expect(serviceMessage).not.toContain('sec')
  })

  it.each([
    ['HTML', '<h1>Bad gateway</h1>'],
    ['nothing', ''],
    ['a message of another type', '{"message":{"a":1}}'],
    ['more than is read', 'x'.repeat(2_000_000)],
  ])('keeps the status when the error body is %s', async (_, body) => {
    const error = await failure(setUp(answer(body, { status: 400 })).client.createOrder(order))
    expect(error).toMatchObject({ code: 'refused', outcome: 'not_done', serviceMessage: undefined })
  })

  it('keeps the status when the error body never ends', async () => {
    const { client, clock } = setUp(() => new Response(new ReadableStream(), { status: 400 }))
    expect(await failure(clock.run(client.createOrder(order)))).toMatchObject({ code: 'refused', outcome: 'not_done' })
  })
})

describe('connections', () => {
  it.each([
    ['ECONNREFUSED', {}, 'not_done'],
    ['ENOTFOUND', {}, 'not_done'],
    ['EAI_AGAIN', {}, 'not_done'],
    ['EHOSTUNREACH', { syscall: 'connect' }, 'not_done'],
    ['EHOSTUNREACH', { syscall: 'read' }, 'unknown'],
    ['ECONNRESET', {}, 'unknown'],
    ['UND_ERR_SOCKET', {}, 'unknown'],
  ] as const)('says of %s %j that the order is %s', async (code, details, outcome) => {
    const { client } = setUp(broken(code, details))
    expect(await failure(client.createOrder(order))).toMatchObject({ code: 'unreachable', outcome, status: undefined })
  })

  it('believes in a refused connection only when every address refused it', async () => {
    const refused = Object.assign(new Error(), { code: 'ECONNREFUSED' })
    const reset = Object.assign(new Error(), { code: 'ECONNRESET' })
    for (const [errors, outcome] of [
      [[refused, refused], 'not_done'],
      [[refused, reset], 'unknown'],
    ] as const) {
      const { client } = setUp(() => {
        throw new TypeError('fetch failed', { cause: new AggregateError(errors) })
      })
      expect((await failure(client.createOrder(order))).outcome).toBe(outcome)
    }
  })

  it('calls a body that breaks off unreachable, not knowing the outcome', async () => {
    const { client } = setUp(() => new Response(new ReadableStream({ start: (c) => c.error(new Error('terminated')) })))
    expect(await failure(client.createOrder(order))).toMatchObject({ code: 'unreachable', outcome: 'unknown' })
  })
})

describe('limits', () => {
  it.each([
    ['no answer', hanging],
    ['half an answer', hangingBody],
  ])('ends a request with %s when its time is over', async (_, handler) => {
    let signal: AbortSignal | null = null
    const { client, clock } = setUp((request, given) => {
      signal = given
      return handler(request, given)
    })
    const startMs = clock.now()
    expect(await failure(clock.run(client.createOrder(order)))).toMatchObject({ code: 'timeout', outcome: 'unknown' })
    expect(clock.now() - startMs).toBe(15_000)
    expect(signal).toHaveProperty('aborted', true)
  })

  it('leaves no timer behind after an answer', async () => {
    const { client, clock } = setUp(answer(fixtures.instructionsAnswer))
    await client.createOrder(order)
    expect(clock.pending()).toBe(0)
  })

  it('stops reading an answer that is too large', async () => {
    let chunks = 0
    const endless = new ReadableStream({
      pull: (controller) => {
        chunks += 1
        controller.enqueue(new Uint8Array(1000))
      },
    })
    const { client } = setUp(() => new Response(endless), { maxAnswerBytes: 5000 })
    expect(await failure(client.orderDetails('o-1'))).toMatchObject({ code: 'invalid_answer', status: 200 })
    expect(chunks).toBeLessThan(10)
  })
})
