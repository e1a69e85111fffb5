/** A checkout as a browser gets it, built field by field, so that nothing else gets out. */
import type { Checkout } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import { knownNetwork } from '../../contract/networks/table.ts'
import { quoteLifetimeMs } from '../../contract/quote.ts'
import { payerPhase } from '../core/agreement.ts'
import { arrivalFor } from '../core/arrivals.ts'
import { cartState, hasEnded, unpaidQuotes } from '../core/carts.ts'
import { policy } from '../core/policy.ts'
import { attemptWindow } from '../core/transitions.ts'
import type { CheckoutRecord, Instructions, WholeCart } from '../core/types.ts'
import { coinIcon, networkFields } from '../icons/coins/coin-icons.ts'
import type { OfferTerms } from '../offers.ts'
import type { Settings } from '../options.ts'
import type { Time } from '../upstream/service-gate.ts'

/**
 * The time left of a quote, at most 20 minutes: the lesser by our clock and by the service's, which
 * all servers share. If our clock is before the quote, only the service's counts; without it,
 * nothing is left.
 */
function quoteLeftMs(checkout: CheckoutRecord, { sentAtMs, expiresAtMs }: Instructions, time: Time) {
  const { nowMs, serviceNowMs } = time
  const window = attemptWindow(checkout)
  const byService =
    window === null || serviceNowMs === null
      ? null
      : window.fromMs + policy.clocks.windowMarginMs + (expiresAtMs - sentAtMs) - serviceNowMs
  const byOurs = sentAtMs > nowMs + 1_000 ? (byService ?? 0) : expiresAtMs - nowMs
  return Math.floor(Math.min(quoteLifetimeMs, byOurs, byService ?? byOurs))
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
  const arrival = arrivalFor(checkout, view, settings)
  const earlier = overAddress(view, checkout.id, settings, time.nowMs)
  const quoteMs = quoteLeftMs(checkout, instructions, time)
  const leftMs = hasEnded(view.cart, checkout.id) ? Math.min(0, quoteMs) : quoteMs
  return {
    v: 1,
    id: checkout.id,
    // Whoever knows a signed reference opens the checkout.
    reference: viewOnly ? checkout.id : checkout.reference,
    // `cart` comes from all checkouts of the cart, so a change of any has to raise the revision.
    revision: view.checkouts.reduce((sum, { revision }) => sum + revision, 0),
    status: checkout.status,
    phase: payerPhase(checkout, settings.phaseOf),
    tracked: binding !== null,
    cart: cartState(view, settings),
    test: checkout.test,
    amount: instructions.amount,
    asset: { symbol: instructions.symbol, name: instructions.name, ...iconOf(checkout, instructions) },
    network: checkout.method.network,
    ...networkFields(checkout.method.network),
    address: instructions.address,
    tag: instructions.tag,
    ...evmPayment(checkout),
    price: terms.price,
    ...(terms.description !== undefined && { description: terms.description }),
    ...(terms.orderNumber !== undefined && { orderNumber: terms.orderNumber }),
    merchant: terms.merchant,
    methodCount: terms.methodCount,
    ...(earlier && { earlier }),
    ...(arrival && { arrival }),
    createdAt: new Date(checkout.createdAtMs).toISOString(),
    expiresAt: new Date(time.nowMs + leftMs).toISOString(),
    expiresInMs: leftMs,
    history: checkout.history,
    viewOnly,
    // Without its script that page cannot show a handed-over payment.
    ...(settings.page?.script !== undefined && settings.page.url !== undefined && { handoverUrl: settings.page.url }),
  }
}

/** The address of the latest renewed or ended other quote, to which a payment may be on its way. */
function overAddress(view: WholeCart, ownId: string, settings: Settings, nowMs: number): string | undefined {
  const isOver = ({ id, instructions }: CheckoutRecord) =>
    hasEnded(view.cart, id) || (instructions?.expiresAtMs ?? nowMs) <= nowMs
  const over = unpaidQuotes(view, settings, nowMs).filter((each) => each.id !== ownId && isOver(each))
  return over.at(-1)?.instructions?.address
}

/**
 * For a network's own coin, or a token that the merchant named. Not in test mode: a wallet sends
 * real money.
 */
function evmPayment({ test, method }: CheckoutRecord): Pick<Checkout, 'evm'> {
  const { chainId, coins } = knownNetwork(method.network) ?? {}
  if (test || chainId === undefined) return {}
  if (method.token) return { evm: { chainId, ...method.token } }
  return coins?.includes(method.asset.toUpperCase()) ? { evm: { chainId, decimals: 18 } } : {}
}

/** The merchant's own icon, else ours, else the service's. */
function iconOf({ id, method }: CheckoutRecord, { symbol, iconUrl }: Instructions): { readonly icon?: string } {
  const icon = method.icon === undefined ? coinIcon(symbol) : undefined
  return icon || method.icon || iconUrl ? { icon: icon ?? `icons/${id}` } : {}
}

/** The offer for a viewing device: without the link back and the reference. */
function forViewer({ reference, terms }: CheckoutRecord): OfferTerms {
  const { price, description, orderNumber, merchant } = terms
  const spellings = [reference, encodeURIComponent(reference), `${new URLSearchParams({ '': reference })}`.slice(1)]
  const isFree = (text: string | undefined) =>
    text !== undefined && !spellings.some((spelling) => text.includes(spelling))
  return {
    price,
    ...(isFree(description) && { description }),
    ...(isFree(orderNumber) && { orderNumber }),
    merchant: { name: merchant.name, ...(isFree(merchant.supportUrl) && { supportUrl: merchant.supportUrl }) },
    methodCount: 1,
  }
}
