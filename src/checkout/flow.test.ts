import { describe, expect, it } from 'vitest'
import type { Offer } from '../contract/checkout.ts'
import { PaywindowError, type PaywindowErrorCode } from '../contract/errors.ts'
import type { Reading } from './deadline.ts'
import { checkoutFixture, offerFixture } from './fixture.ts'
import { answered, back, change, choose, type Flow, failed, renew, retry, startFlow, ticked } from './flow.ts'
import { viewOf } from './view.ts'

const at = (ms: number): Reading => ({ monotonicMs: ms, wallMs: ms })
const error = (code: PaywindowErrorCode, retryAfterMs?: number) =>
  new PaywindowError(code, code, retryAfterMs === undefined ? {} : { retryAfterMs })
const offer = (cart: Offer['cart'] = 'open'): Offer => ({ ...offerFixture, cart })
const kindOf = (flow: Flow) => viewOf(flow.progress).kind
const fresh = startFlow({ kind: 'create', method: undefined })
const waiting = answered(fresh, { kind: 'checkout', checkout: checkoutFixture() }, at(0), at(50))
const choosing = answered(fresh, { kind: 'offer', offer: offer() }, at(0), at(50))

describe('the first request', () => {
  it('creates, and its answer is polled from then on', () => {
    expect(fresh.task).toEqual({ kind: 'create', method: undefined })
    expect(kindOf(waiting)).toBe('waiting')
    expect(waiting.task).toEqual({ kind: 'poll' })
  })

  it('rests on an offer until the payer chooses', () => {
    expect(kindOf(choosing)).toBe('choosing')
    expect(choosing.task).toEqual({ kind: 'rest' })
  })

  it('is repeated as a new attempt while the failure may pass', () => {
    const next = failed(fresh, error('service_unavailable', 2000), at(100))
    expect(next.task).toEqual(fresh.task)
    expect(next.task).not.toBe(fresh.task)
    expect(next.notBeforeMs).toBe(2100)
    expect(kindOf(next)).toBe('preparing')
  })

  it('informs the payer after three failures and keeps trying', () => {
    let flow = fresh
    for (let count = 0; count < 3; count += 1) flow = failed(flow, error('unreachable'), at(count))
    expect(kindOf(flow)).toBe('unreachable')
    expect(flow.task.kind).toBe('create')
  })

  it('rests when it is refused, until the payer tries again', () => {
    const refused = failed(fresh, error('not_found'), at(100))
    expect(kindOf(refused)).toBe('refused')
    expect(refused.task.kind).toBe('rest')
    expect(kindOf(retry(refused))).toBe('preparing')
    expect(retry(refused).task.kind).toBe('create')
  })

  it('is for any method once the one of the page was not offered, however often it fails', () => {
    const method = { asset: 'DOGE', network: 'dogecoin' }
    const asked = startFlow({ kind: 'create', method })
    expect(retry(failed(asked, error('invalid_answer'), at(100))).task).toEqual({ kind: 'create', method })
    const again = retry(failed(asked, error('method_not_offered'), at(100)))
    expect(again.task).toEqual({ kind: 'create', method: undefined })
    expect(retry(failed(again, error('unreachable'), at(200))).task).toEqual({ kind: 'create', method: undefined })
  })

  it('waits for what the payer tries again, until there is an answer', () => {
    const again = retry(failed(fresh, error('not_found'), at(100)))
    expect(again.pending).toEqual({ kind: 'retry' })
    expect(failed(again, error('unreachable'), at(200)).pending).toBeNull()
    expect(answered(again, { kind: 'offer', offer: offer() }, at(200), at(300)).pending).toBeNull()
  })
})

describe('a pause that the server names', () => {
  const minutes = 300_000

  it('ends a press at once, and keeps no status back', () => {
    const settled = failed(renew(waiting), error('rate_limited', minutes), at(100))
    expect(settled).toMatchObject({ task: { kind: 'poll' }, pending: null, notBeforeMs: 0 })
    expect(settled.actionError?.code).toBe('rate_limited')
  })

  it('is waited for in silence where it is short', () => {
    const again = failed(renew(waiting), error('service_unavailable', 2_000), at(100))
    expect(again).toMatchObject({ task: { kind: 'renew' }, pending: { kind: 'renew' }, notBeforeMs: 2_100 })
  })

  it.each(['rate_limited', 'service_unavailable'] as const)('is told at once of a first request: %s', (code) => {
    const refused = failed(fresh, error(code, minutes), at(100))
    expect(kindOf(refused)).toBe('unreachable')
    expect(refused).toMatchObject({ task: fresh.first, notBeforeMs: 100 + minutes })
    expect(kindOf(failed(fresh, error(code, 2_000), at(100)))).toBe('preparing')
  })
})

describe('a poll that fails', () => {
  it.each<PaywindowErrorCode>(['unreachable', 'invalid_answer', 'rate_limited', 'internal', 'service_unavailable'])(
    '%s never changes the screen',
    (code) => {
      let flow = waiting
      for (let count = 0; count < 50; count += 1) flow = failed(flow, error(code), at(count))
      expect(flow.progress).toBe(waiting.progress)
      expect(flow.task).toBe(waiting.task)
    },
  )

  it('says at once that the connection is gone, and after a while that the status cannot be had', () => {
    expect(failed(waiting, error('unreachable'), at(1)).trouble).toBe('lost')
    const once = failed(waiting, error('invalid_answer'), at(1))
    expect(once.trouble).toBeNull()
    expect(failed(failed(once, error('invalid_answer'), at(2)), error('invalid_answer'), at(3)).trouble).toBe('failing')
  })

  it('ends a quote whose time has passed before any timer does', () => {
    const late = failed(waiting, error('unreachable'), at(1_200_000))
    expect(kindOf(late)).toBe('expired')
    expect(late.trouble).toBe('lost')
  })

  it('is forgotten after the next good answer', () => {
    const lost = failed(waiting, error('unreachable', 9000), at(1))
    const found = answered(lost, { kind: 'status', checkout: checkoutFixture() }, at(2), at(3))
    expect(found).toMatchObject({ trouble: null, failures: 0, notBeforeMs: 0 })
  })
})

describe('a view that was handed over', () => {
  const viewed = answered(
    startFlow({ kind: 'view', id: 'c7QxN2mVt9fLe' }),
    { kind: 'checkout', checkout: checkoutFixture({ viewOnly: true }) },
    at(0),
    at(50),
  )

  it('takes its address off the screen when the server shows it no more', () => {
    const flow = failed(viewed, error('not_found'), at(100))
    expect(kindOf(flow)).toBe('refused')
    expect(kindOf(ticked(flow, at(2_000_000)))).toBe('refused')
    expect(retry(flow).task).toEqual({ kind: 'view', id: 'c7QxN2mVt9fLe' })
  })
})

describe('a new quote', () => {
  const over = ticked(waiting, at(1_200_000))

  it('is asked for while the old one stands as expired', () => {
    expect(kindOf(over)).toBe('expired')
    const asking = renew(over)
    expect(asking).toMatchObject({ task: { kind: 'renew' }, pending: { kind: 'renew' } })
    expect(kindOf(asking)).toBe('expired')
  })

  it('takes the place of the old one', () => {
    const successor = checkoutFixture({ id: 'successor', expiresInMs: 1_200_000 })
    const next = answered(renew(over), { kind: 'checkout', checkout: successor }, at(1_200_000), at(1_200_100))
    expect(kindOf(next)).toBe('waiting')
    expect(next).toMatchObject({ pending: null, task: { kind: 'poll' }, shown: { checkout: { id: 'successor' } } })
  })

  it('is not insisted on when a deposit was seen: the next poll shows it', () => {
    const next = failed(renew(over), error('already_seen'), at(1_200_100))
    expect(next).toMatchObject({ pending: null, actionError: null, task: { kind: 'poll' } })
  })

  it('is tried three times before the payer sees that it did not work', () => {
    let flow = renew(over)
    for (let count = 0; count < 2; count += 1) flow = failed(flow, error('service_unavailable'), at(count))
    expect(flow).toMatchObject({ task: { kind: 'renew' }, pending: { kind: 'renew' }, actionError: null })
    const given = failed(flow, error('service_unavailable'), at(9))
    expect(given).toMatchObject({ task: { kind: 'poll' }, pending: null, actionError: { code: 'service_unavailable' } })
    expect(kindOf(given)).toBe('expired')
  })
})

describe('changing the method', () => {
  it('shows the choice, and leads back to what was there', () => {
    const asking = change(waiting)
    expect(kindOf(asking)).toBe('waiting')
    const chosen = answered(asking, { kind: 'offer', offer: offer() }, at(100), at(150))
    expect(kindOf(chosen)).toBe('choosing')
    expect(kindOf(back(chosen, at(200)))).toBe('waiting')
    expect(kindOf(back(chosen, at(1_200_000)))).toBe('expired')
  })

  it('gives the same checkout no later deadline when it is chosen again', () => {
    const chosen = answered(change(waiting), { kind: 'offer', offer: offer() }, at(100), at(150))
    const again = checkoutFixture({ expiresInMs: 1_200_000 })
    const next = answered(chosen, { kind: 'checkout', checkout: again }, at(600_000), at(600_100))
    expect(kindOf(next)).toBe('waiting')
    expect(next.shown?.deadline).toEqual(waiting.shown?.deadline)
  })

  it('shows no choice when a deposit is on its way', () => {
    const next = answered(change(waiting), { kind: 'offer', offer: offer('seen') }, at(100), at(150))
    expect(kindOf(next)).toBe('waiting')
    expect(next.task).toEqual({ kind: 'poll' })
  })

  it('creates for the chosen method, and stays on the choice when that is refused', () => {
    const picked = choose(choosing, { asset: 'ETH', network: 'erc-20' })
    expect(picked.task).toEqual({ kind: 'create', method: { asset: 'ETH', network: 'erc-20' } })
    const refused = failed(picked, error('service_refused'), at(100))
    expect(kindOf(refused)).toBe('choosing')
    expect(refused).toMatchObject({ pending: null, task: { kind: 'rest' }, actionError: { code: 'service_refused' } })
  })
})
