import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createServiceClient } from '../../service/client.ts'
import { clientCredentials } from '../../service/client-credentials.ts'
import { ServiceError, type ServiceErrorCode } from '../../service/errors.ts'
import { policy } from '../core/policy.ts'
import { createHoldOff } from './hold-off.ts'

function start() {
  const time = { nowMs: 0 }
  const holdOff = createHoldOff(() => time.nowMs)
  const fail = (target: string, code: ServiceErrorCode, retryAfterMs?: number) =>
    holdOff.enter(target).failed(new ServiceError(code, code, { outcome: 'not_done', retryAfterMs, status: 503 }))
  return { time, holdOff, fail, answer: (target: string) => holdOff.enter(target).answered() }
}

/**
 * The error of a server whose token endpoint, or whose service, answers 503 and asks for a pause.
 */
async function errorOf(answers: 'service' | 'token endpoint'): Promise<ServiceError> {
  const busy = async () => new Response(null, { status: 503, headers: { 'retry-after': '60' } })
  const endpoint = { tokenUrl: 'https://token.example/', clientId: 'shop', clientSecret: 'secret', fetch: busy }
  const client = createServiceClient({
    baseUrl: 'https://service.example',
    accessToken: answers === 'service' ? 'token' : clientCredentials(endpoint),
    subAccountId: 'sub',
    retries: 0,
    fetch: busy,
  })
  const error = await client.orderDetails('0b6c1f4e-0000-4000-8000-000000000000').catch((thrown: unknown) => thrown)
  if (!(error instanceof ServiceError)) throw error
  return error
}

describe('createHoldOff', () => {
  it.each([
    ['service', 60_000],
    ['token endpoint', 0],
  ] as const)('asks other servers for the pause of a %s for %i ms', async (answers, sharedMs) => {
    const { holdOff } = start()
    holdOff.enter('order a').failed(await errorOf(answers))
    expect(holdOff.heldMs()).toBe(60_000)
    expect(holdOff.askedForMs()).toBe(sharedMs)
  })

  it('waits as long as the service asked, and at most five minutes', () => {
    const { holdOff, fail } = start()
    fail('order a', 'rate_limited', 20_000)
    expect(holdOff.heldMs()).toBe(20_000)
    const other = start()
    other.fail('order a', 'rate_limited', 86_400_000)
    expect(other.holdOff.heldMs()).toBe(policy.pause.longestMs)
  })

  it('asks others for no longer pause where a token cannot be had meanwhile', async () => {
    const { holdOff } = start()
    const underWay = holdOff.enter('order b')
    holdOff
      .enter('order a')
      .failed(new ServiceError('rate_limited', 'no', { outcome: 'not_done', status: 429, retryAfterMs: 10_000 }))
    underWay.failed(await errorOf('token endpoint'))
    expect([holdOff.heldMs(), holdOff.askedForMs()]).toEqual([60_000, 10_000])
  })

  it('lets one request through when the pause is over, and all others once it is answered', () => {
    const { time, holdOff, fail } = start()
    fail('order a', 'rate_limited', 20_000)
    time.nowMs = 20_000
    expect(holdOff.heldMs()).toBe(0)
    const probe = holdOff.enter('order b')
    expect(holdOff.heldMs()).toBeGreaterThan(0)
    probe.answered()
    expect(holdOff.heldMs()).toBe(0)
    expect(holdOff.trouble()).toBeUndefined()
  })

  it('lets another request go before the one that was refused', () => {
    const { time, holdOff } = start()
    holdOff
      .enter('order a', 10_000)
      .failed(new ServiceError('rate_limited', 'no', { outcome: 'not_done', retryAfterMs: 20_000 }))
    time.nowMs = 20_000
    expect([holdOff.heldMs('order a') > 0, holdOff.heldMs('order b')]).toEqual([true, 0])
    time.nowMs = 30_000
    expect(holdOff.heldMs('order a')).toBe(0)
  })

  it('waits longer with each refusal that names no time', () => {
    const { time, holdOff, fail } = start()
    const waits: number[] = []
    for (let tries = 0; tries < 10; tries++) {
      fail(`order ${tries}`, 'rate_limited')
      waits.push(holdOff.heldMs())
      time.nowMs += holdOff.heldMs()
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((seconds) => seconds * 1000))
  })

  it('sends fewer than thirty requests to a service that refuses for an hour', () => {
    const { time, holdOff, fail } = start()
    let asked = 0
    for (; time.nowMs < 3_600_000; time.nowMs += 100) {
      const target = `order ${time.nowMs % 700}`
      if (holdOff.heldMs(target) > 0) continue
      asked++
      fail(target, 'unauthorized')
    }
    expect(asked).toBeLessThan(30)
  })

  it('pauses only the request that is refused while others are answered', () => {
    const { time, holdOff, fail, answer } = start()
    fail('order a', 'rate_limited', 86_400_000)
    time.nowMs += policy.pause.longestMs
    answer('order b')
    for (let tries = 0; tries < 5; tries++) {
      fail('order a', 'rate_limited', 86_400_000)
      expect(holdOff.heldMs()).toBe(0)
      expect(holdOff.heldMs('order a')).toBe(policy.pause.longestMs)
      answer('order c')
      time.nowMs += policy.pause.longestMs
    }
  })

  it('treats three different failures in a row as a failure of the service', () => {
    const { holdOff, fail, answer } = start()
    fail('order a', 'unavailable')
    fail('order b', 'timeout')
    answer('order c')
    fail('order d', 'forbidden')
    fail('order e', 'unreachable')
    expect(holdOff.heldMs()).toBe(0)
    fail('list', 'invalid_answer')
    expect(holdOff.heldMs()).toBe(2_000)
  })

  it('retries one that keeps failing less often, and only that one', () => {
    const { holdOff, fail } = start()
    for (let tries = 0; tries < 5; tries++) fail('order a', 'unavailable')
    expect(holdOff.heldMs('order a')).toBe(2_000)
    expect(holdOff.heldMs('order b')).toBe(0)
  })

  it("treats a refusal of a request's content as an answer", () => {
    const { holdOff, fail } = start()
    for (const code of ['refused', 'not_found', 'refused'] as const) fail(`order ${code}`, code)
    for (let tries = 0; tries < 10; tries++) fail('create BTC', 'refused')
    expect(holdOff.heldMs('create BTC')).toBe(0)
  })

  it('does not count separately the refusals of simultaneous requests', () => {
    const { holdOff } = start()
    const refusal = new ServiceError('rate_limited', 'no', { outcome: 'not_done' })
    const leaves = Array.from({ length: 40 }, (_, at) => holdOff.enter(`order ${at}`))
    for (const leave of leaves) leave.failed(refusal)
    expect(holdOff.heldMs()).toBe(2_000)
    expect(holdOff.trouble()).toMatchObject({ sinceMs: 0 })
  })

  it('never pauses longer than five minutes, and then always lets one request through', () => {
    const codes = ['rate_limited', 'unavailable', 'unauthorized', 'forbidden', 'timeout', 'refused'] as const
    const asked = fc.option(fc.oneof(fc.integer({ min: 0, max: 1e15 }), fc.constant(Number.MAX_SAFE_INTEGER)), {
      nil: undefined,
    })
    const event = fc.record({
      target: fc.integer({ min: 0, max: 5 }),
      code: fc.option(fc.constantFrom(...codes), { nil: undefined }),
      retryAfterMs: asked,
      passMs: fc.integer({ min: 0, max: 400_000 }),
    })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const { time, holdOff, fail, answer } = start()
        for (const { target, code, retryAfterMs, passMs } of events) {
          time.nowMs += passMs
          const name = `order ${target}`
          if (holdOff.heldMs(name) === 0) {
            if (code) fail(name, code, retryAfterMs)
            else answer(name)
          }
          expect(holdOff.heldMs()).toBeLessThanOrEqual(policy.pause.longestMs)
        }
        time.nowMs += policy.pause.longestMs
        expect(holdOff.heldMs('somebody else')).toBe(0)
      }),
    )
  })
})
