/**
 * Claims of orders by checkouts. A claim comes before the binding, so that only one of two
 * checkouts gets the order.
 */
import { PaywindowError } from '../../contract/errors.ts'
import type { Order } from '../../service/types.ts'
import { otherTime } from '../core/facts.ts'
import type { CheckoutRecord } from '../core/types.ts'
import type { Store } from '../store/store.ts'

/**
 * The owner of a returned claim. Its record stays, so that its version only rises: a late write of
 * a call that was given up then fails.
 */
const nobody = 'nobody'
/** Each further try means that another process was faster. */
const maxTries = 20

const keyOf = (orderId: string) => `order ${orderId}`

interface Checkouts {
  read(id: string): Promise<CheckoutRecord | 'unreadable' | undefined>
  update(id: string, change: (checkout: CheckoutRecord) => CheckoutRecord): Promise<CheckoutRecord>
}

/** Each claim is one record. */
export function createClaims(store: Store, checkouts: Checkouts) {
  /**
   * The ids of the checkouts that have claimed orders, by the ids of the orders. A checkout that
   * has claimed an order need not be bound to it.
   */
  async function ownersOf(orderIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const stored = await store.readMany(orderIds.map(keyOf))
    const claimed = stored.filter(({ value }) => value !== nobody)
    return new Map(claimed.map(({ key, value }) => [key.slice(keyOf('').length), value]))
  }

  /**
   * Makes the owner of a claim release it, unless the owner is bound to the order. Raises the
   * owner's revision: a process that is about to bind the owner by this claim then has to claim
   * again. A checkout that does not exist or cannot be read keeps its claims.
   */
  async function release(ownerId: string, orderId: string, order?: Order): Promise<boolean> {
    const owner = await checkouts.read(ownerId)
    if (owner === undefined || owner === 'unreadable') return false
    if (order && otherTime(order, owner) !== null) return true
    if (owner.binding?.orderId === orderId) return false
    // A bound checkout has to be unbound first, which raises its revision.
    const after = await checkouts.update(ownerId, (current) =>
      current.binding ? current : { ...current, revision: current.revision + 1 },
    )
    return after.binding?.orderId !== orderId
  }

  return {
    ownersOf,
    /** The same for one order. */
    ownerOf: async (orderId: string) => (await ownersOf([orderId])).get(orderId),
    /**
     * Claims an order for a checkout, if need be from a checkout that is not bound to it. Resolves
     * with the id of the owner now. The caller may then bind the checkout only at the revision from
     * before the claim.
     *
     * @param order - The order, where it is known: its former owner may have had another.
     */
    claimOrder: async (orderId: string, checkoutId: string, order?: Order): Promise<string> => {
      const claim = { key: keyOf(orderId), value: checkoutId, due: [], labels: [] }
      for (let tries = 0; tries < maxTries; tries++) {
        if (await store.create(claim)) return checkoutId
        const stored = await store.read(claim.key)
        if (!stored) continue
        const { value: ownerId, version } = stored
        const isFree = ownerId === checkoutId || ownerId === nobody || (await release(ownerId, orderId, order))
        if (!isFree) return ownerId
        // Also rewrites the checkout's own claim, so that a process that is about to take it fails.
        if (await store.replace(claim, version)) return checkoutId
      }
      throw new PaywindowError('internal', `The claim of order ${orderId} changes faster than it can be written`)
    },
    /** Gives back the claim of a checkout that is gone, or is not bound to the order. */
    disownOrder: async (orderId: string, checkoutId: string): Promise<void> => {
      const stored = await store.read(keyOf(orderId))
      if (stored?.value !== checkoutId) return
      const isGone = (await checkouts.read(checkoutId)) === undefined
      if (!isGone && !(await release(checkoutId, orderId))) return
      await store.replace({ key: stored.key, value: nobody, due: [], labels: [] }, stored.version)
    },
  }
}
