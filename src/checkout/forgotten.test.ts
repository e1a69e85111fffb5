import { describe, expect, it } from 'vitest'
import type { Checkout, Offer } from '../contract/checkout.ts'
import { PaywindowError, type PaywindowErrorCode } from '../contract/errors.ts'
import type { Reading } from './deadline.ts'
import { checkoutFixture, offerFixture } from './fixture.ts'
import { answered, type Flow, failed, retry, startFlow, ticked } from './flow.ts'
import { viewOf } from './view.ts'

const at = (ms: number): Reading => ({ monotonicMs: ms, wallMs: ms })
const error = (code: PaywindowErrorCode) => new PaywindowError(code, code)
const kindOf = (flow: Flow) => viewOf(flow.progress).kind
const fresh = startFlow({ kind: 'create', method: undefined })
const offer: Offer = { ...offerFixture, cart: 'seen' }
const waiting = answered(fresh, { kind: 'checkout', checkout: checkoutFixture() }, at(0), at(50))

describe('a checkout that the server does not know any more', () => {
  const unknown = (flow: Flow, ...times: readonly number[]) =>
    times.reduce((before, ms) => failed(before, error('not_found'), at(ms)), flow)

  it('loses its address with the first such answer, and is asked for on', () => {
    for (const times of [[5_000], [5_000, 15_000, 35_000, 65_000, 900_000]]) {
      const flow = unknown(waiting, ...times)
      expect(viewOf(flow.progress)).toMatchObject({ kind: 'refused', checkout: { id: checkoutFixture().id } })
      expect(flow.task.kind).toBe('poll')
      expect(flow.trouble).toBeNull()
    }
  })

  it('can be started anew: nothing asks for the old one then', () => {
    const flow = retry(unknown(waiting, 5_000))
    expect(flow.task).toEqual({ kind: 'create', method: undefined })
    expect(kindOf(flow)).toBe('preparing')
    expect(kindOf(answered(flow, { kind: 'offer', offer }, at(6_000), at(6_000)))).toBe('choosing')
  })

  it('goes on where the server knows it again, until the quote is over', () => {
    const status = { kind: 'status', checkout: checkoutFixture() } as const
    const known = answered(unknown(waiting, 5_000, 15_000), status, at(40_000), at(40_000))
    expect(kindOf(known)).toBe('waiting')
    expect(kindOf(unknown(known, 50_000))).toBe('refused')
    expect(kindOf(answered(unknown(waiting, 5_000), status, at(1_300_000), at(1_300_000)))).toBe('expired')
  })

  it.each<PaywindowErrorCode>(['unreachable', 'invalid_answer', 'internal', 'service_unavailable'])(
    'keeps its address off the screen while the next answers are %s',
    (code) => {
      const flow = failed(unknown(waiting, 5_000), error(code), at(15_000))
      expect(kindOf(flow)).toBe('refused')
      expect(kindOf(ticked(flow, at(16_000)))).toBe('refused')
      expect(flow.task.kind).toBe('poll')
    },
  )

  it.each([
    ['a deposit was seen', { phase: 'seen', status: 'pending', cart: 'seen' }, 'seen'],
    ['the cart is paid', { cart: 'paid' }, 'settledElsewhere'],
  ] as const)('stays where %s', (_, changes, kind) => {
    const shown = answered(fresh, { kind: 'checkout', checkout: checkoutFixture(changes) }, at(0), at(50))
    expect(kindOf(unknown(shown, 5_000, 15_000, 35_000, 200_000))).toBe(kind)
  })
})

describe('a checkout whose order the server has lost, and got another for', () => {
  const polled = (changes: Partial<Checkout>) =>
    answered(waiting, { kind: 'status', checkout: checkoutFixture(changes) }, at(5_000), at(5_000))

  it.each([
    ['address', { address: 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3' }],
    ['tag', { tag: '17' }],
    ['address, at a lower revision', { address: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT', revision: 0 }],
  ])('loses its address where the next answer has another %s', (_, changes) => {
    expect(viewOf(polled(changes).progress)).toMatchObject({ kind: 'refused', checkout: checkoutFixture() })
    expect(polled(changes).task.kind).toBe('poll')
  })

  it('says that it is paid where it is', () => {
    expect(kindOf(polled({ tag: '17', phase: 'paid', status: 'confirmed', cart: 'paid', revision: 2 }))).toBe('paid')
  })
})
