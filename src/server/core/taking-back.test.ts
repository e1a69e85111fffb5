import { describe, expect, it } from 'vitest'
import type { OrderStatus } from '../../contract/checkout.ts'
import { someCheckout, startMs } from '../records/records.testing.ts'
import { isHeldLongEnough, takesBack, timesOf, withAnswer, withStatus } from './transitions.ts'
import type { CheckoutRecord } from './types.ts'

const minuteMs = 60_000
const rules = {
  phaseOf: { open: 'waiting', pending: 'seen', confirmed: 'paid', canceled: 'ended' },
  eventId: (id: string, status: OrderStatus) => `${id} ${status}`,
} as const

/** A checkout that has had these statuses, the last one since the start. */
const hadBeen = (...statuses: readonly OrderStatus[]) =>
  statuses.reduce((checkout, status) => withStatus(checkout, status, startMs, rules), someCheckout())

/** The times of an answer, by clocks that agree. */
const at = (minute: number) => timesOf({ sentAtMs: startMs + minute * minuteMs, serviceDateMs: null })

/** Answers at minutes from the start. */
const taking = (checkout: CheckoutRecord, ...answers: readonly (readonly [minute: number, status: OrderStatus])[]) =>
  answers.reduce((held, [minute, status]) => withAnswer(held, status, at(minute)), checkout)

describe('what takes a status back', () => {
  it.each<[OrderStatus[], OrderStatus]>([
    [['pending'], 'open'],
    [['confirmed'], 'pending'],
    [['confirmed'], 'canceled'],
    [['canceled'], 'pending'],
    [['canceled'], 'confirmed'],
    [['confirmed', 'canceled'], 'confirmed'],
  ])('after %s it is %s', (had, status) => {
    expect(takesBack(hadBeen(...had), status)).toBe(true)
  })

  it.each<[OrderStatus[], OrderStatus]>([
    [['pending'], 'confirmed'],
    [['pending'], 'canceled'],
    [['confirmed'], 'confirmed'],
  ])('after %s it is not %s', (had, status) => {
    expect(takesBack(hadBeen(...had), status)).toBe(false)
  })

  it.each<[string, OrderStatus[], OrderStatus, alone: boolean, minutes: number]>([
    ['a refund', ['confirmed'], 'canceled', false, 1],
    ['a refund that only details or list show', ['confirmed'], 'canceled', true, 10],
    ['a late deposit', ['canceled'], 'pending', false, 1],
    ['a payment that was there before', ['confirmed', 'canceled'], 'confirmed', false, 30],
    ['no payment', ['confirmed'], 'open', false, 30],
    ['no payment, as only details or list show', ['confirmed'], 'open', true, 30],
  ])('%s counts when all have shown it for long enough', (_, had, status, isAlone, minutes) => {
    const held = taking(hadBeen(...had), [0, status])
    expect(isHeldLongEnough(held, at(minutes - 1 / minuteMs), isAlone)).toBe(false)
    expect(isHeldLongEnough(held, at(minutes), isAlone)).toBe(true)
  })

  it('counts from anew after an answer that contradicts it', () => {
    const held = taking(hadBeen('confirmed'), [0, 'open'], [20, 'confirmed'], [22, 'open'])
    expect(isHeldLongEnough(held, at(51))).toBe(false)
    expect(isHeldLongEnough(held, at(52))).toBe(true)
    expect(isHeldLongEnough(taking(held, [30, 'pending']), at(52))).toBe(false)
  })

  it('is not contradicted by an answer to an older question', () => {
    const held = taking(hadBeen('confirmed'), [5, 'open'])
    expect(taking(held, [4, 'confirmed'])).toBe(held)
  })

  it('is forgotten when nothing shows it for ten minutes', () => {
    expect(taking(hadBeen('confirmed'), [0, 'open'], [1, 'confirmed'], [11, 'confirmed']).takingBack).toBeUndefined()
  })

  it('is forgotten with the next change', () => {
    const held = taking(hadBeen('confirmed'), [0, 'open'])
    expect(withStatus(held, 'canceled', startMs, rules).takingBack).toBeUndefined()
  })

  it.each([24 * 60, -24 * 60])(
    'is held neither longer nor shorter where one of the clocks is set by %d minutes',
    (wrongBy) => {
      const wrong = startMs + wrongBy * minuteMs
      for (const times of [
        { sentAtMs: wrong, asOfMs: startMs },
        { sentAtMs: startMs, asOfMs: wrong },
      ]) {
        const held = withAnswer(hadBeen('confirmed'), 'open', times)
        expect(isHeldLongEnough(held, at(29))).toBe(false)
        expect(isHeldLongEnough(held, at(30))).toBe(true)
      }
    },
  )
})

it('answers that contradict each other cost a write now and then, however many they are', () => {
  let checkout = hadBeen('confirmed')
  let writes = 0
  for (let at = 0; at < 720; at++) {
    const next = withAnswer(
      checkout,
      at % 2 === 0 ? 'open' : 'confirmed',
      timesOf({ sentAtMs: startMs + at * 2_500, serviceDateMs: null }),
    )
    if (next !== checkout) writes += 1
    checkout = next
  }
  expect(writes).toBeGreaterThan(20)
  expect(writes).toBeLessThanOrEqual(60)
})
