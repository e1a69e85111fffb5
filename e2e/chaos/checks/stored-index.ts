/** The current contents of the store, indexed by cart and by address. */
import type { CartRecord, CheckoutRecord } from '../../../src/server/core/types.ts'
import { cartKind, checkoutKind } from '../../../src/server/records/record-kinds.ts'
import type { NewRecord } from '../../../src/server/store/store.ts'
import type { VirtualTime } from '../world/time.ts'

/** Carts and checkouts as they are stored. */
export interface StoredIndex {
  readonly checkouts: ReadonlyMap<string, CheckoutRecord>
  readonly carts: ReadonlyMap<string, CartRecord>
  put(checkout: CheckoutRecord): void
  putCart(cart: CartRecord): void
  /** Since when the store has known of a deposit for this cart; undefined if it knows of none. */
  settledSinceMs(reference: string): number | undefined
  checkoutsOf(reference: string): readonly CheckoutRecord[]
  /** The checkout whose instructions have this address. */
  checkoutAt(address: string, tag: string | null): CheckoutRecord | undefined
  /** Must be called after a restore, with the records of the copy: what was written since is lost. */
  restored(records: readonly NewRecord[]): void
}

/** Creates an empty index. */
export function createStoredIndex(time: VirtualTime): StoredIndex {
  const checkouts = new Map<string, CheckoutRecord>()
  const carts = new Map<string, CartRecord>()
  const idsOf = new Map<string, string[]>()
  const idAt = new Map<string, string>()
  const settledSince = new Map<string, number>()

  const checkoutsOf = (reference: string) =>
    (idsOf.get(reference) ?? []).map((id) => checkouts.get(id)).filter((checkout) => checkout !== undefined)

  function put(checkout: CheckoutRecord): void {
    const { id, reference, instructions } = checkout
    if (!checkouts.has(id)) idsOf.set(reference, [...(idsOf.get(reference) ?? []), id])
    checkouts.set(id, checkout)
    if (instructions) idAt.set(placeOf(instructions.address, instructions.tag), id)
    const isSettled = checkoutsOf(reference).some(({ status }) => status === 'pending' || status === 'confirmed')
    if (!isSettled) settledSince.delete(reference)
    else if (!settledSince.has(reference)) settledSince.set(reference, time.nowMs())
  }

  const putCart = (cart: CartRecord) => void carts.set(cart.reference, cart)

  return {
    checkouts,
    carts,
    put,
    putCart,
    checkoutsOf,
    settledSinceMs: (reference) => settledSince.get(reference),
    checkoutAt: (address, tag) => checkouts.get(idAt.get(placeOf(address, tag)) ?? ''),
    restored: (records) => {
      for (const index of [checkouts, carts, idsOf, idAt, settledSince]) index.clear()
      for (const record of records) {
        if (record.key.startsWith('cart ')) putCart(cartKind.parse(record))
        if (record.key.startsWith('checkout ')) put(checkoutKind.parse(record))
      }
    },
  }
}

function placeOf(address: string, tag: string | null): string {
  return `${address} ${tag ?? ''}`
}
