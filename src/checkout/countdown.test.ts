import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countdownText, dueAnnouncement, nextTickMs, percentLeft, urgency } from './countdown.ts'

describe('countdownText', () => {
  it.each([
    [1_200_000, '20:00'],
    [1_122_900, '18:42'],
    [60_000, '01:00'],
    [59_999, '00:59'],
    [999, '00:00'],
    [0, '00:00'],
    [-5000, '00:00'],
  ])('%i ms: %s', (leftMs, text) => {
    expect(countdownText(leftMs)).toBe(text)
  })

  it('changes after the wait that nextTickMs says, and not before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 1_200_000 }), (leftMs) => {
        const waitMs = nextTickMs(leftMs, { hidden: false })
        expect(countdownText(leftMs - waitMs)).not.toBe(countdownText(leftMs))
        expect(countdownText(leftMs - waitMs + 1)).toBe(countdownText(leftMs))
      }),
    )
  })
})

describe('nextTickMs', () => {
  it.each([
    [400, false, 400],
    [400, true, 400],
    [90_000, true, 90_000],
    [0, false, Number.POSITIVE_INFINITY],
    [-5, true, Number.POSITIVE_INFINITY],
  ])('with %i ms left, hidden %s: %s', (leftMs, hidden, nextMs) => {
    expect(nextTickMs(leftMs, { hidden })).toBe(nextMs)
  })
})

describe('urgency', () => {
  it.each([
    [300_001, 'calm'],
    [300_000, 'soon'],
    [120_001, 'soon'],
    [120_000, 'last'],
  ])('%i ms: %s', (leftMs, level) => {
    expect(urgency(leftMs)).toBe(level)
  })
})

describe('percentLeft', () => {
  it.each([
    [1_200_000, 100],
    [600_000, 50],
    [1, 1],
    [0, 0],
    [-1, 0],
  ])('%i ms: %i', (leftMs, percent) => {
    expect(percentLeft(leftMs)).toBe(percent)
  })
})

describe('dueAnnouncement', () => {
  it.each<[number | undefined, number, number | null]>([
    [undefined, 299_000, null],
    [301_000, 300_000, 300_000],
    [300_000, 299_000, null],
    [61_000, 60_000, 60_000],
    [400_000, 59_000, 60_000],
    [400_000, 20_000, 30_000],
    [31_000, 0, null],
  ])('%s then %i: %s', (beforeMs, leftMs, announced) => {
    expect(dueAnnouncement(beforeMs, leftMs)).toBe(announced)
  })
})
