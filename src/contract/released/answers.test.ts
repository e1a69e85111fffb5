/**
 * Today's widget reads what servers of earlier versions answer: a shop may put its script on a page
 * before its server.
 */
import { describe, expect, it } from 'vitest'
import { parseCheckout, parseHandover, parseKeyedCheckout, parseOffer, parseOpened } from '../parsers.ts'
import { type AnswerKind, answersOfV1, unreadableForV1 } from './schema.testing.ts'

const readers: Readonly<Record<Exclude<AnswerKind, 'error'>, (json: unknown) => unknown>> = {
  offer: parseOffer,
  choice: parseOpened,
  checkout: parseCheckout,
  keyedCheckout: parseKeyedCheckout,
  handover: parseHandover,
}

describe('the answers of version 1', () => {
  it.each(Object.entries(readers) as [keyof typeof readers, (json: unknown) => unknown][])(
    '%s: is read with all that it says',
    (kind, read) => expect(read(answersOfV1[kind])).toEqual(answersOfV1[kind]),
  )

  it.each(Object.keys(answersOfV1) as AnswerKind[])('%s: is as its widget needs it', (kind) => {
    expect(unreadableForV1(kind, answersOfV1[kind])).toEqual([])
  })

  it.each([
    ['a field that is gone', { address: undefined }, " must have required property 'address'"],
    ['a new word of a status', { phase: 'refunded' }, '/phase must be equal to one of the allowed values'],
    ['a number that was a text', { amount: 1.5 }, '/amount must be string'],
    ['an amount of zero', { amount: '0.000' }, '/amount must match pattern'],
  ])('the schema notices %s', (_, change, said) => {
    const changed = JSON.parse(JSON.stringify({ ...(answersOfV1.checkout as object), ...change })) as unknown
    expect(unreadableForV1('checkout', changed).join()).toContain(said)
  })
})
