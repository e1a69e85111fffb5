/** Reads a cart together with all its checkouts, because what a browser is shown of one depends on the others. */
import { LRUCache } from 'lru-cache'
import type { KeyedCheckout, Price } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import { growingTo } from '../../service/growing-to.ts'
import type { Context } from '../context.ts'
import { repriced, samePrice } from '../core/carts.ts'
import type { CartRecord, CheckoutRecord } from '../core/types.ts'
import { toKeyedCheckout, type WholeCart } from '../views/browser-view.ts'

/** Carts with their checkouts. Each read rejects with a StoredRecordError where one cannot be read. */
export interface WholeCarts {
  /** @param ids - Checkouts that the cart is known to have: then one call reads it all. Default none. */
  read(reference: string, ids?: readonly string[]): Promise<WholeCart>
  /** A checkout and its cart, as they were at one moment; undefined where there is no such checkout. */
  around(checkoutId: string): Promise<{ readonly checkout: CheckoutRecord; readonly view: WholeCart } | undefined>
  /**
   * Ends a cart's checkouts at other prices.
   *
   * @param before - The cart, read before this price was asked for.
   * @throws PaywindowError `service_unavailable` where another price came in between: ask for the price again.
   */
  atPrice(before: CartRecord, price: Price): Promise<WholeCart>
  /**
   * For a price that `offer` names now.
   *
   * @throws PaywindowError `not_offered` where the cart was paid at another: its reference was used again. The merchant is told once.
   */
  refuseReuse(view: WholeCart, price: Price): void
  /** The checkout that the cart's deposit went to, if there was one: such a cart gets no other. */
  settledBy(view: WholeCart): CheckoutRecord | undefined
  /** What its payer sees of a checkout, with its key. */
  keyed(checkout: CheckoutRecord, view: WholeCart): KeyedCheckout
}

/** Checkouts whose cart is remembered with its checkouts, so that one call reads them all. */
const maxRemembered = 50_000
/** Carts of which the merchant was told that their reference was used again. */
const maxTold = 1_000

/** Reads from the repository, each time anew. */
export function createWholeCarts({
  repository,
  settings,
  now,
  time,
}: Pick<Context, 'repository' | 'settings' | 'now' | 'time'>): WholeCarts {
  const known = new LRUCache<string, { readonly reference: string; readonly ids: readonly string[] }>(
    growingTo(maxRemembered),
  )

  const toldOf = new LRUCache<string, true>(growingTo(maxTold))
  const inPhase = ({ checkouts }: WholeCart, phase: 'paid' | 'seen') =>
    checkouts.filter(({ status }) => settings.phaseOf[status] === phase)

  const of = async (cart: CartRecord): Promise<WholeCart> => readIds(cart.reference, idsOf(cart))

  /** Reads again if the cart has a checkout that was not among them. */
  async function readIds(reference: string, ids: readonly string[]): Promise<WholeCart> {
    const { cart, checkouts } = await repository.readTogether(reference, ids)
    const inCart = idsOf(cart)
    if (!inCart.every((id) => ids.includes(id))) return readIds(reference, [...new Set([...ids, ...inCart])])
    return { cart, checkouts }
  }

  return {
    read: async (reference, ids = []) => inCartOnly(await readIds(reference, ids)),
    around: async (checkoutId) => {
      const before = known.get(checkoutId) ?? (await referenceOf(checkoutId))
      if (!before) return undefined
      const { cart, checkouts } = await readIds(before.reference, before.ids)
      const checkout = checkouts.find(({ id }) => id === checkoutId)
      if (!checkout) return undefined
      if (!known.has(checkoutId) || cart.entries.some(({ id }) => !before.ids.includes(id)))
        known.set(checkoutId, { reference: cart.reference, ids: [...new Set([checkout.id, ...idsOf(cart)])] })
      return { checkout, view: inCartOnly({ cart, checkouts }) }
    },
    atPrice: async (before, price) =>
      of(await repository.updateCart(before.reference, (current) => repriced(before, current, price, now()))),
    refuseReuse: (view, price) => {
      const [paid, ...others] = inPhase(view, 'paid')
      if (!paid || [paid, ...others].some(({ terms }) => samePrice(terms.price, price))) return
      if (!toldOf.has(paid.id))
        settings.report(usedAgain(paid, price), { checkoutId: paid.id, reference: paid.reference })
      toldOf.set(paid.id, true)
      throw new PaywindowError('not_offered', 'This cart was paid at another price')
    },
    settledBy: (view) => inPhase(view, 'paid')[0] ?? inPhase(view, 'seen')[0],
    keyed: (checkout, view) => toKeyedCheckout(checkout, view, settings, time()),
  }

  async function referenceOf(checkoutId: string) {
    const checkout = await repository.readCheckout(checkoutId)
    return checkout && { reference: checkout.reference, ids: [checkoutId] }
  }
}

function usedAgain(paid: CheckoutRecord, { asset, amount }: Price): PaywindowError {
  const { id, terms } = paid
  return new PaywindowError(
    'offer_invalid',
    `A cart was paid by checkout ${id} for ${terms.price.amount} ${terms.price.asset}, and offer names ${amount} ${asset} now. The payer is shown neither. Give each purchase a reference of its own`,
  )
}

function inCartOnly({ cart, checkouts }: WholeCart): WholeCart {
  const inCart = idsOf(cart)
  return { cart, checkouts: checkouts.filter(({ id }) => inCart.includes(id)) }
}

function idsOf({ entries }: CartRecord): readonly string[] {
  return entries.map(({ id }) => id)
}
