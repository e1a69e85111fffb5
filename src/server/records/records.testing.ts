/** Records that tests start from. For tests only. */
import type { Order } from '../../service/types.ts'
import { newCheckout } from '../core/transitions.ts'
import type { CheckoutRecord, Instructions } from '../core/types.ts'

/** 2026-11-21T10:00:00Z */
export const startMs = Date.parse('2026-11-21T10:00:00Z')

/** A valid address, from BIP-173. */
export const bitcoinAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

/** Complete instructions. */
export const someInstructions: Instructions = {
  attemptId: 'attempt',
  amount: '0.0015',
  address: bitcoinAddress,
  tag: null,
  symbol: 'BTC',
  name: 'Bitcoin',
  iconUrl: null,
  sentAtMs: startMs,
  expiresAtMs: startMs + 1_200_000,
  dateTime: null,
  expTime: null,
}

/**
 * A checkout of 49.90 USD in BTC, answered between 10:00:00 and 10:00:03 by the service's clock.
 */
export function someCheckout(more: Partial<CheckoutRecord> = {}): CheckoutRecord {
  const base = newCheckout({
    id: 'c0000000000000000000a',
    key: 'key',
    reference: 'cart',
    method: { asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' },
    terms: { price: { asset: 'USD', amount: '49.9' }, merchant: { name: 'Lantern Books' }, methodCount: 1 },
    test: false,
    createdAtMs: startMs,
    account: 'account',
  })
  const attempt = {
    id: 'attempt',
    sentAtMs: startMs,
    outcome: 'answered' as const,
    window: { fromMs: startMs, toMs: startMs + 3_000 },
    after: [],
  }
  return { ...base, attempts: [attempt], instructions: someInstructions, ...more }
}

/** An order of the list that fits `someCheckout` in everything the list shows. */
export function someOrder(more: Partial<Order> = {}): Order {
  return {
    from: 'list',
    id: 'order-1',
    status: 'open',
    statusText: 'open',
    subAccountId: null,
    recipientEmail: null,
    description: null,
    sourceAsset: 'BTC',
    sourceAmount: '0.00150',
    targetAsset: 'USD',
    targetAmount: '49.90',
    network: null,
    walletAddress: null,
    tag: null,
    message: null,
    createdAt: '2026-11-21T10:00:01.603085Z',
    validUntil: null,
    timing: { sentAtMs: startMs, answeredAtMs: startMs, serviceDateMs: startMs },
    ...more,
  }
}
