import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Reading, timeLeftMs } from './deadline.ts'
import { checkoutFixture } from './fixture.ts'
import { advance, begin, withTime } from './shown-checkout.ts'

const at = (ms: number): Reading => ({ monotonicMs: ms, wallMs: ms })
const shown = begin(checkoutFixture({ revision: 5, expiresInMs: 60_000 }), at(0), at(10))

describe('advance', () => {
  it('ignores an answer that is older than what is shown', () => {
    const older = checkoutFixture({ revision: 4, phase: 'paid', status: 'confirmed', expiresInMs: 1 })
    expect(advance(shown, older, at(20), at(30))).toBe(shown)
  })

  it('ignores an answer about another checkout', () => {
    const other = checkoutFixture({ id: 'another', revision: 9, address: 'bc1qother' })
    expect(advance(shown, other, at(20), at(30))).toBe(shown)
  })

  it('takes an answer of the same revision, because the cart may have changed', () => {
    const answer = checkoutFixture({ revision: 5, cart: 'paid' })
    expect(advance(shown, answer, at(20), at(30)).checkout.cart).toBe('paid')
  })

  it('keeps the same object when only the time left differs', () => {
    const answer = checkoutFixture({ revision: 5, expiresInMs: 50_000 })
    expect(advance(shown, answer, at(10_000), at(10_010)).checkout).toBe(shown.checkout)
  })

  it('is over for good, even when a later answer says that there is time', () => {
    const over = withTime(shown, at(60_000))
    const answer = checkoutFixture({ revision: 6, expiresInMs: 600_000 })
    expect(over.over).toBe(true)
    expect(advance(over, answer, at(60_001), at(60_100)).over).toBe(true)
  })

  it('never shows a lower revision, another checkout or a later deadline, in whatever order answers come', () => {
    const answer = fc.record({
      revision: fc.nat(9),
      expiresInMs: fc.integer({ min: -5000, max: 2_000_000 }),
      same: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(answer), (answers) => {
        let now = shown
        answers.forEach(({ revision, expiresInMs, same }, index) => {
          const sentAt = at(index * 100)
          const id = same ? shown.checkout.id : 'another'
          const next = advance(now, checkoutFixture({ id, revision, expiresInMs }), sentAt, at(index * 100 + 50))
          expect(next.checkout.id).toBe(shown.checkout.id)
          expect(next.checkout.revision).toBeGreaterThanOrEqual(now.checkout.revision)
          expect(timeLeftMs(next.deadline, sentAt)).toBeLessThanOrEqual(timeLeftMs(now.deadline, sentAt))
          expect(next.over || !now.over).toBe(true)
          now = next
        })
      }),
    )
  })
})

describe('begin', () => {
  it('is over at once when the answer says so', () => {
    expect(begin(checkoutFixture({ expiresInMs: 0 }), at(0), at(1)).over).toBe(true)
  })
})

describe('withTime', () => {
  it('moves no end later when a wall clock that ran ahead is set back', () => {
    const ahead = withTime(shown, { monotonicMs: 1000, wallMs: 31_000 })
    const setBack = withTime(ahead, { monotonicMs: 2000, wallMs: 2000 })
    expect(timeLeftMs(ahead.deadline, { monotonicMs: 1000, wallMs: 31_000 })).toBe(29_000)
    expect(timeLeftMs(setBack.deadline, { monotonicMs: 2000, wallMs: 2000 })).toBe(28_000)
  })

  it('gives back the time of a wall clock that was only set back for a while', () => {
    const behind = withTime(shown, { monotonicMs: 1000, wallMs: -30_000 })
    expect(timeLeftMs(behind.deadline, { monotonicMs: 2000, wallMs: 2000 })).toBe(58_000)
  })

  it('never shows a later end, however the wall clock is set', () => {
    const step = fc.record({ passedMs: fc.nat(5000), wallMs: fc.integer({ min: -100_000, max: 100_000 }) })
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let current = shown
        let monotonicMs = 10
        let endMs = Number.POSITIVE_INFINITY
        for (const { passedMs, wallMs } of steps) {
          monotonicMs += passedMs
          const now = { monotonicMs, wallMs }
          current = withTime(current, now)
          const shownEndMs = monotonicMs + timeLeftMs(current.deadline, now)
          expect(shownEndMs).toBeLessThanOrEqual(endMs)
          endMs = shownEndMs
        }
      }),
    )
  })
})
