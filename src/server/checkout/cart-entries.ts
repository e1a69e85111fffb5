/**
 * Makes entries of a cart, and turns an entry into a checkout with instructions, within the limits
 * of how many orders may be created.
 */
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

interface Purchase {
  readonly reference: string
  readonly offer: CheckedOffer
  readonly method: Method
  readonly request: Request
}

/** Makes entries, and prepares them for payment. */
export interface CartEntries {
  /** Makes an entry for a checkout to come. Stores nothing. */
  newEntry({ offer, method }: Pick<Purchase, 'offer' | 'method'>): CartEntry
  /**
   * Resolves with the checkout of an entry once it has instructions. Rejects as `Creation.ensure`
   * does.
   */
  prepare(entry: CartEntry, purchase: Purchase): Promise<KeyedCheckout>
}

/** Stores the checkout before the service is asked for its order. */
export function createCartEntries(
  {
    repository,
    settings,
    account,
    ids,
    now,
    plannedNow,
  }: Pick<Context, 'repository' | 'settings' | 'account' | 'ids' | 'now' | 'plannedNow'>,
  carts: WholeCarts,
  allowance: Pick<Allowance, 'checkAgain' | 'create'>,
): CartEntries {
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

  /**
   * Ends an entry whose checkout is about to be deleted: an order created now could lose its
   * checkout.
   */
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
    prepare: async (entry, purchase) => {
      const { reference, request } = purchase
      const whole = await carts.read(reference, [entry.id])
      const { checkouts } = whole
      const known = checkouts.find(({ id }) => id === entry.id)
      if (known?.instructions) return carts.keyed(known, whole)
      if (isLeftUnused(entry, plannedNow())) await giveUp(entry, reference)
      if (known) allowance.checkAgain(reference, request)
      else await repository.createCheckout(recordOf(entry, purchase))
      const created = await allowance.create({ reference, checkouts }, entry.id, request)
      const ids = new Set([...checkouts.map(({ id }) => id), entry.id])
      const after = await carts.read(reference, [...ids])
      // The revision shown to a browser is that of the whole cart, so the checkout has to be from
      // the same reading.
      return carts.keyed(after.checkouts.find(({ id }) => id === created.id) ?? created, after)
    },
  }
}

interface CartCheckouts {
  readonly reference: string
  readonly checkouts: readonly CheckoutRecord[]
}

/**
 * Limits how many orders a cart and a client may create. Each function throws `rate_limited` with
 * `retryAfterMs` above the limit.
 */
export interface Allowance {
  /** Counts a new checkout. */
  countNew(cart: CartRecord, request: Request): void
  /** Checks the client's limit before another attempt for a checkout that was counted before. */
  checkAgain(reference: string, request: Request): void
  /** Creates the service's order of a checkout, unless there is one. */
  create(cart: CartCheckouts, checkoutId: string, request: Request): Promise<CheckoutRecord>
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

  /** Counts a refusal once, although several callers may share it. */
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
