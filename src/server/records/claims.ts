/** Which checkout an order of the service is taken by. A claim counts as long as its checkout is bound to the order, or can still be by it. */
import { PaywindowError } from '../../contract/errors.ts'
import type { Store } from '../store/store.ts'
import type { Repository } from './repository.ts'
import { unlessUnreadable } from './unreadable.ts'

type Claims = Pick<Repository, 'claimOrder' | 'ownerOf' | 'ownersOf' | 'disownOrder'>

/**
 * The owner of a claim that was given back. Its record stays, because then its version only rises: whatever a given-up call does later, it does to a
 * version that is not there any more.
 */
const nobody = 'nobody'
/** Somebody else was faster each time. */
const maxTries = 20

const keyOf = (orderId: string) => `order ${orderId}`

/** @param checkouts - The repository's. */
export function createClaims(
  store: Store,
  { readCheckout, updateCheckout }: Pick<Repository, 'readCheckout' | 'updateCheckout'>,
): Claims {
  const ownersOf: Claims['ownersOf'] = async (orderIds) => {
    const stored = await store.readMany(orderIds.map(keyOf))
    const claimed = stored.filter(({ value }) => value !== nobody)
    return new Map(claimed.map(({ key, value }) => [key.slice(keyOf('').length), value]))
  }

  /**
   * Whether a claim can be taken from its owner: it is not bound to the order. A process that is about to bind it by that claim finds another
   * revision, and has to claim again. A checkout that is gone or cannot be read keeps what it has.
   */
  async function letsGo(ownerId: string, orderId: string): Promise<boolean> {
    const owner = await unlessUnreadable(readCheckout(ownerId))
    if (owner === undefined || owner === 'unreadable' || owner.binding?.orderId === orderId) return false
    // What is bound changes its revision by itself before it can be bound to another order.
    const after = await updateCheckout(ownerId, (current) =>
      current.binding ? current : { ...current, revision: current.revision + 1 },
    )
    return after.binding?.orderId !== orderId
  }

  return {
    ownersOf,
    ownerOf: async (orderId) => {
      const ownerId = (await store.read(keyOf(orderId)))?.value
      return ownerId === nobody ? undefined : ownerId
    },
    claimOrder: async (orderId, checkoutId) => {
      const claim = { key: keyOf(orderId), value: checkoutId, due: [], labels: [] }
      for (let tries = 0; tries < maxTries; tries++) {
        if (await store.create(claim)) return checkoutId
        const stored = await store.read(claim.key)
        if (!stored) continue
        const { value: ownerId, version } = stored
        const isFree = ownerId === checkoutId || ownerId === nobody || (await letsGo(ownerId, orderId))
        if (!isFree) return ownerId
        // Its own is written again, too: whoever is about to take it must find another version.
        if (await store.replace(claim, version)) return checkoutId
      }
      throw new PaywindowError('internal', `The claim of order ${orderId} changes faster than it can be written`)
    },
    disownOrder: async (orderId, checkoutId) => {
      const stored = await store.read(keyOf(orderId))
      if (stored?.value !== checkoutId) return
      const isGone = (await unlessUnreadable(readCheckout(checkoutId))) === undefined
      if (!isGone && !(await letsGo(checkoutId, orderId))) return
      await store.replace({ key: stored.key, value: nobody, due: [], labels: [] }, stored.version)
    },
  }
}
