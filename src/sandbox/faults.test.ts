import { describe, expect, it } from 'vitest'
import { createServiceClient } from '../service/client.ts'
import { createVirtualClock } from '../service/virtual-clock.testing.ts'
import type { Fault } from './faults.ts'
import { createSandbox } from './sandbox.ts'

const order = { sourceAsset: 'BTC', targetAsset: 'USD', targetAmount: '10' }

function setUp(fault: Fault) {
  const clock = createVirtualClock()
  const sandbox = createSandbox({ clock, faults: () => fault })
  const client = createServiceClient({ ...sandbox.access, clock })
  return { sandbox, clock, create: () => clock.run(client.createOrder(order)) }
}

describe('faults', () => {
  it.each<[Fault, { code: string; outcome: string; status?: number }, number]>([
    [{ kind: 'reset' }, { code: 'unreachable', outcome: 'unknown' }, 0],
    [{ kind: 'reset', workDone: true }, { code: 'unreachable', outcome: 'unknown' }, 1],
    [{ kind: 'hang' }, { code: 'timeout', outcome: 'unknown' }, 0],
    [{ kind: 'hang', workDone: true }, { code: 'timeout', outcome: 'unknown' }, 1],
    [{ kind: 'latency', afterMs: 15_001 }, { code: 'timeout', outcome: 'unknown' }, 1],
    [{ kind: 'status', status: 503 }, { code: 'unavailable', outcome: 'unknown', status: 503 }, 0],
    [{ kind: 'status', status: 502, workDone: true }, { code: 'unavailable', outcome: 'unknown', status: 502 }, 1],
    [{ kind: 'status', status: 429 }, { code: 'rate_limited', outcome: 'not_done', status: 429 }, 0],
    [{ kind: 'html' }, { code: 'invalid_answer', outcome: 'unknown' }, 1],
    [{ kind: 'truncated' }, { code: 'invalid_answer', outcome: 'unknown' }, 1],
    [{ kind: 'duplicated' }, { code: 'invalid_answer', outcome: 'unknown' }, 1],
    [{ kind: 'empty' }, { code: 'invalid_answer', outcome: 'unknown' }, 1],
  ])('%j reaches a client as %j, with %i orders made', async (fault, expected, made) => {
    const { sandbox, create } = setUp(fault)
    await expect(create()).rejects.toMatchObject(expected)
    expect(sandbox.orders()).toHaveLength(made)
  })

  it('of latency only take time', async () => {
    const { sandbox, clock, create } = setUp({ kind: 'latency', beforeMs: 2000, afterMs: 3000 })
    const startMs = clock.now()
    const { timing } = await create()
    expect([timing.sentAtMs, timing.answeredAtMs]).toEqual([startMs, startMs + 5000])
    expect(sandbox.orders()).toMatchObject([{ createdAtMs: startMs + 2000 }])
  })

  it('can have retry-after', async () => {
    const { create } = setUp({ kind: 'status', status: 429, retryAfter: '90' })
    await expect(create()).rejects.toMatchObject({ retryAfterMs: 90_000 })
  })

  it('are chosen request by request, and spare icons and controls', async () => {
    const seen: string[] = []
    const sandbox = createSandbox()
    sandbox.faults = (request) => {
      seen.push(new URL(request.url).pathname)
      return { kind: 'empty' }
    }
    const status = async (path: string) => (await sandbox.fetch(`https://s.example${path}`)).status
    expect([await status('/sandbox/orders'), await status('/icons/btc-small.png')]).toEqual([200, 200])
    await status('/v1/order')
    expect(seen).toEqual(['/v1/order'])
  })

  it('are not asked for a request that was aborted before', async () => {
    const sandbox = createSandbox()
    const signal = AbortSignal.abort()
    await expect(sandbox.fetch('https://s.example/v1/order', { signal })).rejects.toThrow()
  })
})
