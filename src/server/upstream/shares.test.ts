import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shareOut } from './request-budget.ts'

describe('the shares of servers', () => {
  it.each([
    ['one has all', 20, [1], [20]],
    ['equal wants get equal parts', 20, [20, 20], [10, 10]],
    ['what one does not want goes to others', 20, [20, 2], [18, 2]],
    ['what nobody wants goes to all', 20, [4, 2], [11, 9]],
    ['many share few', 1, [5, 5, 5, 5], [0.25, 0.25, 0.25, 0.25]],
  ])('%s', (_, most, wants, parts) => {
    expect(shareOut(most, wants)).toEqual(parts)
  })

  it('add up to what all may send, and nobody gets less than an equal part of it, or what it wants', () => {
    const wants = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 50 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), wants, (most, wanted) => {
        const parts = shareOut(most, wanted)
        expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(most, 6)
        for (const [at, part] of parts.entries())
          expect(part).toBeGreaterThanOrEqual(Math.min(wanted[at] ?? 0, most / wanted.length) - 1e-9)
      }),
    )
  })
})
