/** A checkout as the merchant's code reads it. */
import { expect, it } from 'vitest'
import type { Meanings } from '../core/types.ts'
import { someCheckout, someInstructions } from '../records/records.testing.ts'
import { toMerchantCheckout } from './merchant-view.ts'

const meanings: Meanings = { phaseOf: { open: 'waiting', pending: 'seen', confirmed: 'paid', canceled: 'ended' } }
const atEnd = new Date(someInstructions.expiresAtMs).toISOString()
const afterEnd = new Date(someInstructions.expiresAtMs + 1).toISOString()
const seen = { status: 'pending', phase: 'seen' } as const
const paid = { status: 'confirmed', phase: 'paid' } as const
const seenAtEnd = { ...seen, at: atEnd }
const ended = { status: 'canceled', phase: 'ended' } as const

it.each([
  ['a deposit seen after the end', true, { history: [{ ...seen, at: afterEnd }] }],
  ['a deposit first seen when it is paid, after the end', true, { history: [{ ...paid, at: afterEnd }] }],
  ['a deposit seen at the end', false, { history: [seenAtEnd, { ...paid, at: afterEnd }] }],
  ['an end without a deposit', false, { history: [{ ...ended, at: afterEnd }] }],
  ['a request without an answer', false, { history: [{ ...seen, at: afterEnd }], instructions: null }],
  ['a new checkout', false, {}],
])('%s: late is %s', (_, isLate, more) => {
  expect(toMerchantCheckout(someCheckout(more), meanings).isLate).toBe(isLate)
})
