import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Initial } from '../contract/checkout.ts'
import { timeLeftMs } from './deadline.ts'
import { checkoutFixture, offerFixture } from './fixture.ts'
import { startFlow } from './flow.ts'
import { drawn, takenOver } from './initial.ts'
import { viewOf } from './view.ts'

const first = startFlow({ kind: 'create', method: undefined })
const writtenAtMs = 1_795_255_200_000
const leftMs = 600_000
const initial: Initial = { v: 1, writtenAtMs, isHeld: false, checkout: checkoutFixture({ expiresInMs: leftMs }) }

/** What is left on the screen, in ms; null where nothing is shown. */
function leftOn(pageMs: number, agoMs: number): number | null {
  const now = { monotonicMs: pageMs, wallMs: writtenAtMs + agoMs }
  const flow = takenOver(drawn(first, initial), initial, now)
  return flow?.shown ? timeLeftMs(flow.shown.deadline, now) : null
}

it('shows what was drawn, and polls it', () => {
  const flow = drawn(first, initial)
  expect(viewOf(flow.progress)).toMatchObject({ kind: 'waiting', checkout: initial.checkout })
  expect(flow.task).toEqual({ kind: 'poll' })
  expect(drawn(first, { ...initial, checkout: checkoutFixture({ expiresInMs: 0 }) }).shown?.over).toBe(true)
})

it.each([
  ['drawn a moment ago', 3_000, 2_000, leftMs - 2_000],
  ['drawn by a clock that is a little ahead', 3_000, -20_000, leftMs],
  ['drawn by a clock that is a little behind, or kept for so long', 3_000, 40_000, leftMs - 40_000],
  ['fetched by a page that has been open for long', 900_000, 1_000, leftMs - 1_000],
  ['shown once more by such a page', 900_000, 61_000, null],
  ['kept by a browser for an hour', 3_000, 3_600_000, null],
  ['drawn by a clock that is far ahead', 3_000, -3_600_000, null],
])('%s', (_, pageMs, agoMs, left) => {
  expect(leftOn(pageMs, agoMs)).toBe(left)
})

it('with clocks that agree, nothing shows more time than is left', () => {
  fc.assert(
    fc.property(fc.nat(4_000_000), fc.nat(4_000_000), (pageMs, agoMs) => {
      const left = leftOn(pageMs, agoMs)
      if (left !== null) expect(left).toBeLessThanOrEqual(leftMs - agoMs)
      if (agoMs > 60_000) expect(left).toBeNull()
    }),
  )
})

it('what can be chosen is shown however old it is, and creates nothing by itself', () => {
  const chosen: Initial = { v: 1, writtenAtMs, isHeld: false, offer: offerFixture }
  const flow = takenOver(drawn(first, chosen), chosen, { monotonicMs: 0, wallMs: writtenAtMs + 3_600_000 })
  expect(flow?.task).toEqual({ kind: 'rest' })
})
