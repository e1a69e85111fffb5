/** A cart with all its checkouts, read together: what a browser is shown of one depends on the others. */
import type { KeyedCheckout, Price } from '../../contract/checkout.ts'
import type { Context } from '../context.ts'
import type { CartRecord, CheckoutRecord } from '../records/types.ts'
import { type CartView, toKeyedCheckout } from '../views/browser-view.ts'
import { endOtherPrices } from './carts.ts'

/** Carts with their checkouts. Each read rejects with a StoredRecordError where one cannot be read. */
export interface CartViews {
  read(reference: string): Promise<CartView>
  /** Reads a cart and ends its checkouts at other prices. */
  atPrice(reference: string, price: Price): Promise<CartView>
  /** The checkout that the cart's deposit went to, if there was one: such a cart gets no other. */
  settledBy(view: CartView): CheckoutRecord | undefined
  /** What its payer sees of a checkout, with its key. */
  keyed(checkout: CheckoutRecord, view: CartView): KeyedCheckout
}

/** Reads from the repository, each time anew. */
export function createCartViews({
  repository,
  settings,
  now,
  time,
}: Pick<Context, 'repository' | 'settings' | 'now' | 'time'>): CartViews {
  const of = async (cart: CartRecord): Promise<CartView> => {
    const checkouts = await Promise.all(cart.entries.map(({ id }) => repository.readCheckout(id)))
    return { cart, checkouts: checkouts.filter((checkout) => checkout !== undefined) }
  }
  return {
    read: async (reference) => of(await repository.readCart(reference)),
    atPrice: async (reference, price) =>
      of(await repository.updateCart(reference, (current) => endOtherPrices(current, price, now()))),
    settledBy: ({ checkouts }) => {
      const inPhase = (phase: 'paid' | 'seen') => checkouts.find(({ status }) => settings.phaseOf[status] === phase)
      return inPhase('paid') ?? inPhase('seen')
    },
    keyed: (checkout, view) => toKeyedCheckout(checkout, view, settings, time()),
  }
}
