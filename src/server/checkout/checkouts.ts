/** The calls that a browser can make. Errors are PaywindowErrors with public codes. */
import type { Checkout, CheckoutRequest, Choice, Handover, KeyedCheckout, Offer } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import { unlessServiceFails } from '../../service/errors.ts'
import { endsWithin } from '../../service/within.ts'
import type { Context } from '../context.ts'
import {
  cartState,
  chosenEntry,
  currentEntry,
  endOtherPrices,
  openEntry,
  renewEntry,
  repriced,
  unpaidQuotes,
} from '../core/carts.ts'
import { policy } from '../core/policy.ts'
import type { CartRecord, CheckoutRecord, WholeCart } from '../core/types.ts'
import type { Binder } from '../following/binder.ts'
import type { Tracker } from '../following/tracker.ts'
import { coinIcon, networkFields } from '../icons/coins/coin-icons.ts'
import type { IconNames } from '../icons/icons.ts'
import {
  askOffer,
  type CheckedOffer,
  LinkEndedError,
  type Method,
  methodId,
  pickMethod,
  refuseFiat,
  sameMethod,
} from '../offers.ts'
import { hashOf, sameSecret } from '../records/ids.ts'
import { toCheckout } from '../views/browser-view.ts'
import { type Allowance, createCartEntries, createWholeCarts, type WholeCarts } from './whole-carts.ts'

interface Parts {
  readonly binder: Binder
  readonly tracker: Tracker
  readonly iconNames: IconNames
  readonly allowance: Allowance
}

/** The calls of a browser, one for each route. */
export type Checkouts = ReturnType<typeof createCheckouts>

/** Puts the calls together. */
export function createCheckouts(context: Context, parts: Parts) {
  const shared = createShared(context, parts)
  const { access, carts, ask, offering } = shared
  const poll = createPoll(context, shared)
  const renew = createRenew(context, shared)
  const offer = async (reference: string, request: Request): Promise<Offer> => {
    const checked = await ask(reference, request)
    const whole = await carts.read(reference)
    carts.refuseReuse(whole, checked.terms.price)
    return offering(reference, checked, whole)
  }
  return {
    offer,
    open: createOpen(context, shared),
    poll,
    renew,
    handover: access.handOver,
    /** Polls, and then does as `offer`: for a page whose browser cannot poll. */
    show: async (reference: string, request: Request): Promise<Offer> => {
      const offered = await offer(reference, request)
      const id = offered.checkout?.id
      const record = id === undefined ? undefined : await context.repository.readCheckout(id)
      return record ? { ...offered, checkout: await poll(record.id, record.key) } : offered
    },
    /**
     * As `renew`, without a key: `offer` decides whether the visitor may.
     *
     * @throws PaywindowError `not_found` if the checkout is of another cart.
     */
    renewOf: async (reference: string, id: string, request: Request): Promise<KeyedCheckout> => {
      const record = await context.repository.readCheckout(id)
      if (record?.reference !== reference) throw new PaywindowError('not_found', 'This cart has no such checkout')
      return renew(id, record.key, request)
    },
  }
}

type Shared = ReturnType<typeof createShared>

function createShared(context: Context, parts: Parts) {
  const carts = createWholeCarts(context)
  return {
    ...parts,
    carts,
    access: createAccess(context),
    ask: createAsk(context, carts),
    offering: createOffering(context, carts, parts.iconNames),
    entries: createCartEntries(context, carts, parts.allowance),
  }
}

/**
 * Asks the merchant's `offer` for the price each time: a browser never names a price. The terms
 * come from the store for a cart that `offer` calls paid, and for a visitor whose link has ended,
 * who may be paying a quote that was shown.
 */
function createAsk({ settings }: Context, { read, settledBy }: WholeCarts) {
  return async (reference: string, request: Request): Promise<CheckedOffer> => {
    const offered = await askOffer(settings.offer, reference, request).catch((error: unknown) => {
      if (error instanceof LinkEndedError) return error
      throw error
    })
    if (offered !== 'paid' && !(offered instanceof LinkEndedError)) return offered
    const ended = offered === 'paid' ? undefined : offered
    const whole = await read(reference)
    const kept = settledBy(whole) ?? (ended && shownQuote(whole))
    if (ended && !(kept && ended.covers(kept))) throw ended
    if (!kept)
      throw new PaywindowError('not_offered', 'offer says that this cart is paid, and no payment of it is known')
    const { terms, method, offeredAmount = terms.price.amount } = kept
    return { terms, offeredAmount, methods: [method], isKept: true }
  }
}

/** The quote that the payer of a cart sees, which may be over. */
function shownQuote({ cart, checkouts }: WholeCart): CheckoutRecord | undefined {
  const chosen = chosenEntry(cart)
  return checkouts.find(({ id, instructions }) => id === chosen?.id && instructions)
}

/**
 * Resolves with the current checkout of a cart and method, or with a new one. If the payer has to
 * choose a method first, resolves with the offer, which saves a request.
 */
function createOpen({ repository, now }: Context, { carts, ask, offering, entries, allowance }: Shared) {
  return async ({ reference, asset, network }: CheckoutRequest, request: Request): Promise<KeyedCheckout | Choice> => {
    const before = await repository.readCart(reference)
    const offer = await ask(reference, request)
    const whole = await carts.atPrice(before, offer.terms.price)
    carts.refuseReuse(whole, offer.terms.price)
    const settled = carts.settledBy(whole)
    if (settled) return carts.keyed(settled, whole)
    const method =
      asset !== undefined && network !== undefined
        ? pickMethod(offer.methods, asset, network)
        : knownMethod(offer.methods, whole.cart)
    if (!method) return { v: 1, offer: offering(reference, offer, whole) }
    refuseFiat(method)
    if (!currentEntry(whole.cart, methodId(method))) allowance.countNew(whole.cart, request, offer)
    const fresh = entries.newEntry({ offer, method })
    const opened = await repository.updateCart(reference, (latest) =>
      openEntry(repriced(whole.cart, latest, offer.terms.price, now()), fresh),
    )
    return entries.prepare(currentEntry(opened, fresh.method) ?? fresh, { reference, offer, method, request })
  }
}

/** A browser gets only icons that this server draws or fetches. */
function createOffering({ settings, now, time }: Context, { settledBy }: WholeCarts, iconNames: IconNames) {
  const withIcon = (method: Method): Offer['methods'][number] => {
    const { asset, network, name } = method
    const own = iconNames.nameOf(method)
    const icon = own === undefined ? coinIcon(asset) : `icons/${own}`
    return { asset, network, name, ...networkFields(network), ...(icon !== undefined && { icon }) }
  }

  return (reference: string, { terms, methods }: CheckedOffer, whole: WholeCart): Offer => {
    const chosen = chosenEntry(endOtherPrices(whole.cart, terms.price, now()))
    const current = settledBy(whole) ?? whole.checkouts.find(({ id }) => id === chosen?.id)
    const checkout = current?.instructions ? current : undefined
    return {
      v: 1,
      reference,
      price: terms.price,
      ...(terms.description !== undefined && { description: terms.description }),
      merchant: terms.merchant,
      methods: methods.map(withIcon),
      cart: cartState(whole, settings),
      test: settings.test,
      ...(checkout && { checkout: toCheckout(checkout, whole, settings, time(), { viewOnly: false }) }),
    }
  }
}

/**
 * The method if the payer need not choose: the only one, or the one chosen before, even if the
 * price has changed since.
 */
function knownMethod(methods: readonly Method[], cart: CartRecord): Method | undefined {
  if (methods.length === 1) return methods[0]
  const chosen = chosenEntry(cart)?.method ?? cart.chosen
  return methods.find((method) => chosen !== null && sameMethod(methodId(method), chosen))
}

/**
 * Resolves with the checkout after a look at the service, or as its record has it if the service
 * takes more than four seconds or fails. Rejects with `not_found` if the key is not one of the
 * checkout's.
 */
function createPoll(context: Context, { access, carts, binder, tracker }: Shared) {
  const { settings, now, time } = context

  /**
   * Looks at the order, or searches for it. Resolves with the unchanged checkout if nothing was
   * learnt, and rejects with a ServiceError if the service cannot be asked.
   */
  async function look(checkout: CheckoutRecord): Promise<CheckoutRecord> {
    const { binding } = checkout
    const known = binding?.isProvisional ? await binder.recheck(checkout) : checkout
    const looked = await (binding ? tracker.look(known) : binder.tryBind(known))
    return typeof looked === 'object' ? looked : known
  }

  /** Other quotes of the cart: their payer may have paid the old address, or be about to. */
  const othersThan = (id: string, whole: WholeCart) =>
    unpaidQuotes(whole, settings, now())
      .filter((each) => each.id !== id)
      .slice(-policy.poll.earlierQuotes)

  return async (id: string, key: string): Promise<Checkout> => {
    const before = await carts.around(id)
    const { checkout, viewOnly } = access.authorise(before?.checkout, key)
    // A browser gets a key only with instructions, so the store has lost the order that this page
    // shows.
    if (!before || !checkout.instructions)
      throw new PaywindowError('not_found', 'The store does not have the order of this checkout')
    const readAtMs = now()
    const asked = [checkout, ...othersThan(id, before.whole)]
    // After a failure of the service the payer can still pay, and the next poll tries again.
    const looks = Promise.all(asked.map((each) => unlessServiceFails(look(each), () => each)))
    const isOver = await endsWithin(context, policy.poll.patienceMs, looks)
    if (!isOver) context.inBackground(looks)
    const isSame = isOver && (await looks).every((each, at) => each === asked[at])
    const isRecent = now() - readAtMs < policy.poll.sameMomentMs
    const latest = isSame && isRecent ? before : ((await carts.around(id)) ?? before)
    return toCheckout(latest.checkout, latest.whole, settings, time(), { viewOnly })
  }
}

/**
 * Resolves with the successor of a checkout whose quote is over. Makes it if there is none, or if
 * it has ended. Two renewals at once get the same successor.
 *
 * @throws PaywindowError `already_seen` if a deposit for the cart was seen: no payer may be led
 * to pay twice.
 */
function createRenew({ repository, now }: Context, { access, carts, ask, entries, allowance }: Shared) {
  return async (id: string, key: string, request: Request): Promise<KeyedCheckout> => {
    const { reference, method: wanted } = await access.payersOwn(id, key)
    const before = await repository.readCart(reference)
    const offer = await ask(reference, request)
    const method = pickMethod(offer.methods, wanted.asset, wanted.network)
    const whole = await carts.atPrice(before, offer.terms.price)
    if (carts.settledBy(whole))
      throw new PaywindowError('already_seen', 'A deposit for this cart was seen already: do not send another')
    const fresh = entries.newEntry({ offer, method })
    const known = currentEntry(whole.cart, fresh.method)
    if (!known || known.id === id) allowance.countNew(whole.cart, request, offer)
    const renewed = await repository.updateCart(reference, (current) =>
      renewEntry(repriced(whole.cart, current, offer.terms.price, now()), id, fresh),
    )
    const successor = currentEntry(renewed, fresh.method)
    if (!successor) throw new PaywindowError('not_found', 'This checkout is no longer one of its cart')
    return entries.prepare(successor, { reference, offer, method, request })
  }
}

/** Handover tokens of a checkout that are valid at the same time; the oldest are dropped first. */
const maxLinks = 21

/**
 * Decides who may see a checkout: the holder of its key, and for 20 minutes the holder of a
 * handover token. Each function throws `not_found` if the key is neither. Compares keys in constant
 * time. Stores only the hashes of handover tokens.
 */
function createAccess({ repository, account, ids, now }: Context) {
  /**
   * Checks a key, and returns whether it only allows viewing. `checkout` is undefined if there is
   * none.
   */
  function authorise(checkout: CheckoutRecord | undefined, key: string) {
    const tokenHash = hashOf(key)
    const isOwn = checkout && sameSecret(checkout.key, key)
    const isViewed = checkout?.views.some((view) => view.tokenHash === tokenHash && view.untilMs > now())
    if (!checkout || !(isOwn || isViewed))
      throw new PaywindowError('not_found', 'There is no such checkout, or this is not its key')
    // A change by this server would keep the checkout from the server that follows it.
    if (checkout.account !== account)
      throw new PaywindowError('not_found', 'This checkout is of another account of the service')
    return { checkout, viewOnly: !isOwn }
  }

  /** Reads a checkout by its payer's own key. */
  async function payersOwn(id: string, key: string): Promise<CheckoutRecord> {
    const { checkout, viewOnly } = authorise(await repository.readCheckout(id), key)
    if (viewOnly) throw new PaywindowError('not_found', 'This checkout was opened to look at only')
    return checkout
  }

  return {
    authorise,
    payersOwn,
    /** Makes a key that allows viewing for 20 minutes. */
    handOver: async (id: string, key: string): Promise<Handover> => {
      const checkout = await payersOwn(id, key)
      const token = ids.secret()
      const view = { tokenHash: hashOf(token), untilMs: now() + policy.poll.handoverMs }
      await repository.updateCheckout(checkout.id, (current) => ({
        ...current,
        views: [...current.views.filter(({ untilMs }) => untilMs > now()).slice(1 - maxLinks), view],
      }))
      return { v: 1, token, expiresInMs: policy.poll.handoverMs }
    },
  }
}
