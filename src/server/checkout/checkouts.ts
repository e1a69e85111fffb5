/** What a browser can ask for, over the records, the creation and the tracking. Errors are PaywindowErrors with public codes. */

import type { Checkout, CheckoutRequest, Choice, Handover, KeyedCheckout, Offer } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import { ServiceError } from '../../service/errors.ts'
import type { Context } from '../context.ts'
import type { Binder } from '../following/binder.ts'
import type { Tracker } from '../following/tracker.ts'
import { coinIcon, toldOfNetwork } from '../icons/coins/coin-icons.ts'
import type { IconNames } from '../icons/icon-names.ts'
import { askOffer, type CheckedOffer, type Method, methodId, pickMethod, refuseFiat, sameMethod } from '../offers.ts'
import { hashOf, sameSecret } from '../records/ids.ts'
import { newCheckout } from '../records/transitions.ts'
import type { CartEntry, CartRecord, CheckoutRecord } from '../records/types.ts'
import { type CartView, cartState, toCheckout, toKeyedCheckout } from '../views/browser-view.ts'
import type { Allowance } from './allowance.ts'
import { chosenEntry, currentEntry, endOtherPrices, openEntry, renewEntry } from './carts.ts'

const handoverMs = 20 * 60_000
/** A poll waits this long for the service; then it is answered with what is known. */
const pollPatienceMs = 4_000

interface Parts {
  readonly binder: Binder
  readonly tracker: Tracker
  readonly iconNames: Pick<IconNames, 'nameOf'>
  readonly allowance: Allowance
}

export interface Checkouts {
  offer(reference: string, request: Request): Promise<Offer>
  /** Answers with the offer where the payer has to choose first: it comes along, so that choosing costs no round trip. */
  open(wanted: CheckoutRequest, request: Request): Promise<KeyedCheckout | Choice>
  poll(id: string, key: string): Promise<Checkout>
  renew(id: string, key: string, request: Request): Promise<KeyedCheckout>
  handover(id: string, key: string): Promise<Handover>
}

export function createCheckouts(context: Context, { allowance, binder, tracker, iconNames }: Parts): Checkouts {
  const { repository, settings, ids, now } = context

  async function viewOf(cart: CartRecord): Promise<CartView> {
    const checkouts = await Promise.all(cart.entries.map(({ id }) => repository.readCheckout(id)))
    return { cart, checkouts: checkouts.filter((checkout) => checkout !== undefined) }
  }

  function withIcons(methods: readonly Method[], reference: string): Offer['methods'] {
    return methods.map((method) => {
      const { asset, network, name } = method
      const own = iconNames.nameOf(method, reference)
      const icon = own === undefined ? coinIcon(asset) : `icons/${own}`
      return { asset, network, name, ...toldOfNetwork(network), ...(icon !== undefined && { icon }) }
    })
  }

  function toOffer(reference: string, { terms, methods }: CheckedOffer, view: CartView): Offer {
    const chosen = chosenEntry(endOtherPrices(view.cart, terms.price, now()))
    const checkout = view.checkouts.find(({ id, instructions }) => id === chosen?.id && instructions !== null)
    return {
      v: 1,
      reference,
      price: terms.price,
      ...(terms.description !== undefined && { description: terms.description }),
      merchant: terms.merchant,
      methods: withIcons(methods, reference),
      cart: cartState(view, settings),
      test: settings.test,
      ...(checkout && { checkout: toCheckout(checkout, view, settings, context.time(), false) }),
    }
  }

  /** The checkout that the cart's deposit went to, if there was one: such a cart gets no other. */
  function settledBy({ checkouts }: CartView): CheckoutRecord | undefined {
    const inPhase = (phase: 'paid' | 'seen') => checkouts.find(({ status }) => settings.phaseOf[status] === phase)
    return inPhase('paid') ?? inPhase('seen')
  }

  /** Waits for the checkout of an entry to have instructions, and answers with it. */
  async function ready(
    entry: CartEntry,
    offer: CheckedOffer,
    method: Method,
    reference: string,
    request: Request,
  ): Promise<KeyedCheckout> {
    const known = await repository.readCheckout(entry.id)
    if (!known) {
      await repository.createCheckout(
        newCheckout({
          id: entry.id,
          key: ids.secret(),
          reference,
          method,
          terms: offer.terms,
          test: settings.test,
          nowMs: entry.createdAtMs,
        }),
      )
    } else if (!known.instructions) allowance.checkAgain(request)
    const checkout = known?.instructions ? known : await allowance.create(entry.id, reference, request)
    return toKeyedCheckout(checkout, await viewOf(await repository.readCart(reference)), settings, context.time())
  }

  function newEntry(method: Method, offer: CheckedOffer): CartEntry {
    const nowMs = now()
    return {
      id: ids.checkoutId(nowMs),
      method: methodId(method),
      price: offer.terms.price,
      createdAtMs: nowMs,
      endedAtMs: null,
      successor: null,
    }
  }

  async function authorised(id: string, key: string): Promise<{ checkout: CheckoutRecord; viewOnly: boolean }> {
    const checkout = await repository.readCheckout(id)
    if (checkout && sameSecret(checkout.key, key)) return { checkout, viewOnly: false }
    const tokenHash = hashOf(key)
    if (checkout?.views.some((view) => view.tokenHash === tokenHash && view.untilMs > now()))
      return { checkout, viewOnly: true }
    throw new PaywindowError('not_found', 'There is no such checkout, or this is not its key')
  }

  async function payersOwn(id: string, key: string): Promise<CheckoutRecord> {
    const { checkout, viewOnly } = await authorised(id, key)
    if (viewOnly) throw new PaywindowError('not_found', 'This checkout was opened to look at only')
    return checkout
  }

  /** What is known after asking the service, or what was known when it is slow. */
  async function refreshed(checkout: CheckoutRecord): Promise<CheckoutRecord> {
    const look = (checkout.binding ? binder.recheck(checkout).then(tracker.look) : binder.tryBind(checkout)).catch(
      (error: unknown) => {
        // The list could not be read; the payer can pay all the same, and the next poll tries again.
        if (error instanceof ServiceError) return checkout
        throw error
      },
    )
    context.inBackground(look)
    const patience = new AbortController()
    const slow = context.sleep(pollPatienceMs, patience.signal).then(
      () => repository.readCheckout(checkout.id),
      () => undefined,
    )
    const latest = await Promise.race([look, slow])
    patience.abort()
    return latest ?? checkout
  }

  return {
    offer: async (reference, request) => {
      const offer = await askOffer(settings.offer, reference, request)
      return toOffer(reference, offer, await viewOf(await repository.readCart(reference)))
    },

    open: async ({ reference, asset, network }, request) => {
      const offer = await askOffer(settings.offer, reference, request)
      const cart = await repository.updateCart(reference, (current) =>
        endOtherPrices(current, offer.terms.price, now()),
      )
      const view = await viewOf(cart)
      const settled = settledBy(view)
      if (settled) return toKeyedCheckout(settled, view, settings, context.time())
      const method =
        asset !== undefined && network !== undefined
          ? pickMethod(offer.methods, asset, network)
          : settledMethod(offer.methods, cart)
      if (!method) return { v: 1, offer: toOffer(reference, offer, view) }
      refuseFiat(method)
      const current = currentEntry(cart, methodId(method))
      if (!current) allowance.countNew(cart, request)
      const fresh = newEntry(method, offer)
      const opened = await repository.updateCart(reference, (latest) =>
        openEntry(endOtherPrices(latest, offer.terms.price, now()), fresh),
      )
      return ready(currentEntry(opened, fresh.method) ?? fresh, offer, method, reference, request)
    },

    poll: async (id, key) => {
      const { checkout, viewOnly } = await authorised(id, key)
      const latest = await refreshed(checkout)
      return toCheckout(
        latest,
        await viewOf(await repository.readCart(latest.reference)),
        settings,
        context.time(),
        viewOnly,
      )
    },

    renew: async (id, key, request) => {
      const old = await payersOwn(id, key)
      const offer = await askOffer(settings.offer, old.reference, request)
      const method = pickMethod(offer.methods, old.method.asset, old.method.network)
      const cart = await repository.updateCart(old.reference, (current) =>
        endOtherPrices(current, offer.terms.price, now()),
      )
      if (settledBy(await viewOf(cart))) {
        throw new PaywindowError('already_seen', 'A deposit for this cart was seen already: do not send another')
      }
      const hasSuccessor = cart.entries.some((entry) => entry.id === id && entry.successor !== null)
      if (!hasSuccessor) allowance.countNew(cart, request)
      const fresh = newEntry(method, offer)
      const renewed = await repository.updateCart(old.reference, (current) =>
        renewEntry(endOtherPrices(current, offer.terms.price, now()), id, fresh),
      )
      const successorId = renewed.entries.find((entry) => entry.id === id)?.successor
      const successor = renewed.entries.find((entry) => entry.id === successorId)
      if (!successor) throw new PaywindowError('not_found', 'This checkout is not of its cart any more')
      return ready(successor, offer, method, old.reference, request)
    },

    handover: async (id, key) => {
      const checkout = await payersOwn(id, key)
      const token = ids.secret()
      const view = { tokenHash: hashOf(token), untilMs: now() + handoverMs }
      await repository.updateCheckout(checkout.id, (current) => ({
        ...current,
        views: [...current.views.filter(({ untilMs }) => untilMs > now()).slice(-20), view],
      }))
      return { v: 1, token, expiresInMs: handoverMs }
    },
  }
}

/** The method that need not be asked for: the only one, or the one the payer chose before, also when the price has changed since. */
function settledMethod(methods: readonly Method[], cart: CartRecord): Method | undefined {
  if (methods.length === 1) return methods[0]
  const chosen = chosenEntry(cart)?.method ?? cart.chosen
  return methods.find((method) => chosen !== null && sameMethod(methodId(method), chosen))
}
