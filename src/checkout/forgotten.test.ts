import { describe, expect, it } from 'vitest'
import { PaywindowError, type PaywindowErrorCode } from '../contract/errors.ts'
import type { Reading } from './deadline.ts'
import { checkoutFixture } from './fixture.ts'
import { answered, type Flow, failed, retry, startFlow } from './flow.ts'
import { viewOf } from './view.ts'

const at = (ms: number): Reading => ({ monotonicMs: ms, wallMs: ms })
const error = (code: PaywindowErrorCode) => new PaywindowError(code, code)
const kindOf = (flow: Flow) => viewOf(flow.progress).kind
const fresh = startFlow({ kind: 'create', method: undefined })
const waiting = answered(fresh, { kind: 'checkout', checkout: checkoutFixture() }, at(0), at(50))

describe('a checkout that the server does not know any more', () => {
  const unknown = (flow: Flow, ...times: readonly number[]) =>
    times.reduce((before, ms) => failed(before, error('not_found'), at(ms)), flow)

  it('keeps its address for as long as a restart may take', () => {
    const flow = unknown(waiting, 5_000, 15_000, 35_000, 65_000)
    expect(kindOf(flow)).toBe('waiting')
    expect(flow.trouble).toBe('failing')
  })

  it('is no longer asked for then, and can be started anew', () => {
    const flow = unknown(waiting, 5_000, 15_000, 35_000, 75_000)
    expect(viewOf(flow.progress)).toMatchObject({ kind: 'refused', checkout: { id: checkoutFixture().id } })
    expect(flow.task.kind).toBe('rest')
    expect(retry(flow).task).toEqual({ kind: 'create', method: undefined })
    expect(kindOf(retry(flow))).toBe('preparing')
  })

  it('goes on where the server knows it again', () => {
    const known = answered(
      unknown(waiting, 5_000, 15_000),
      { kind: 'status', checkout: checkoutFixture() },
      at(40_000),
      at(40_000),
    )
    expect(kindOf(unknown(known, 50_000, 60_000, 90_000, 105_000))).toBe('waiting')
  })

  it('is not forgotten for one answer after a long silence', () => {
    const flow = unknown(unknown(waiting, 5_000), 900_000)
    expect(kindOf(flow)).toBe('waiting')
  })

  it('is not forgotten for two answers with other failures between them', () => {
    const between = [15_000, 35_000].reduce(
      (flow, ms) => failed(flow, error('unreachable'), at(ms)),
      unknown(waiting, 5_000),
    )
    const flow = unknown(between, 70_000)
    expect(kindOf(flow)).toBe('waiting')
    expect(kindOf(unknown(flow, 100_000, 131_000))).toBe('refused')
  })

  it.each([
    ['a deposit was seen', { phase: 'seen', status: 'pending', cart: 'seen' }, 'seen'],
    ['the cart is paid', { cart: 'paid' }, 'settledElsewhere'],
  ] as const)('stays where %s', (_, changes, kind) => {
    const shown = answered(fresh, { kind: 'checkout', checkout: checkoutFixture(changes) }, at(0), at(50))
    expect(kindOf(unknown(shown, 5_000, 15_000, 35_000, 200_000))).toBe(kind)
  })
})
