// @vitest-environment jsdom
/** Whatever fails in a session ends on a screen, and the page is told. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkoutFixture } from '../checkout/fixture.ts'
import type { PaywindowError } from '../contract/errors.ts'
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

function begin(api: Partial<Api>) {
  const clock = () => ({ monotonicMs: performance.now(), wallMs: Date.now() })
  const world = { window: globalThis, clock, onError, reference: 'cart-42', method: undefined, viewed: null }
  const session = createSession({ ...world, api: { ...working, ...api } })
  const polling = startPolling(session, globalThis)
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
