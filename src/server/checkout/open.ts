/** Opens the checkout of a cart and method: the existing one, else a new one. */
import type { CheckoutRequest, Choice, KeyedCheckout } from '../../contract/checkout.ts'
import type { Context } from '../context.ts'
import { askOffer, methodId, pickMethod, refuseFiat } from '../offers.ts'
import type { Allowance } from './allowance.ts'
import type { CartViews } from './cart-views.ts'
import { currentEntry, openEntry } from './carts.ts'
import { type Offering, settledMethod } from './offering.ts'
import type { Payable } from './payable.ts'
import { repriced } from './prices.ts'

interface Parts {
  readonly views: CartViews
  readonly offering: Offering
  readonly payable: Payable
  readonly allowance: Pick<Allowance, 'countNew'>
}

/** If the payer has to choose first, answers with the offer, so that choosing costs no round trip. */
export type Open = (wanted: CheckoutRequest, request: Request) => Promise<KeyedCheckout | Choice>

/** Asks the merchant's `offer` for the price each time: a browser never names one. */
export function createOpen(
  { repository, settings, now }: Pick<Context, 'repository' | 'settings' | 'now'>,
  { views, offering, payable, allowance }: Parts,
): Open {
  return async ({ reference, asset, network }, request) => {
    const before = await repository.readCart(reference)
    const offer = await askOffer(settings.offer, reference, request)
    const view = await views.atPrice(before, offer.terms.price)
    views.refuseReuse(view, offer.terms.price)
    const settled = views.settledBy(view)
    if (settled) return views.keyed(settled, view)
    const method =
      asset !== undefined && network !== undefined
        ? pickMethod(offer.methods, asset, network)
        : settledMethod(offer.methods, view.cart)
    if (!method) return { v: 1, offer: offering(reference, offer, view) }
    refuseFiat(method)
    if (!currentEntry(view.cart, methodId(method))) allowance.countNew(view.cart, request)
    const fresh = payable.newEntry({ offer, method })
    const opened = await repository.updateCart(reference, (latest) =>
      openEntry(repriced(view.cart, latest, offer.terms.price, now()), fresh),
    )
    return payable.ready(currentEntry(opened, fresh.method) ?? fresh, { reference, offer, method, request })
  }
}
