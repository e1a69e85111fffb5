import { describe, expect, it } from 'vitest'
import type { HistoryEntry } from '../contract/checkout.ts'
import type { MerchantCheckout } from '../server/views/merchant-view.ts'
import { chosenCheckouts } from './chosen-checkouts.ts'

const seen = { status: 'pending', phase: 'seen' } as const
const paid = { status: 'confirmed', phase: 'paid' } as const

function checkout(id: number, of: Partial<MerchantCheckout> = {}): MerchantCheckout {
  return {
    id: `c${String(id).padStart(5, '0')}`,
    reference: `cart-${id}`,
    status: 'open',
    phase: 'waiting',
    price: { asset: 'USD', amount: '49.9' },
    asset: 'BTC',
    network: 'bitcoin',
    createdAt: '2026-11-01T09:00:00.000Z',
    history: [],
    test: false,
    order: null,
    candidates: [],
    deposit: { amount: '0.001', address: 'bc1q', tag: null, expiresAt: '2026-11-01T09:20:00.000Z' },
    received: null,
    untoldEvents: 0,
    ...of,
  }
}

/** A store of these, which gives no more than a thousand at once. */
function storeOf(checkouts: readonly MerchantCheckout[]) {
  const newestFirst = checkouts.toSorted((a, b) => (a.id < b.id ? 1 : -1))
  return {
    list: async ({ before, limit = 100 }: { before?: string; limit?: number } = {}) =>
      newestFirst.filter(({ id }) => before === undefined || id < before).slice(0, Math.min(limit, 1_000)),
  }
}

const idsOf = (found: readonly MerchantCheckout[]) => found.map(({ id }) => id)

describe('checkouts that are', () => {
  it('late: their deposit was first seen after the quote', async () => {
    const at = (...entries: readonly HistoryEntry[]) => ({ history: entries })
    const checkouts = storeOf([
      checkout(1, at({ ...seen, at: '2026-11-01T09:20:00.001Z' }, { ...paid, at: '2026-11-01T09:40:00.000Z' })),
      checkout(2, at({ ...seen, at: '2026-11-01T09:20:00.000Z' }, { ...paid, at: '2026-11-01T09:40:00.000Z' })),
      checkout(3, at({ ...paid, at: '2026-11-02T00:00:00.000Z' })),
      checkout(4, at({ status: 'canceled', phase: 'ended', at: '2026-11-02T00:00:00.000Z' })),
      checkout(5, { deposit: null }),
    ])
    expect(idsOf(await chosenCheckouts(checkouts, 'late', { limit: 10 }))).toEqual(['c00003', 'c00001'])
    expect(idsOf(await chosenCheckouts(checkouts, 'late', { limit: 1 }))).toEqual(['c00003'])
    expect(idsOf(await chosenCheckouts(checkouts, 'late', { limit: 1, before: 'c00003' }))).toEqual(['c00001'])
  })

  it('paid twice, however far they are apart', async () => {
    const others = Array.from({ length: 2_500 }, (_, at) => checkout(at, { ...paid }))
    const same = { ...paid, reference: 'cart-x' }
    const checkouts = storeOf([
      ...others.slice(1, -1),
      checkout(0, same),
      checkout(2_499, same),
      checkout(2_500, { reference: 'cart-x' }),
    ])
    expect(idsOf(await chosenCheckouts(checkouts, 'paid-twice', { limit: 10 }))).toEqual(['c02499', 'c00000'])
    expect(idsOf(await chosenCheckouts(checkouts, 'paid-twice', { limit: 1, before: 'c02499' }))).toEqual(['c00000'])
  })
})
