/** Gives a checkout whose quote is over its only successor. */
import type { KeyedCheckout } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import { askOffer, pickMethod } from '../offers.ts'
import type { Allowance } from './allowance.ts'
import type { CartViews } from './cart-views.ts'
import { renewEntry } from './carts.ts'
import type { Access } from './handover.ts'
import type { Payable } from './payable.ts'
import { repriced } from './prices.ts'

interface Parts {
  readonly access: Access
  readonly views: CartViews
  readonly payable: Payable
  readonly allowance: Pick<Allowance, 'countNew'>
}

/** @throws PaywindowError `already_seen` where a deposit for the cart was seen: nobody may be led to pay twice. */
export type Renew = (id: string, key: string, request: Request) => Promise<KeyedCheckout>

/** Two renewals at once get the same successor. */
export function createRenew(
  { repository, settings, now }: Pick<Context, 'repository' | 'settings' | 'now'>,
  { access, views, payable, allowance }: Parts,
): Renew {
  return async (id, key, request) => {
    const { reference, method: wanted } = await access.payersOwn(id, key)
    const before = await repository.readCart(reference)
    const offer = await askOffer(settings.offer, reference, request)
    const method = pickMethod(offer.methods, wanted.asset, wanted.network)
    const view = await views.atPrice(before, offer.terms.price)
    if (views.settledBy(view))
      throw new PaywindowError('already_seen', 'A deposit for this cart was seen already: do not send another')
    const hasSuccessor = view.cart.entries.some((entry) => entry.id === id && entry.successor !== null)
    if (!hasSuccessor) allowance.countNew(view.cart, request)
    const fresh = payable.newEntry({ offer, method })
    const renewed = await repository.updateCart(reference, (current) =>
      renewEntry(repriced(view.cart, current, offer.terms.price, now()), id, fresh),
    )
    const successorId = renewed.entries.find((entry) => entry.id === id)?.successor
    const successor = renewed.entries.find((entry) => entry.id === successorId)
    if (!successor) throw new PaywindowError('not_found', 'This checkout is no longer one of its cart')
    return payable.ready(successor, { reference, offer, method, request })
  }
}
