import type { MerchantCheckout } from './merchant-view.ts'

/** A checkout as a merchant sees it, which waits for its deposit. For tests only. */
export function someMerchantCheckout(more: Partial<MerchantCheckout> = {}): MerchantCheckout {
  return {
    id: 'c1',
    reference: 'cart-42',
    status: 'open',
    phase: 'waiting',
    price: { asset: 'USD', amount: '49.90' },
    asset: 'BTC',
    network: 'bitcoin',
    createdAt: '2026-11-21T09:30:00.000Z',
    history: [],
    test: false,
    order: null,
    candidates: [],
    deposit: { amount: '0.001', address: 'bc1q', tag: null, expiresAt: '2026-11-21T09:50:00.000Z' },
    received: null,
    arrival: null,
    isLate: false,
    untoldEvents: 0,
    changedAt: null,
    ...more,
  }
}
