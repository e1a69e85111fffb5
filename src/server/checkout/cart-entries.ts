/** Turns an entry of a cart into a checkout that can be paid. */
import type { KeyedCheckout } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import { requestsWithin } from '../core/attempts.ts'
import { createdWithin, endEntry } from '../core/carts.ts'
import { isLeftUnused } from '../core/looks.ts'
import { policy } from '../core/policy.ts'
import { newCheckout } from '../core/transitions.ts'
import type { CartEntry, CartRecord, CheckoutRecord } from '../core/types.ts'
import { bounds } from '../core/types.ts'
import type { Creation } from '../creation/creation.ts'
import type { Clients } from '../http/clients.ts'
import { type CheckedOffer, type Method, methodId } from '../offers.ts'
import type { WholeCarts } from './whole-carts.ts'

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
  views: WholeCarts,
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

/** A cart, with its checkouts as they are before the creation. */
interface Purchases {
  readonly reference: string
  readonly checkouts: readonly CheckoutRecord[]
}

/** Each throws `rate_limited` with `retryAfterMs` where there was too much. */
export interface Allowance {
  /** Counts a new checkout. */
  countNew(cart: CartRecord, request: Request): void
  /** To be called before another attempt for a checkout that was already counted. */
  checkAgain(reference: string, request: Request): void
  /** Has the service's order created, unless there is one. */
  create(cart: Purchases, checkoutId: string, request: Request): Promise<CheckoutRecord>
}

/** Counts by cart in the store, and by client in this process. */
export function createAllowance(
  { settings, now }: Pick<Context, 'settings' | 'now'>,
  creation: Creation,
  clients: Clients,
): Allowance {
  const refusals = new WeakSet<PaywindowError>()

  const requestsFor = (checkouts: readonly CheckoutRecord[]) =>
    checkouts.reduce((sum, checkout) => sum + requestsWithin(checkout, now(), policy.creation.cartCountedForMs), 0)

  /** Several callers may share one request and its refusal, which counts once. */
  function noteRefusal(refusal: PaywindowError, request: Request, reference: string): void {
    if (refusals.has(refusal)) return
    refusals.add(refusal)
    clients.note(request, reference)
  }

  return {
    countNew: (cart, request) => {
      clients.check(request, cart.reference)
      const isFull = cart.entries.length >= bounds.entries
      if (isFull || createdWithin(cart, now(), policy.creation.cartCountedForMs) >= settings.creationsPerCart)
        throw tooManyForCart()
      clients.note(request, cart.reference)
    },
    checkAgain: (reference, request) => clients.check(request, reference),
    create: async ({ reference, checkouts }, checkoutId, request) => {
      if (requestsFor(checkouts) >= settings.creationsPerCart) throw tooManyForCart()
      return creation.ensure(checkoutId).catch((error: unknown) => {
        if (error instanceof PaywindowError && error.code === 'service_refused') noteRefusal(error, request, reference)
        throw error
      })
    },
  }
}

function tooManyForCart(): PaywindowError {
  return new PaywindowError('rate_limited', 'Too many quotes were made for this cart: try again later', {
    retryAfterMs: policy.creation.cartCountedForMs / 6,
  })
}
