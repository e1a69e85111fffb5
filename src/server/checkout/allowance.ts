/** Limits the creations for a cart and by a client. Refused ones count too, because they were requests all the same. */
import { PaywindowError } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import { policy } from '../core/policy.ts'
import type { Creation } from '../creation/creation.ts'
import type { Clients } from '../http/clients.ts'
import { requestsWithin } from '../records/attempts.ts'
import type { CartRecord, CheckoutRecord } from '../records/types.ts'
import { bounds } from '../records/unreadable.ts'
import { createdWithin } from './carts.ts'

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
