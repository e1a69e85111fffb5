/** Builds what a browser is told, field by field: nothing of the service passes that is not named here. */
import type { CartState, Checkout, KeyedCheckout } from '../contract/checkout.ts'
import { PaywindowError } from '../contract/errors.ts'
import { quoteFreezeMs } from './deadline.ts'
import type { Settings } from './options.ts'
import type { CartRecord, CheckoutRecord } from './records.ts'

/** A checkout, its cart and all checkouts of that cart, as read together. */
export interface CartView {
  readonly cart: CartRecord
  readonly checkouts: readonly CheckoutRecord[]
}

/** Whether any checkout of the cart is paid, or had a deposit seen that did not end in a refund. */
export function cartState(
  { checkouts }: Pick<CartView, 'checkouts'>,
  { phaseOf }: Pick<Settings, 'phaseOf'>,
): CartState {
  const seen = checkouts.map(({ status }) => phaseOf[status])
  return seen.includes('paid') ? 'paid' : seen.includes('seen') ? 'seen' : 'open'
}

/** @throws PaywindowError `service_unavailable` while the checkout has no instructions. */
export function toCheckout(
  checkout: CheckoutRecord,
  view: CartView,
  settings: Settings,
  nowMs: number,
  viewOnly: boolean,
): Checkout {
  const { instructions, terms, binding } = checkout
  if (!instructions)
    throw new PaywindowError('service_unavailable', 'The payment details are not ready yet: ask again', {
      retryAfterMs: 2_000,
    })
  const endedAtMs = view.cart.entries.find(({ id }) => id === checkout.id)?.endedAtMs ?? Number.POSITIVE_INFINITY
  // A quote from the future: the clock was set back over a restart, and what is left of the quote cannot be told.
  const isFromFuture = instructions.sentAtMs > nowMs + 1_000
  const expiresAtMs = Math.min(instructions.expiresAtMs, endedAtMs, isFromFuture ? nowMs : Number.POSITIVE_INFINITY)
  return {
    v: 1,
    id: checkout.id,
    reference: checkout.reference,
    // The cart's state comes from all its checkouts, so each of their changes has to raise the revision.
    revision: view.checkouts.reduce((sum, { revision }) => sum + revision, 0),
    status: checkout.status,
    phase: settings.phaseOf[checkout.status],
    tracked: binding !== null,
    cart: cartState(view, settings),
    test: checkout.test,
    amount: instructions.amount,
    asset: {
      symbol: instructions.symbol,
      name: instructions.name,
      ...((instructions.iconUrl ?? checkout.method.icon) && { icon: `icons/${checkout.id}` }),
    },
    network: checkout.method.network,
    address: instructions.address,
    tag: instructions.tag,
    price: terms.price,
    ...(terms.description !== undefined && { description: terms.description }),
    merchant: viewOnly ? withoutReturn(terms.merchant) : terms.merchant,
    methodCount: viewOnly ? 1 : terms.methodCount,
    createdAt: new Date(checkout.createdAtMs).toISOString(),
    expiresAt: new Date(expiresAtMs).toISOString(),
    expiresInMs: Math.min(quoteFreezeMs, Math.floor(expiresAtMs - nowMs)),
    history: checkout.history,
    viewOnly,
  }
}

export function toKeyedCheckout(
  checkout: CheckoutRecord,
  view: CartView,
  settings: Settings,
  nowMs: number,
): KeyedCheckout {
  return { ...toCheckout(checkout, view, settings, nowMs, false), key: checkout.key }
}

/** The way back into the shop belongs to the payer's own session, not to a device that only looks. */
function withoutReturn({ name, supportUrl }: Checkout['merchant']): Checkout['merchant'] {
  return { name, ...(supportUrl !== undefined && { supportUrl }) }
}
