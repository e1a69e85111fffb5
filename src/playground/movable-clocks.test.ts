import { expect, it } from 'vitest'
import { makeClocksMovable } from './movable-clocks.ts'

/** A page whose clocks stand still. */
const page = () => ({
  Date: class extends Date {
    static override now = () => 1_000
  } as DateConstructor,
  performance: { now: () => 50 } as Performance,
})

it('moves the wall clock and the monotonic one together', () => {
  const moved = page()
  const advance = makeClocksMovable(moved)
  advance(60_000)
  advance(1)
  expect(moved.Date.now()).toBe(61_001)
  expect(new moved.Date().getTime()).toBe(61_001)
  expect(moved.performance.now()).toBe(60_051)
})

it('leaves dates alone that name their time', () => {
  const moved = page()
  makeClocksMovable(moved)(60_000)
  expect(new moved.Date(0).toISOString()).toBe('1970-01-01T00:00:00.000Z')
  expect(new moved.Date('2026-01-01T00:00:00Z').getTime()).toBe(Date.UTC(2026, 0, 1))
  expect(new moved.Date(0)).toBeInstanceOf(Date)
})
