/** Turns an entry of a cart into a checkout that can be paid. */
import type { KeyedCheckout } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import { type CheckedOffer, type Method, methodId } from '../offers.ts'
import { isLeftUnused } from '../records/looks.ts'
import { newCheckout } from '../records/transitions.ts'
import type { CartEntry, CheckoutRecord } from '../records/types.ts'
import type { Allowance } from './allowance.ts'
import type { CartViews } from './cart-views.ts'
import { endEntry } from './carts.ts'

/** What is bought, with what, and who asks. */
interface Purchase {
  readonly reference: string
  readonly offer: CheckedOffer
  readonly method: Method
  readonly request: Request
}

/** Makes entries of a cart payable. */
export interface Payable {
  /** A place in the cart for a checkout to come. Stores nothing. */
  newEntry({ offer, method }: Pick<Purchase, 'offer' | 'method'>): CartEntry
  /** Waits for the checkout of an entry to have instructions, and answers with it. Rejects as `Creation.ensure` does. */
  ready(entry: CartEntry, purchase: Purchase): Promise<KeyedCheckout>
}

/** Stores the checkout before the service is asked for its order. */
export function createPayable(
  {
    repository,
    settings,
    account,
    ids,
    now,
    plannedNow,
  }: Pick<Context, 'repository' | 'settings' | 'account' | 'ids' | 'now' | 'plannedNow'>,
  views: CartViews,
  allowance: Pick<Allowance, 'checkAgain' | 'create'>,
): Payable {
  const recordOf = (entry: CartEntry, { reference, method, offer }: Purchase): CheckoutRecord =>
    newCheckout({
      id: entry.id,
      key: ids.secret(),
      reference,
      method,
      terms: offer.terms,
      offeredAmount: offer.offeredAmount,
      test: settings.test,
      account,
      nowMs: entry.createdAtMs,
    })

  /** Its checkout is about to be deleted: an order that is created now could lose it. */
  async function giveUp({ id }: CartEntry, reference: string): Promise<never> {
    await repository.updateCart(reference, (cart) => endEntry(cart, id, now()))
    throw new PaywindowError('service_unavailable', 'This checkout is too old: ask again', { retryAfterMs: 1_000 })
  }

  return {
    newEntry: ({ offer, method }) => {
      const nowMs = now()
      return {
        id: ids.checkoutId(nowMs),
        method: methodId(method),
        price: offer.terms.price,
        createdAtMs: nowMs,
        endedAtMs: null,
        successor: null,
      }
    },
    ready: async (entry, purchase) => {
      const { reference, request } = purchase
      const view = await views.read(reference, [entry.id])
      const { checkouts } = view
      const known = checkouts.find(({ id }) => id === entry.id)
      if (known?.instructions) return views.keyed(known, view)
      if (isLeftUnused(entry, plannedNow())) await giveUp(entry, reference)
      if (known) allowance.checkAgain(reference, request)
      else await repository.createCheckout(recordOf(entry, purchase))
      const created = await allowance.create({ reference, checkouts }, entry.id, request)
      const ids = new Set([...checkouts.map(({ id }) => id), entry.id])
      const after = await views.read(reference, [...ids])
      // The revision is that of the whole cart: what is shown with it was read with it.
      return views.keyed(after.checkouts.find(({ id }) => id === created.id) ?? created, after)
    },
  }
}
