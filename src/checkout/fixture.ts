/**
 * A valid checkout for tests and the gallery, with a public test vector as its address.
 */
import type { Checkout, Offer } from '../contract/checkout.ts'
import { networkInfo } from '../contract/networks/table.ts'

/**
 * A waiting BTC checkout with 18:42 left, changed by what is passed. Address: BIP-173 test vector.
 */
export function checkoutFixture(changes: Partial<Checkout> = {}): Checkout {
  return {
    v: 1,
    id: 'c7QxN2mVt9fLe',
    reference: 'cart-42',
    revision: 1,
    status: 'open',
    phase: 'waiting',
    tracked: true,
    cart: 'open',
    test: false,
    amount: '0.00123456',
    asset: { symbol: 'BTC', name: 'Bitcoin' },
    network: 'bitcoin',
    address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    tag: null,
    price: { asset: 'USD', amount: '49.9' },
    description: 'Order 42',
    merchant: { name: 'Lantern Books' },
    methodCount: 4,
    createdAt: '2026-11-21T09:22:00.000Z',
    expiresAt: '2026-11-21T09:42:00.000Z',
    expiresInMs: 1_122_900,
    history: [{ status: 'open', phase: 'waiting', at: '2026-11-21T09:22:00.000Z' }],
    viewOnly: false,
    // As the merchant server sends it.
    ...networkInfo(changes.network ?? 'bitcoin'),
    ...changes,
  }
}

/** What differs with XRP, which needs a tag. */
export const xrpFixture = {
  asset: { symbol: 'XRP', name: 'XRP' },
  network: 'ripple',
  amount: '22.841',
  address: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
  tag: '4087552241',
} as const satisfies Partial<Checkout>

/** The choice of a coin, before there is a checkout. */
export const offerFixture: Offer = {
  v: 1,
  reference: 'cart-42',
  price: { asset: 'USD', amount: '49.9' },
  merchant: { name: 'Lantern Books' },
  methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
  cart: 'open',
  test: false,
}
