// @vitest-environment jsdom
/** Whatever fails in a session ends on a screen, and the page is told. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkoutFixture } from '../checkout/fixture.ts'
import type { Initial } from '../contract/checkout.ts'
import { PaywindowError } from '../contract/errors.ts'
import type { Api, ApiAnswer } from './api.ts'
import { startPolling } from './polling.ts'
import { createSession } from './session.ts'

const onError = vi.fn<(error: PaywindowError) => void>()
const checkout = checkoutFixture()
const answer: ApiAnswer = { kind: 'checkout', checkout, key: 'key' }
const working: Api = {
  create: async () => answer,
  offer: () => Promise.reject(new Error('not asked for')),
  read: async () => ({ kind: 'status', checkout }),
  renew: async () => answer,
  handOver: () => Promise.reject(new Error('not asked for')),
}

/** What a browser throws that lacks something, and what other code may throw. */
const thrown = [new TypeError('URL.canParse is not a function'), 'a text', undefined]

let stops: (() => void)[]
beforeEach(() => {
  vi.useFakeTimers()
  onError.mockReset()
  stops = []
})
afterEach(() => {
  for (const stop of stops) stop()
  vi.useRealTimers()
})

function begin(api: Partial<Api>, initial: Initial | null = null) {
  const clock = () => ({ monotonicMs: performance.now(), wallMs: Date.now() })
  const world = {
    window: globalThis,
    clock,
    onError,
    reference: 'cart-42',
    method: undefined,
    viewed: null,
    initial,
  }
  const session = createSession({ ...world, api: { ...working, ...api } })
  const polling = startPolling(session, globalThis, session.drawn !== null && session.takeOver())
  stops = [session.follow(polling), polling.stop]
  return session
}

describe.each(thrown)('where the widget throws %s', (cause) => {
  const fail = () => Promise.reject(cause)

  it('before there is a payment, the payer is told and can try again, and nobody waits for ever', async () => {
    const session = begin({ create: fail })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(session.state().view).toMatchObject({ kind: 'unreachable', error: { code: 'internal' } })
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ code: 'internal', cause })]])
  })

  it('while a payment is waited for, its address stays, and the foot says that it cannot be checked', async () => {
    const session = begin({ read: fail })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(session.state()).toMatchObject({ view: { kind: 'waiting' }, trouble: 'failing' })
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ code: 'internal', cause })]])
  })

  it.each(['renew', 'change'] as const)('after a press on %s, the press is answered', async (name) => {
    const session = begin({ renew: fail, offer: fail })
    await vi.advanceTimersByTimeAsync(20 * 60_000)
    session.actions[name]()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(session.state()).toMatchObject({
      view: { kind: 'expired' },
      pending: null,
      actionError: { code: 'internal' },
    })
    expect(onError).toHaveBeenCalled()
  })
})

it('the payment of another cart, from a cache, is shown to nobody', async () => {
  const other = { ...checkout, reference: 'cart-41' }
  const session = begin({ create: async () => ({ kind: 'checkout', checkout: other, key: 'key' }) })
  await vi.advanceTimersByTimeAsync(0)
  expect(session.state().view).toMatchObject({ kind: 'refused', error: { code: 'invalid_answer' } })
  expect(onError.mock.calls).toEqual([[expect.objectContaining({ code: 'invalid_answer' })]])
})

it('a status of another cart changes nothing, and the foot says that it cannot be checked', async () => {
  const other = { ...checkout, reference: 'cart-41', phase: 'paid' as const }
  const session = begin({ read: async () => ({ kind: 'status', checkout: other }) })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(session.state()).toMatchObject({ view: { kind: 'waiting', checkout }, trouble: 'failing' })
})

describe('after what a server has drawn, without a key', () => {
  const create = vi.fn(working.create)
  const renew = vi.fn(working.renew)
  const handOver = vi.fn<Api['handOver']>(async () => ({ v: 1, token: 'look', expiresInMs: 1 }))
  const read = vi.fn(working.read)
  const isOver = { expiresInMs: 0 }
  const drawn = (changes: Partial<typeof checkout> = {}) => ({
    v: 1 as const,
    writtenAtMs: Date.now(),
    isHeld: false,
    checkout: { ...checkout, ...changes },
  })
  beforeEach(() => {
    for (const call of [create, renew, handOver, read]) call.mockClear()
  })

  it('the first request comes with the first poll, asks for the cart, and its key polls from then on', async () => {
    const session = begin({ create, read }, drawn())
    expect(session.state().view).toMatchObject({ kind: 'waiting' })
    await vi.advanceTimersByTimeAsync(4_000)
    expect(create).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(create.mock.calls).toEqual([[{ reference: 'cart-42' }]])
    await vi.advanceTimersByTimeAsync(6_000)
    expect(read).toHaveBeenCalledWith(checkout.id, 'key', expect.anything())
    expect(create).toHaveBeenCalledOnce()
  })

  it.each(['unreachable', 'service_unavailable', 'not_found'] as const)(
    'a first request that fails with %s is sent again',
    async (code) => {
      create.mockRejectedValueOnce(new PaywindowError(code, code))
      const session = begin({ create }, drawn())
      await vi.advanceTimersByTimeAsync(30_000)
      expect(create).toHaveBeenCalledTimes(2)
      expect(session.state()).toMatchObject({ view: { kind: 'waiting' }, trouble: null })
    },
  )

  it('a link for another device is refused where the cart has another checkout, which is shown then', async () => {
    const other = { ...checkout, id: 'other' }
    const session = begin({ create: async () => ({ kind: 'checkout', checkout: other, key: 'k' }), handOver }, drawn())
    await expect(session.actions.handOver()).rejects.toMatchObject({ code: 'not_found' })
    expect(handOver).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(7_000)
    expect(session.state().view).toMatchObject({ checkout: { id: 'other' } })
  })

  it('a press gets the key first', async () => {
    const session = begin({ create, renew, handOver }, drawn(isOver))
    session.actions.renew()
    await vi.advanceTimersByTimeAsync(0)
    expect(renew.mock.calls).toEqual([[checkout.id, 'key']])
    await session.actions.handOver()
    expect(handOver.mock.calls).toEqual([[checkout.id, 'key']])
    expect(create).toHaveBeenCalledOnce()
  })

  it('a press on a checkout that the cart shows no more shows what it has now', async () => {
    const other = { ...checkout, id: 'other' }
    const session = begin(
      { create: async () => ({ kind: 'checkout', checkout: other, key: 'k' }), renew },
      drawn(isOver),
    )
    session.actions.renew()
    await vi.advanceTimersByTimeAsync(0)
    expect(renew).not.toHaveBeenCalled()
    expect(session.state().view).toMatchObject({ checkout: { id: 'other' } })
  })

  it('of an old page nothing is shown before the server is asked', async () => {
    const views: string[] = []
    const session = begin({ create }, { ...drawn(), writtenAtMs: Date.now() - 3_600_000 })
    session.subscribe(() => views.push(session.state().view.kind))
    expect(session.state().view.kind).toBe('preparing')
    await vi.advanceTimersByTimeAsync(0)
    expect(create).toHaveBeenCalledOnce()
    expect(views).toEqual(['waiting'])
  })
})
