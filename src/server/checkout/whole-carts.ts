/**
 * Reads carts whole, with all their checkouts: what a browser is shown of a checkout depends on the
 * others of its cart.
 */
import { LRUCache } from 'lru-cache'
import type { KeyedCheckout, Price } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import { growingTo } from '../../service/growing-to.ts'
import type { Context } from '../context.ts'
import { repriced, samePrice } from '../core/carts.ts'
import type { CartRecord, CheckoutRecord } from '../core/types.ts'
import { toKeyedCheckout, type WholeCart } from '../views/browser-view.ts'

/** Carts with their checkouts. Reads reject with a StoredRecordError if a record cannot be read. */
export interface WholeCarts {
  /**
   * @param ids - Checkouts that the cart is known to have, so that one call to the store reads
   * everything. Default none.
   */
  read(reference: string, ids?: readonly string[]): Promise<WholeCart>
  /**
   * Reads a checkout and its cart as they were at one moment; undefined if there is no such
   * checkout.
   */
  around(checkoutId: string): Promise<{ readonly checkout: CheckoutRecord; readonly whole: WholeCart } | undefined>
  /**
   * Ends the cart's checkouts at other prices.
   *
   * @param before - The cart, read before `offer` was asked for this price.
   * @throws PaywindowError `service_unavailable` if the cart got another price in between: `offer`
   * has to be asked again.
   */
  atPrice(before: CartRecord, price: Price): Promise<WholeCart>
  /**
   * Checks the price that `offer` names now. Reports a reused reference once.
   *
   * @throws PaywindowError `not_offered` if the cart was paid at another price: its reference was
   * used again.
   */
  refuseReuse(whole: WholeCart, price: Price): void
  /**
   * The checkout that got the cart's deposit, if there was one. Such a cart gets no other checkout.
   */
  settledBy(whole: WholeCart): CheckoutRecord | undefined
  /** A checkout as its payer sees it, with its key. */
  keyed(checkout: CheckoutRecord, whole: WholeCart): KeyedCheckout
}

/**
 * Checkouts whose cart and its other checkouts are remembered by id, so that one call reads them
 * all.
 */
const maxRemembered = 50_000
const maxTold = 1_000

/** Remembers ids only: records are read each time. */
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

  /** Reads again if the cart has a checkout that was not among `ids`. */
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
      return { checkout, whole: inCartOnly({ cart, checkouts }) }
    },
    atPrice: async (before, price) =>
      of(await repository.updateCart(before.reference, (current) => repriced(before, current, price, now()))),
    refuseReuse: (whole, price) => {
      const [paid, ...others] = inPhase(whole, 'paid')
      if (!paid || [paid, ...others].some(({ terms }) => samePrice(terms.price, price))) return
      if (!toldOf.has(paid.id))
        settings.report(usedAgain(paid, price), { checkoutId: paid.id, reference: paid.reference })
      toldOf.set(paid.id, true)
      throw new PaywindowError('not_offered', 'This cart was paid at another price')
    },
    settledBy: (whole) => inPhase(whole, 'paid')[0] ?? inPhase(whole, 'seen')[0],
    keyed: (checkout, whole) => toKeyedCheckout(checkout, whole, settings, time()),
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
