/** Creates the service's order of a checkout: once, however many browsers, tabs and servers ask. */
import { LRUCache } from 'lru-cache'
import { PaywindowError } from '../../contract/errors.ts'
import { growingTo } from '../../service/growing-to.ts'
import type { Context } from '../context.ts'
import type { Binder } from '../following/binder.ts'
import type { OrderList } from '../orders/order-list.ts'
import type { CheckoutRecord } from '../records/types.ts'
import type { Store } from '../store/store.ts'
import { type Lease, withLease } from '../store/with-lease.ts'
import { createSingleFlight } from '../time/single-flight.ts'
import { createAccept } from './acceptance.ts'
import { createTryOnce, type Hold } from './attempt.ts'
import { unavailable } from './service-failure.ts'
import { createTurns } from './turns.ts'

/** A browser waits this long for its payment panel, and then has to ask again. */
const patienceMs = 25_000
/** How much longer than the request's timeout a lease lasts. After both, another server takes over from one that died. */
const leaseSlackMs = 8_000
/** What is left of a lease that is younger is enough for all that a request waits for before it is sent. */
const freshForMs = 2_000
const defaultTimeoutMs = 15_000
/** Requests for which the start that this process saw is remembered. */
const maxRemembered = 1_000

/** Creates orders at the service. */
export interface Creation {
  /**
   * Resolves with the checkout once it has instructions.
   *
   * @throws PaywindowError `service_refused`, `service_invalid`, `asset_not_crypto`, `service_unavailable` with `retryAfterMs`.
   */
  ensure(checkoutId: string): Promise<CheckoutRecord>
}

/** Everybody who waits for a checkout shares one creation: in this process by a single flight, across processes by a lease. */
export function createCreation(
  context: Pick<
    Context,
    'repository' | 'client' | 'gate' | 'settings' | 'rules' | 'ids' | 'now' | 'plannedNow' | 'sleep' | 'inBackground'
  >,
  binder: Binder,
  orderList: Pick<OrderList, 'noteSending'>,
): Creation {
  const { repository, settings, ids, now, sleep } = context
  const leaseMs = (settings.service.timeoutMs ?? defaultTimeoutMs) + leaseSlackMs
  const isUnderWay = createIsUnderWay(now, leaseMs)
  const accept = createAccept(context, binder)
  const tryOnce = createTryOnce(context, { takeTurn: createTurns(context, binder), accept, orderList })
  const flight = createSingleFlight<CheckoutRecord>()

  async function create(checkoutId: string): Promise<CheckoutRecord> {
    const lease = { name: `create ${checkoutId}`, holder: ids.secret(), forMs: leaseMs }
    const giveUpAtMs = now() + patienceMs
    while (now() < giveUpAtMs) {
      const checkout = await repository.readCheckout(checkoutId)
      if (!checkout) throw new PaywindowError('not_found', 'There is no such checkout')
      if (checkout.instructions) return checkout
      if (!isUnderWay(checkout)) {
        const hold = createHold(repository.store, lease, now)
        const created = await withLease(repository.store, lease, () => tryOnce(checkoutId, hold))
        if (created?.instructions) return created
      }
      await sleep(250)
    }
    throw unavailable('The exchange service has not answered yet: ask again', 2_000)
  }

  return { ensure: (checkoutId) => flight(checkoutId, () => create(checkoutId)) }
}

/** To be made before the lease is asked for: it begins later than this. */
function createHold(store: Pick<Store, 'lease'>, { name, holder, forMs }: Lease, now: () => number): Hold {
  let sinceMs = now()
  const isOver = () => now() >= sinceMs + forMs
  return {
    isInTime: () => now() <= sinceMs + leaseSlackMs,
    keep: async () => {
      const askedAtMs = now()
      if (askedAtMs <= sinceMs + freshForMs) return true
      // One that has ended may have been another's in between, with an order.
      if (isOver() || !(await store.lease(name, holder, forMs)) || isOver()) return false
      sinceMs = askedAtMs
      return true
    },
  }
}

/**
 * Whether somebody may still wait for the answer to a request. Judged by how long we have seen it: the clock of the server that
 * sent it may not agree with ours.
 */
function createIsUnderWay(now: () => number, leaseMs: number): (checkout: CheckoutRecord) => boolean {
  const seenSince = new LRUCache<string, number>(growingTo(maxRemembered))
  return ({ attempts }) => {
    const sent = attempts.filter(({ outcome }) => outcome === 'sent')
    for (const { id } of sent) if (!seenSince.has(id)) seenSince.set(id, now())
    return sent.some(({ id }) => now() - (seenSince.get(id) ?? now()) < leaseMs)
  }
}
