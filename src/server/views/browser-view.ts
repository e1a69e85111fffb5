/** Builds a browser's answer field by field, so that nothing else of the service reaches it. */
import type { CartState, Checkout, KeyedCheckout } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import { quoteLifetimeMs } from '../../contract/quote.ts'
import { attemptWindow } from '../core/attempts.ts'
import { policy } from '../core/policy.ts'
import { payerPhase } from '../core/received.ts'
import type { CartRecord, CheckoutRecord, Instructions } from '../core/types.ts'
import { coinIcon, networkFields } from '../icons/coins/coin-icons.ts'
import type { OfferTerms } from '../offers.ts'
import type { Settings } from '../options.ts'

/** A cart and all its checkouts, read together. */
export interface WholeCart {
  readonly cart: CartRecord
  readonly checkouts: readonly CheckoutRecord[]
}

/** The present by our clock and, if known, by the service's; ms since the epoch. */
export interface Time {
  readonly nowMs: number
  readonly serviceNowMs: number | null
}

/**
 * What is left of a quote, by the clock that says less: ours, which another server of the shop may not share, or the service's own,
 * which all of them see. At most 20 minutes; 0 for a quote of the future, of which nothing is known.
 */
function quoteLeftMs(
  checkout: CheckoutRecord,
  { sentAtMs, expiresAtMs }: Instructions,
  { nowMs, serviceNowMs }: Time,
): number {
  const window = attemptWindow(checkout)
  const byService =
    window === null || serviceNowMs === null
      ? null
      : window.fromMs + policy.clocks.windowMarginMs + (expiresAtMs - sentAtMs) - serviceNowMs
  const byOurs = sentAtMs > nowMs + 1_000 ? (byService ?? 0) : expiresAtMs - nowMs
  return Math.floor(Math.min(quoteLifetimeMs, byOurs, byService ?? byOurs))
}

/** Whether any checkout of the cart is paid, or had a deposit seen that did not end in a refund. */
export function cartState(
  { checkouts }: Pick<WholeCart, 'checkouts'>,
  { phaseOf }: Pick<Settings, 'phaseOf'>,
): CartState {
  const seen = checkouts.map((checkout) => payerPhase(checkout, phaseOf))
  return seen.includes('paid') ? 'paid' : seen.includes('seen') ? 'seen' : 'open'
}

/** @throws PaywindowError `service_unavailable` while the checkout has no instructions. */
export function toCheckout(
  checkout: CheckoutRecord,
  view: WholeCart,
  settings: Settings,
  time: Time,
  { viewOnly }: Pick<Checkout, 'viewOnly'>,
): Checkout {
  const { instructions, binding } = checkout
  const terms = viewOnly ? forViewer(checkout) : checkout.terms
  if (!instructions)
    throw new PaywindowError('service_unavailable', 'The payment details are not ready yet: ask again', {
      retryAfterMs: 2_000,
    })
  const isEnded = view.cart.entries.some(({ id, endedAtMs }) => id === checkout.id && endedAtMs !== null)
  const leftMs = isEnded
    ? Math.min(0, quoteLeftMs(checkout, instructions, time))
    : quoteLeftMs(checkout, instructions, time)
  return {
    v: 1,
    id: checkout.id,
    // Whoever knows a signed reference opens the checkout.
    reference: viewOnly ? checkout.id : checkout.reference,
    // The cart's state comes from all its checkouts, so each of their changes has to raise the revision.
    revision: view.checkouts.reduce((sum, { revision }) => sum + revision, 0),
    status: checkout.status,
    phase: payerPhase(checkout, settings.phaseOf),
    tracked: binding !== null,
    cart: cartState(view, settings),
    test: checkout.test,
    amount: instructions.amount,
    asset: {
      symbol: instructions.symbol,
      name: instructions.name,
      ...iconOf(checkout, instructions),
    },
    network: checkout.method.network,
    ...networkFields(checkout.method.network),
    address: instructions.address,
    tag: instructions.tag,
    price: terms.price,
    ...(terms.description !== undefined && { description: terms.description }),
    merchant: terms.merchant,
    methodCount: terms.methodCount,
    createdAt: new Date(checkout.createdAtMs).toISOString(),
    expiresAt: new Date(time.nowMs + leftMs).toISOString(),
    expiresInMs: leftMs,
    history: checkout.history,
    viewOnly,
  }
}

/** What its payer gets of a checkout, with the key. @throws as `toCheckout`. */
export function toKeyedCheckout(
  checkout: CheckoutRecord,
  view: WholeCart,
  settings: Settings,
  time: Time,
): KeyedCheckout {
  return { ...toCheckout(checkout, view, settings, time, { viewOnly: false }), key: checkout.key }
}

/** The merchant's own icon, else ours, else the service's. */
function iconOf({ id, method }: CheckoutRecord, { symbol, iconUrl }: Instructions): { readonly icon?: string } {
  const icon = method.icon === undefined ? coinIcon(symbol) : undefined
  return icon || method.icon || iconUrl ? { icon: icon ?? `icons/${id}` } : {}
}

/** What the offer says to a device that only views: no link back, which is for the payer's own session, and nothing with the reference in it. */
function forViewer({ reference, terms }: CheckoutRecord): OfferTerms {
  const { price, description, merchant } = terms
  const spellings = [reference, encodeURIComponent(reference), `${new URLSearchParams({ '': reference })}`.slice(1)]
  const isFree = (text: string | undefined) =>
    text !== undefined && !spellings.some((spelling) => text.includes(spelling))
  return {
    price,
    ...(isFree(description) && { description }),
    merchant: { name: merchant.name, ...(isFree(merchant.supportUrl) && { supportUrl: merchant.supportUrl }) },
    methodCount: 1,
  }
}
