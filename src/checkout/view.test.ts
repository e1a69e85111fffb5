import { describe, expect, it } from 'vitest'
import { type CartState, cartStates, type Phase, phases } from '../contract/checkout.ts'
import { PaywindowError, type PaywindowErrorCode } from '../contract/errors.ts'
import { checkoutFixture } from './fixture.ts'
import { type ViewKind, viewOf } from './view.ts'

const deadline = { monotonicMs: 0, wallMs: 0 }

function kindOf(phase: Phase, cart: CartState, over: boolean): ViewKind {
  return viewOf({ step: 'checkout', shown: { checkout: checkoutFixture({ phase, cart }), deadline, over } }).kind
}

describe('viewOf a checkout', () => {
  it.each<[Phase, CartState, boolean, ViewKind]>([
    ['waiting', 'open', false, 'waiting'],
    ['waiting', 'open', true, 'expired'],
    ['waiting', 'seen', false, 'settledElsewhere'],
    ['waiting', 'paid', true, 'settledElsewhere'],
    ['seen', 'seen', false, 'seen'],
    ['seen', 'seen', true, 'seen'],
    ['seen', 'paid', true, 'seen'],
    ['paid', 'paid', false, 'paid'],
    ['paid', 'paid', true, 'paid'],
    ['paid', 'open', true, 'paid'],
    ['ended', 'open', false, 'ended'],
    ['ended', 'open', true, 'ended'],
    ['ended', 'paid', true, 'settledElsewhere'],
  ])('%s, cart %s, over %s: %s', (phase, cart, over, kind) => {
    expect(kindOf(phase, cart, over)).toBe(kind)
  })

  it('asks for money only while nothing came, nothing was paid and time is left', () => {
    for (const phase of phases)
      for (const cart of cartStates)
        for (const over of [true, false]) {
          const payable = phase === 'waiting' && cart === 'open' && !over
          expect(kindOf(phase, cart, over) === 'waiting').toBe(payable)
        }
  })
})

describe('viewOf a first request', () => {
  it.each<[PaywindowErrorCode | null, number, ViewKind]>([
    [null, 0, 'preparing'],
    ['service_unavailable', 1, 'preparing'],
    ['service_unavailable', 2, 'preparing'],
    ['service_unavailable', 3, 'unreachable'],
    ['unreachable', 3, 'unreachable'],
    ['rate_limited', 5, 'unreachable'],
    ['not_found', 1, 'refused'],
    ['service_invalid', 1, 'refused'],
    ['invalid_answer', 1, 'refused'],
    ['invalid_options', 1, 'refused'],
  ])('%s after %i failures: %s', (code, failures, kind) => {
    const error = code === null ? {} : { error: new PaywindowError(code, 'message') }
    expect(viewOf({ step: 'asking', failures, ...error }).kind).toBe(kind)
  })
})
