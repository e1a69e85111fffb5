/** Checkouts as a server would have stored them, so that ten thousand are there without ten thousand requests. */
import type { Repository } from '../../../src/server/records/repository.ts'
import { newCheckout } from '../../../src/server/records/transitions.ts'
import type { Browser, SeedOrder } from './messages.ts'

/** Stores the checkout of an order, with its cart. */
export async function seedRecord(
  repository: Repository,
  order: SeedOrder,
  number: number,
  status: 'open' | 'confirmed' = 'open',
): Promise<Browser> {
  const id = `c${String(order.createdAtMs).padStart(14, '0')}${String(number).padStart(8, '0')}`
  const key = `k${String(number).padStart(42, '0')}`
  const attemptId = `attempt-${number}`
  const reference = `seed-${number}`
  const method = { asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }
  const price = { asset: 'USD', amount: order.price }
  const terms = { price, merchant: { name: 'Lantern Books' }, methodCount: 1 }
  const nowMs = order.createdAtMs
  const at = { fromMs: nowMs - 1_000, toMs: nowMs + 2_000 }
  await repository.createCheckout({
    ...newCheckout({ id, key, reference, method, terms, test: true, nowMs }),
    attempts: [{ id: attemptId, sentAtMs: nowMs, outcome: 'answered', after: [], window: at }],
    instructions: {
      attemptId,
      amount: order.amount,
      address: order.address,
      tag: null,
      symbol: 'BTC',
      name: 'Bitcoin',
      iconUrl: null,
      sentAtMs: nowMs,
      expiresAtMs: nowMs + 20 * 60_000,
      dateTime: null,
      expTime: null,
    },
    binding: { orderId: order.id, evidence: 'timestamp', boundAtMs: nowMs, isProvisional: false },
    status,
    history: [{ status, phase: status === 'open' ? 'waiting' : 'paid', at: new Date(nowMs).toISOString() }],
    nextLookAtMs: status === 'open' ? nowMs : null,
  })
  await repository.claimOrder(order.id, id)
  await repository.updateCart(reference, (cart) => ({
    ...cart,
    chosen: 'BTC bitcoin',
    entries: [{ id, method: 'BTC bitcoin', price, createdAtMs: nowMs, endedAtMs: null, successor: null }],
  }))
  return { id, key }
}
