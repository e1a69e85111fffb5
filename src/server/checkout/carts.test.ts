import { describe, expect, it } from 'vitest'
import {
  chosenEntry,
  createdWithin,
  currentEntry,
  endOtherPrices,
  openEntry,
  renewEntry,
  unpaidQuotes,
} from '../core/carts.ts'
import type { CartEntry, CartRecord } from '../core/types.ts'
import { someCheckout, someInstructions, startMs } from '../records/records.testing.ts'

const usd = (amount: string) => ({ asset: 'USD', amount })
const entry = (id: string, more: Partial<CartEntry> = {}): CartEntry => ({
  id,
  method: 'BTC bitcoin',
  price: usd('10'),
  createdAtMs: 100,
  endedAtMs: null,
  successor: null,
  ...more,
})
const cart = (...entries: CartEntry[]): CartRecord => ({ v: 1, reference: 'cart', entries, chosen: null })

describe('a cart', () => {
  it('keeps the current checkout of a method and accepts no second one', () => {
    const one = openEntry(cart(), entry('a'))
    const two = openEntry(one, entry('b'))
    expect(two.entries.map(({ id }) => id)).toEqual(['a'])
    expect(currentEntry(two, 'BTC bitcoin')?.id).toBe('a')
  })

  it('has one current checkout a method, and remembers the method chosen last', () => {
    const both = openEntry(openEntry(cart(), entry('a')), entry('b', { method: 'ETH ethereum' }))
    expect(chosenEntry(both)?.id).toBe('b')
    expect(chosenEntry(openEntry(both, entry('c')))?.id).toBe('a')
  })

  it('ends the checkouts of another price, and stays unchanged when there are none', () => {
    const before = cart(entry('a'), entry('b', { method: 'ETH ethereum', price: usd('12') }))
    expect(endOtherPrices(before, usd('12.00'), 500).entries.map(({ endedAtMs }) => endedAtMs)).toEqual([500, null])
    const same = cart(entry('a'))
    expect(endOtherPrices(same, usd('10.0'), 500)).toBe(same)
  })

  it('gives a checkout one successor, however often it is asked', () => {
    const once = renewEntry(cart(entry('a')), 'a', entry('b', { createdAtMs: 200 }))
    const twice = renewEntry(once, 'a', entry('c', { createdAtMs: 300 }))
    expect(twice).toBe(once)
    expect(once.entries).toMatchObject([
      { id: 'a', endedAtMs: 200, successor: 'b' },
      { id: 'b', endedAtMs: null },
    ])
  })

  it('makes the checkout that became current in the meantime the successor', () => {
    const ended = cart(entry('a', { endedAtMs: 150 }), entry('b', { price: usd('12') }))
    expect(renewEntry(ended, 'a', entry('c')).entries).toMatchObject([
      { id: 'a', successor: 'b', endedAtMs: 150 },
      { id: 'b' },
    ])
  })

  it('replaces a successor that has ended', () => {
    const renewed = renewEntry(cart(entry('a')), 'a', entry('b'))
    const repriced = endOtherPrices(renewed, usd('12'), 300)
    const again = renewEntry(repriced, 'a', entry('c', { price: usd('12') }))
    expect(again.entries).toMatchObject([{ id: 'a', successor: 'c' }, { id: 'b', successor: null }, { id: 'c' }])
    expect(renewEntry(again, 'b', entry('d')).entries).toMatchObject([
      { id: 'a' },
      { id: 'b', successor: 'c' },
      { id: 'c' },
    ])
  })

  it('finds a checkout that was stored when fewer networks were known', () => {
    const before = openEntry(cart(), entry('a', { method: 'ETH arbitrum' }))
    expect(openEntry(before, entry('b', { method: 'ETH arbitrum-one' })).entries.map(({ id }) => id)).toEqual(['a'])
    expect(currentEntry(before, 'ETH base')).toBeUndefined()
  })

  it('does not renew a checkout that is not its own', () => {
    const before = cart(entry('a'))
    expect(renewEntry(before, 'other', entry('b'))).toBe(before)
  })

  it('counts the checkouts created since a time', () => {
    const made = cart(entry('a', { createdAtMs: 1 }), entry('b', { createdAtMs: 5 }), entry('c', { createdAtMs: 99 }))
    expect(createdWithin(made, 10, 5)).toBe(1)
  })
})

describe('the unpaid quotes of a cart', () => {
  const phaseOf = { open: 'waiting', pending: 'seen', confirmed: 'paid', canceled: 'ended' } as const
  const quote = (id: string, more = {}) => someCheckout({ id, instructions: someInstructions, ...more })
  const idsAt = (nowMs: number, ...checkouts: ReturnType<typeof quote>[]) =>
    unpaidQuotes({ checkouts }, { phaseOf }, nowMs).map(({ id }) => id)

  it('are in the order of their age, whatever order a store returns them in', () => {
    expect(idsAt(startMs, quote('c3'), quote('c1'), quote('c2'))).toEqual(['c1', 'c2', 'c3'])
  })

  it('are neither paid nor seen, have an address, and ended two hours ago at most', () => {
    const others = [quote('c2', { status: 'pending' }), quote('c3', { instructions: null })]
    const overMs = someInstructions.expiresAtMs + 2 * 3_600_000
    expect(idsAt(overMs - 1, quote('c1'), ...others)).toEqual(['c1'])
    expect(idsAt(overMs, quote('c1'), ...others)).toEqual([])
  })
})
