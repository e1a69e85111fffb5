/** What a payer can choose from: the methods of the merchant's offer, and where the cart stands. */
import type { Offer } from '../../contract/checkout.ts'
import type { Context } from '../context.ts'
import { coinIcon, networkFields } from '../icons/coins/coin-icons.ts'
import type { IconNames } from '../icons/icon-names.ts'
import { type CheckedOffer, type Method, methodId, sameMethod } from '../offers.ts'
import type { CartRecord } from '../records/types.ts'
import { type CartView, cartState, toCheckout } from '../views/browser-view.ts'
import { chosenEntry } from './carts.ts'
import { endOtherPrices } from './prices.ts'

/** Builds the offer for a browser. */
export type Offering = (reference: string, offer: CheckedOffer, view: CartView) => Offer

/** Names the icons that this server brings or fetches; the browser learns no other address. */
export function createOffering(
  { settings, now, time }: Pick<Context, 'settings' | 'now' | 'time'>,
  iconNames: Pick<IconNames, 'nameOf'>,
): Offering {
  const withIcon = (method: Method): Offer['methods'][number] => {
    const { asset, network, name } = method
    const own = iconNames.nameOf(method)
    const icon = own === undefined ? coinIcon(asset) : `icons/${own}`
    return { asset, network, name, ...networkFields(network), ...(icon !== undefined && { icon }) }
  }

  return (reference, { terms, methods }, view) => {
    const chosen = chosenEntry(endOtherPrices(view.cart, terms.price, now()))
    const checkout = view.checkouts.find(({ id, instructions }) => id === chosen?.id && instructions !== null)
    return {
      v: 1,
      reference,
      price: terms.price,
      ...(terms.description !== undefined && { description: terms.description }),
      merchant: terms.merchant,
      methods: methods.map(withIcon),
      cart: cartState(view, settings),
      test: settings.test,
      ...(checkout && { checkout: toCheckout(checkout, view, settings, time(), { viewOnly: false }) }),
    }
  }
}

/** The method that the payer need not choose: the only one, or the one chosen before, even if the price has changed since. */
export function settledMethod(methods: readonly Method[], cart: CartRecord): Method | undefined {
  if (methods.length === 1) return methods[0]
  const chosen = chosenEntry(cart)?.method ?? cart.chosen
  return methods.find((method) => chosen !== null && sameMethod(methodId(method), chosen))
}
