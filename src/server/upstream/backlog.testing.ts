/** A store with many unpaid checkouts, each with an order at the service. For tests only. */
import type { CheckoutRecord } from '../core/types.ts'
import { someCheckout, someInstructions } from '../records/records.testing.ts'
import { createRepository } from '../records/repository.ts'
import type { TestShop } from '../shop.testing.ts'
import type { Store } from '../store/store.ts'
import { accountName } from '../store/store-calls.ts'

/**
 * Fills the store as a server would have, had it run all the time. Due times are spread as they are
 * in a server that follows them.
 *
 * @param agesMs - How long ago each was opened, oldest first.
 * @returns The checkouts, oldest first.
 */
export async function fillWithUnpaid(
  shop: TestShop,
  store: Store,
  agesMs: readonly number[],
  dueAtMs: (ageMs: number, at: number) => number,
): Promise<readonly CheckoutRecord[]> {
  const repository = createRepository(store)
  const nowMs = shop.clock.now()
  const { clock } = shop.sandbox
  let movedMs = 0
  const made: CheckoutRecord[] = []
  for (const [at, ageMs] of agesMs.entries()) {
    clock.advance(-ageMs - movedMs)
    movedMs = -ageMs
    const sentAtMs = nowMs - ageMs
    const price = { asset: 'USD', amount: `${at + 10}` }
    const order = shop.sandbox.addOrder({ sourceAsset: 'BTC', targetAsset: 'USD', targetAmount: price.amount })
    const id = `c${sentAtMs.toString(36).padStart(9, '0')}${at.toString(36).padStart(10, '0')}`
    const attempt = {
      id: `attempt ${at}`,
      sentAtMs,
      outcome: 'answered' as const,
      after: [],
      window: { fromMs: sentAtMs - 1_000, toMs: sentAtMs + 2_000 },
    }
    const base = someCheckout({ id, reference: `old-${at}`, account: accountName(shop.sandbox.access) })
    const checkout: CheckoutRecord = {
      ...base,
      createdAtMs: sentAtMs,
      terms: { ...base.terms, price },
      attempts: [attempt],
      instructions: {
        ...someInstructions,
        attemptId: attempt.id,
        address: order.address ?? '',
        amount: order.sourceAmount,
        sentAtMs,
        expiresAtMs: sentAtMs + 1_200_000,
      },
      binding: { orderId: order.id, evidence: 'timestamp', boundAtMs: sentAtMs, isProvisional: false },
      history: [{ status: 'open', phase: 'waiting', at: new Date(sentAtMs).toISOString() }],
      nextLookAtMs: Math.round(dueAtMs(ageMs, at)),
    }
    await repository.createCheckout(checkout)
    await repository.claimOrder(order.id, id)
    made.push(checkout)
  }
  clock.advance(-movedMs)
  return made
}

/** Requests that reach the service: how many there were, and most of them within one second. */
export function countRequests(shop: TestShop): { total(): number; mostInASecond(): number; reset(): void } {
  let times: number[] = []
  shop.sandbox.faults = () => {
    times.push(shop.clock.now())
    return undefined
  }
  return {
    total: () => times.length,
    mostInASecond: () => {
      let first = 0
      let most = 0
      for (const [at, time] of times.entries()) {
        while ((times[first] ?? 0) <= time - 1_000) first++
        most = Math.max(most, at - first + 1)
      }
      return most
    },
    reset: () => {
      times = []
    },
  }
}

/** The payer sends the exact amount of an order, however late, and the service makes it paid. */
export function payOrder({ sandbox }: Pick<TestShop, 'sandbox'>, orderId: string): void {
  const found = () => sandbox.orders().find(({ id }) => id === orderId)
  sandbox.payer.deposit({ address: found()?.address ?? '', amount: found()?.sourceAmount ?? '' })
  if (found()?.workflow === 'late') sandbox.payer.acceptLate(orderId)
  else sandbox.payer.confirm(orderId)
}
