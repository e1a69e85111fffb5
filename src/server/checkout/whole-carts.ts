/**
 * Reads carts with all their checkouts: a browser's view of a checkout depends on the others of its
 * cart. Makes the entries of a cart, and turns an entry into a checkout with instructions, within
 * the limits of how many orders may be created.
 */
import type { KeyedCheckout, Price } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import { createFirstTimes, createLru } from '../../service/lru.ts'
import type { Context } from '../context.ts'
import { payerPhase } from '../core/agreement.ts'
import { createdWithin, endEntry, repriced, samePrice } from '../core/carts.ts'
import { isLeftUnused } from '../core/looks.ts'
import { policy } from '../core/policy.ts'
import { newCheckout, requestsWithin } from '../core/transitions.ts'
import { bounds, type CartEntry, type CartRecord, type CheckoutRecord, type WholeCart } from '../core/types.ts'
import type { Creation } from '../creation/creation.ts'
import type { Clients } from '../http/clients.ts'
import { type CheckedOffer, type Method, methodId } from '../offers.ts'
import { toCheckout } from '../views/browser-view.ts'

/** Carts with their checkouts. Reads reject with a StoredRecordError if a record cannot be read. */
export type WholeCarts = ReturnType<typeof createWholeCarts>

/** Checkouts whose cart and sibling checkouts are remembered by id, so that one call reads all. */
const maxRemembered = 50_000
const maxTold = 1_000

/** Remembers ids only: records are read each time. */
export function createWholeCarts(context: Context) {
  const { repository, settings, now, time } = context
  const known = createLru<{ readonly reference: string; readonly ids: readonly string[] }>(maxRemembered)

  const isNew = createFirstTimes(maxTold)
  const inPaid = ({ checkouts }: WholeCart) => checkouts.filter(({ status }) => settings.phaseOf[status] === 'paid')

  const of = async (cart: CartRecord): Promise<WholeCart> => readIds(cart.reference, idsOf(cart))

  /** Reads again if the cart has a checkout that was not among `ids`. */
  async function readIds(reference: string, ids: readonly string[]): Promise<WholeCart> {
    const { cart, checkouts } = await repository.readTogether(reference, ids)
    const inCart = idsOf(cart)
    if (!inCart.every((id) => ids.includes(id))) return readIds(reference, [...new Set([...ids, ...inCart])])
    return { cart, checkouts }
  }

  return {
    /**
     * @param ids - Checkouts that the cart is known to have, so that one call to the store reads
     * everything. Default none.
     */
    read: async (reference: string, ids: readonly string[] = []) => inCartOnly(await readIds(reference, ids)),
    /**
     * Reads a checkout and its cart as they were at one moment; undefined if there is no such
     * checkout.
     */
    around: async (checkoutId: string) => {
      const remembered = known.get(checkoutId)
      const reference = remembered?.reference ?? (await repository.readCheckout(checkoutId))?.reference
      if (reference === undefined) return undefined
      const ids = remembered?.ids ?? [checkoutId]
      const { cart, checkouts } = await readIds(reference, ids)
      const checkout = checkouts.find(({ id }) => id === checkoutId)
      if (!checkout) return undefined
      if (!known.has(checkoutId) || cart.entries.some(({ id }) => !ids.includes(id)))
        known.set(checkoutId, { reference: cart.reference, ids: [...new Set([checkout.id, ...idsOf(cart)])] })
      return { checkout, whole: inCartOnly({ cart, checkouts }) }
    },
    /**
     * Ends the cart's checkouts at other prices.
     *
     * @param before - The cart, read before `offer` was asked for this price.
     * @throws PaywindowError `service_unavailable` if the cart got another price in between:
     *   `offer` has to be asked again.
     */
    atPrice: async (before: CartRecord, price: Price) =>
      of(await repository.updateCart(before.reference, (current) => repriced(before, current, price, now()))),
    /**
     * Checks the price that `offer` names now. Reports a reused reference once.
     *
     * @throws PaywindowError `not_offered` if the cart was paid at another price: its reference was
     * used again.
     */
    refuseReuse: (whole: WholeCart, price: Price) => {
      const [paid, ...others] = inPaid(whole)
      if (!paid || [paid, ...others].some(({ terms }) => samePrice(terms.price, price))) return
      if (isNew(paid.id)) settings.report(usedAgain(paid, price), { checkoutId: paid.id, reference: paid.reference })
      throw new PaywindowError('not_offered', 'This cart was paid at another price')
    },
    /**
     * The checkout that got the cart's deposit, if there was one. Such a cart gets no other
     * checkout.
     */
    settledBy: (whole: WholeCart) =>
      inPaid(whole)[0] ?? whole.checkouts.find((each) => payerPhase(each, settings.phaseOf) === 'seen'),
    /** A checkout as its payer sees it, with its key. */
    keyed: (checkout: CheckoutRecord, whole: WholeCart): KeyedCheckout => ({
      ...toCheckout(checkout, whole, settings, time(), { viewOnly: false }),
      key: checkout.key,
    }),
  }
}

function usedAgain(paid: CheckoutRecord, { asset, amount }: Price): PaywindowError {
  const { id, terms } = paid
  const what = `A cart was paid by checkout ${id} for ${terms.price.amount} ${terms.price.asset}, and offer names ${amount} ${asset} now. The payer is shown neither. Give each purchase a reference of its own`
  return new PaywindowError('offer_invalid', what)
}

function inCartOnly({ cart, checkouts }: WholeCart): WholeCart {
  const inCart = idsOf(cart)
  return { cart, checkouts: checkouts.filter(({ id }) => inCart.includes(id)) }
}

function idsOf({ entries }: CartRecord): readonly string[] {
  return entries.map(({ id }) => id)
}

interface Purchase {
  readonly reference: string
  readonly offer: CheckedOffer
  readonly method: Method
  readonly request: Request
}

/**
 * Makes entries, and prepares them for payment. Stores the checkout before the service is asked for
 * its order.
 */
export function createCartEntries(context: Context, carts: WholeCarts, allowance: Allowance) {
  const { repository, settings, account, ids, now, plannedNow } = context
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
      createdAtMs: entry.createdAtMs,
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
    /** Makes an entry for a new checkout. Stores nothing. */
    newEntry: ({ offer, method }: Pick<Purchase, 'offer' | 'method'>): CartEntry => {
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
    /**
     * Resolves with the checkout of an entry once it has instructions. Rejects as `Creation` does.
     */
    prepare: async (entry: CartEntry, purchase: Purchase): Promise<KeyedCheckout> => {
      const { reference, request } = purchase
      const whole = await carts.read(reference, [entry.id])
      const { checkouts } = whole
      const known = checkouts.find(({ id }) => id === entry.id)
      if (known?.instructions) return carts.keyed(known, whole)
      if (isLeftUnused(entry, plannedNow())) await giveUp(entry, reference)
      if (known) allowance.checkAgain(reference, request)
      else await repository.createCheckout(recordOf(entry, purchase))
      const created = await allowance.create(whole, entry.id, request)
      const ids = new Set([...checkouts.map(({ id }) => id), entry.id])
      const after = await carts.read(reference, [...ids])
      // The revision shown to a browser is that of the whole cart, so the checkout has to be from
      // the same reading.
      return carts.keyed(after.checkouts.find(({ id }) => id === created.id) ?? created, after)
    },
  }
}

/**
 * Limits how many orders a cart and a client may create. Each function throws `rate_limited` with
 * `retryAfterMs` above the limit.
 */
export type Allowance = ReturnType<typeof createAllowance>

/** Counts by cart in the store, and by client in this process. */
export function createAllowance({ settings, now }: Context, creation: Creation, clients: Clients) {
  /** Several callers may share a refusal, which counts once. */
  const refusals = new WeakSet<PaywindowError>()

  const requestsFor = (checkouts: readonly CheckoutRecord[]) =>
    checkouts.reduce((sum, checkout) => sum + requestsWithin(checkout, now(), policy.creation.cartCountedForMs), 0)

  return {
    /** Counts a new checkout. */
    countNew: (cart: CartRecord, request: Request, { isKept }: CheckedOffer) => {
      if (isKept) throw new PaywindowError('not_offered', 'The link has ended: ask the shop for a new one')
      clients.check(request, cart.reference)
      const isFull = cart.entries.length >= bounds.entries
      if (isFull || createdWithin(cart, now(), policy.creation.cartCountedForMs) >= settings.creationsPerCart)
        throw tooManyForCart()
      clients.note(request, cart.reference)
    },
    /** Checks the client's limit before another attempt for a checkout that was counted before. */
    checkAgain: (reference: string, request: Request) => clients.check(request, reference),
    /** Creates the service's order of a checkout, unless there is one. */
    create: async ({ cart, checkouts }: WholeCart, checkoutId: string, request: Request) => {
      if (requestsFor(checkouts) >= settings.creationsPerCart) throw tooManyForCart()
      return creation(checkoutId).catch((error: unknown) => {
        if (error instanceof PaywindowError && error.code === 'service_refused' && !refusals.has(error)) {
          refusals.add(error)
          clients.note(request, cart.reference)
        }
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
