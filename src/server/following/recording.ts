/**
 * Takes an order into the record of its checkout: one order, as the details or the list show it, or
 * all orders of a page of the list, whoever asked for that page.
 */
import { LRUCache } from 'lru-cache'
import type { OrderStatus } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import type { ServiceError } from '../../service/errors.ts'
import { growingTo } from '../../service/growing-to.ts'
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import { agrees, otherAmounts, otherMethod, otherTarget, showsOtherAsset } from '../core/agreement.ts'
import { isSharedOut } from '../core/attempts.ts'
import { nextLook } from '../core/looks.ts'
import { policy } from '../core/policy.ts'
import { receivedOf } from '../core/received.ts'
import {
  betweenMs,
  excluding,
  isHeldLongEnough,
  isOutdated,
  isStale,
  type LifecycleRules,
  takenBackFromMs,
  takesBack,
  takingBackOf,
  timesOf,
  withAnswer,
  withoutBinding,
  withStatus,
} from '../core/transitions.ts'
import { type Binding, type CheckoutRecord, type Instructions, intentLabel } from '../core/types.ts'
import { unreadError } from '../orders/order-details.ts'
import { HeldOffError } from '../upstream/service-gate.ts'

/** Unknown status words that are reported, each once. */
const maxWords = 100
/** Orders of which it is remembered that what they show was reported. */
const maxRemembered = 1_000

/** Who else shows the same of an order: nobody that was asked, nobody that can be asked, or the details and the list both. */
type Agreement = 'one' | 'alone' | 'both'

/** Takes orders into records. An order that turns out not to be the checkout's own is released. */
export interface Recording {
  /** Resolves with the checkout as it is afterwards. `agreement`: default `one`, which takes no status back. */
  record(checkoutId: string, order: Order, agreement?: Agreement): Promise<CheckoutRecord>
  /** The same, where the order says something that the checkout, as it was just read, does not. */
  take(checkout: CheckoutRecord, order: Order): Promise<CheckoutRecord>
  /** Takes in orders by the ids of their checkouts. Resolves with those checkouts that exist and can be read. */
  recordAll(orders: ReadonlyMap<string, Order>): Promise<readonly CheckoutRecord[]>
}

/** Reports each unknown status word once. `onChange` is called for each change after it is stored. */
export function createRecording(
  {
    repository,
    settings,
    rules,
    now,
    plannedNow,
  }: Pick<Context, 'repository' | 'settings' | 'rules' | 'now' | 'plannedNow'>,
  { disown }: Pick<Release, 'disown'>,
  onChange: (checkout: CheckoutRecord) => void,
): Recording {
  const reportedWords = new Set<string>()
  const reportedMethods = new LRUCache<string, true>(growingTo(maxRemembered))
  const reportShared = createReportShared({ repository, settings })
  const reportedHeld = new LRUCache<string, true>(growingTo(maxRemembered))

  function reportWord({ id, statusText }: Order, { id: checkoutId, reference }: CheckoutRecord): void {
    const word = statusText ?? ''
    if (reportedWords.has(word) || reportedWords.size >= maxWords) return
    reportedWords.add(word)
    const what = `The service calls order ${id} ${JSON.stringify(statusText)}, an unknown status; the checkout was not changed`
    settings.report(new PaywindowError('status_unknown', what), { checkoutId, reference })
  }

  /** The merchant is told, and the order stays the checkout's: payments of something else are the service's to return. */
  function reportMethod(order: Order, checkout: CheckoutRecord): void {
    const { id: checkoutId, reference, binding } = checkout
    const shown = binding?.orderId === order.id ? otherMethod(order, checkout) : null
    if (shown === null || binding?.evidence === 'merchant' || reportedMethods.has(order.id)) return
    reportedMethods.set(order.id, true)
    const what = `Order ${order.id} of checkout ${checkoutId} shows what was not asked for: ${shown}. It may be what the payer has sent; the order stays that checkout's`
    settings.report(new PaywindowError('binding_contradicted', what), { checkoutId, reference })
  }

  /** Once for each status that is not taken back. */
  function reportHeld({ id, timing }: Order, checkout: CheckoutRecord): void {
    const { id: checkoutId, reference, binding, status } = checkout
    const held = binding?.orderId === id ? takingBackOf(checkout) : undefined
    const key = `${id} ${held?.change}`
    if (!held || betweenMs(held.first, timesOf(timing)) < policy.answers.disputedAfterMs || reportedHeld.has(key))
      return
    reportedHeld.set(key, true)
    const what = `The service's answers about order ${id}, which it called ${status}, have also said ${held.status} for ${policy.answers.disputedAfterMs / 60_000} minutes or more; the checkout is not changed until all of them agree for long enough`
    settings.report(new PaywindowError('status_unknown', what), { checkoutId, reference })
  }

  /** The change of a record, and what is left to do once it is stored. */
  function taking(order: Order, agreement: Agreement = 'one') {
    let against: string | null = null
    let before: CheckoutRecord | undefined
    return {
      change: (checkout: CheckoutRecord) => {
        before = checkout
        const taken = withOrder(checkout, order, { nowMs: now(), plannedMs: plannedNow(), agreement }, rules)
        against = taken.against
        return taken.checkout
      },
      finish: async (after: CheckoutRecord) => {
        if (order.status === null) reportWord(order, after)
        reportMethod(order, after)
        reportHeld(order, after)
        if (before?.status !== after.status) onChange(after)
        if (against !== null) await disown(after, order.id, against)
        return isSharedOut(after) && countsNow(after, order, agreement) ? reportShared(after, order) : after
      },
    }
  }

  const record: Recording['record'] = async (checkoutId, order, agreement) => {
    const { change, finish } = taking(order, agreement)
    return finish(await repository.updateCheckout(checkoutId, change))
  }

  return {
    record,
    take: async (checkout, order) => {
      if (isNews(order, checkout, now(), rules)) return record(checkout.id, order)
      reportMethod(order, checkout)
      reportHeld(order, checkout)
      return checkout
    },
    recordAll: async (orders) => {
      const takings = new Map([...orders].map(([id, order]) => [id, taking(order)]))
      const after = await repository.updateCheckouts(
        [...orders.keys()],
        (checkout) => takings.get(checkout.id)?.change(checkout) ?? checkout,
      )
      // All of them, also where one fails.
      await Promise.all(after.map((checkout) => takings.get(checkout.id)?.finish(checkout)))
      return after
    },
  }
}

/** Whether an order says something that the record of its checkout does not. */
function isNews(order: Order, checkout: CheckoutRecord, nowMs: number, rules: LifecycleRules): boolean {
  const { checkout: taken, against } = withFacts(checkout, order, { nowMs, agreement: 'one' }, rules)
  const isSooner = (checkout.nextLookAtMs ?? Number.POSITIVE_INFINITY) > lookAgainMs(checkout, order, nowMs)
  return taken !== checkout || against !== null || order.status === null || isSooner
}

interface Asked {
  readonly nowMs: number
  readonly agreement: Agreement
}

interface Taken {
  readonly checkout: CheckoutRecord
  /** Why the order is not the checkout's own, in words. */
  readonly against: string | null
}

/** The checkout with what an order says of it, and with the time of its next look if that is due. */
function withOrder(
  checkout: CheckoutRecord,
  order: Order,
  { nowMs, plannedMs, agreement }: Asked & { readonly plannedMs: number },
  rules: LifecycleRules,
): Taken {
  const taken = withFacts(checkout, order, { nowMs, agreement }, rules)
  const { binding, nextLookAtMs } = taken.checkout
  if (order.status === null || binding?.orderId !== order.id || binding.isProvisional) return taken
  const againMs = lookAgainMs(taken.checkout, order, nowMs)
  // A due time in the future stays: changing it at every look would cost a write each time.
  const isDue = nextLookAtMs === null || nextLookAtMs <= nowMs || nextLookAtMs > againMs
  if (taken.checkout === checkout && !isDue) return taken
  const nextMs = againMs < Number.POSITIVE_INFINITY ? againMs : nextLook(taken.checkout, plannedMs, rules.phaseOf)
  return { ...taken, checkout: { ...taken.checkout, nextLookAtMs: nextMs } }
}

/** When an order is to be looked at again that takes a status back so early that it does not count; else infinite. */
function lookAgainMs(checkout: CheckoutRecord, { id, status }: Order, nowMs: number): number {
  const isOwn = checkout.binding?.orderId === id && !checkout.binding.isProvisional
  const fromMs = isOwn && status !== null && takesBack(checkout, status) ? takenBackFromMs(checkout) : 0
  return fromMs > nowMs ? fromMs : Number.POSITIVE_INFINITY
}

/** The checkout with what an order says of it. */
function withFacts(checkout: CheckoutRecord, order: Order, asked: Asked, rules: LifecycleRules): Taken {
  const { binding, instructions } = checkout
  if (binding?.orderId !== order.id || !instructions) return { checkout, against: null }
  const against = speaksAgainst(order, checkout, binding, instructions)
  if (against !== null)
    return { checkout: excluding(withoutBinding(checkout, order.id, asked.nowMs, rules), order.id), against }
  const known = restsOnIdAlone(binding) ? { ...checkout, binding: { ...binding, isProvisional: false } } : checkout
  // A provisional binding is checked again before anybody is told about a payment.
  if (order.status === null || known.binding?.isProvisional) return { checkout: known, against }
  return { checkout: withNews(known, order.status, order, asked, rules), against }
}

/**
 * Returns its argument when the status says nothing new, is older than the one that is known, or was asked for too long ago to tell. What takes
 * a status back is noted at first.
 */
function withNews(
  checkout: CheckoutRecord,
  status: NonNullable<Order['status']>,
  order: Order,
  { nowMs, agreement }: Asked,
  rules: LifecycleRules,
): CheckoutRecord {
  const times = timesOf(order.timing)
  if (isOutdated(times.sentAtMs, nowMs)) return checkout
  if (status === checkout.status) return withAnswer(checkout, status, times)
  if (isStale(checkout, status, times)) return checkout
  if (takesBack(checkout, status)) {
    const noted = withAnswer(checkout, status, times)
    if (isSharedOut(noted) || !countsNow(noted, order, agreement)) return noted
  }
  const received = rules.phaseOf[status] === 'paid' ? receivedOf(order) : undefined
  return { ...withStatus(checkout, status, nowMs, rules, received), statusAsOfMs: times.asOfMs }
}

/** Whether what takes the status back has been held for long enough, and all that were asked say the same. */
function countsNow(checkout: CheckoutRecord, { status, timing }: Order, agreement: Agreement): boolean {
  const isAgreed = agreement !== 'one' && takingBackOf(checkout)?.status === status
  return isAgreed && isHeldLongEnough(checkout, timesOf(timing), agreement === 'alone')
}

/** Whether a binding rests on the id in the answer to the creation, and nobody has seen that order yet. */
export function restsOnIdAlone({ evidence, isProvisional }: Binding): boolean {
  return evidence === 'response_id' && isProvisional
}

/** What contradicts a binding, in words. Nothing contradicts the merchant's own. */
function speaksAgainst(
  order: Order,
  checkout: CheckoutRecord,
  binding: Binding,
  instructions: Instructions,
): string | null {
  if (binding.evidence === 'merchant') return null
  return (
    (mayShowDeposit(order, checkout, binding) ? null : otherMethod(order, checkout)) ??
    otherTarget(order, checkout, instructions) ??
    (restsOnIdAlone(binding) && !agrees(order, checkout, instructions)
      ? otherAmounts(order, checkout, instructions)
      : null)
  )
}

/**
 * Whether another asset or network in an order may be what was deposited. An order that was found by its own marks stays the same one. Of
 * one that was found by counting the list may not have shown the network: then another one means that it is another's.
 */
function mayShowDeposit(order: Order, checkout: CheckoutRecord, { evidence, isProvisional }: Binding): boolean {
  if (isProvisional) return false
  const isCounted = evidence === 'only_candidate' || evidence === 'all_paid'
  return !isCounted || (order.status !== 'open' && showsOtherAsset(order, checkout))
}

const maxNamed = 20
const maxRead = 1_000

/** Names all checkouts whose order it may be, once. No status of theirs is changed: a person finds out whose deposit it was. */
function createReportShared({
  repository,
  settings,
}: Pick<Context, 'repository' | 'settings'>): (checkout: CheckoutRecord, order: Order) => Promise<CheckoutRecord> {
  async function report({ id: checkoutId, reference, createdAtMs, ...rest }: CheckoutRecord, order: Order) {
    const equal = await repository.listCheckouts(intentLabel(rest), { limit: maxRead })
    const owners = equal.filter(
      (each) => isSharedOut(each) && Math.abs(each.createdAtMs - createdAtMs) < policy.search.comparedWithinMs,
    )
    const names = owners.slice(0, maxNamed).map(({ id }) => `checkout ${id}`)
    const what = `The service says that order ${order.id} is ${order.status} after it was paid. It is the order of ${names.join(' or of ')}, which cannot be distinguished, so none of them is changed. Look at the service whose deposit it was, then settle it with paywindow.bind(checkoutId, '${order.id}')`
    settings.report(new PaywindowError('order_unresolved', what), { checkoutId, reference })
  }

  return async (checkout, order) => {
    if (!checkout.unresolvedTold) await report(checkout, order)
    // Stored after the report: a process that dies in between reports twice rather than never.
    return repository.updateCheckout(checkout.id, (current) =>
      isSharedOut(current) ? { ...current, unresolvedTold: true, takingBack: undefined } : current,
    )
  }
}

/** Undoes bindings. */
export interface Release {
  /** Removes the binding and the status that came from it, if `isMeant` is true for the binding. */
  unbind(
    checkoutId: string,
    orderId: string,
    why: string,
    isMeant?: (binding: Binding) => boolean,
  ): Promise<CheckoutRecord>
  /** Makes the order of a checkout that is already unbound available to others, and reports why. */
  disown(checkout: CheckoutRecord, orderId: string, why: string): Promise<void>
}

/** Reports each released order. `onChange` is called for each change of a status after it is stored. */
export function createRelease(
  { repository, settings, rules, now }: Pick<Context, 'repository' | 'settings' | 'rules' | 'now'>,
  onChange: (checkout: CheckoutRecord) => void,
): Release {
  const disown: Release['disown'] = async ({ id, reference }, orderId, why) => {
    const what = `Order ${orderId} does not belong to checkout ${id}: ${why}`
    settings.report(new PaywindowError('binding_contradicted', what), { checkoutId: id, reference })
    // Last, because nothing depends on it: whoever needs the order takes a claim that was left.
    await repository.disownOrder(orderId, id)
  }

  return {
    disown,
    unbind: async (checkoutId, orderId, why, isMeant = () => true) => {
      let before: CheckoutRecord | undefined
      const after = await repository.updateCheckout(checkoutId, (checkout) => {
        before = checkout
        const { binding } = checkout
        return binding && isMeant(binding) ? withoutBinding(checkout, orderId, now(), rules) : checkout
      })
      if (before?.status !== after.status) onChange(after)
      if (before !== after) await disown(after, orderId, why)
      return after
    },
  }
}

/** @param what - Begins the sentence, such as `The order list`. */
export type ReportUnread = (what: string, error: ServiceError, about?: { readonly checkoutId?: string }) => void

/** Says nothing of what was not sent: the reason was reported already. */
export function createReportUnread({ settings }: Pick<Context, 'settings'>): ReportUnread {
  return (what, error, about = {}) => {
    if (!(error instanceof HeldOffError)) settings.report(unreadError(what, error), about)
  }
}

/** Orders whose status is remembered: those shown longest ago are forgotten first. */
const maxKnown = 50_000

/** Resolves when the changes that the orders show are stored. */
type TakeListed = (orders: readonly Order[]) => Promise<void>

/**
 * Only an order whose status is another than the last time, or not `open` the first time, costs a look into the store. What belongs to
 * nobody, or could not be taken over yet, is looked up again with the next page that shows it.
 */
export function createTakeListed(
  { repository }: Pick<Context, 'repository'>,
  { recordAll }: Pick<Recording, 'recordAll'>,
): TakeListed {
  const known = new LRUCache<string, OrderStatus>(growingTo(maxKnown))

  return async (orders) => {
    const changed = orders.filter(({ id, status }) => status !== null && status !== (known.get(id) ?? 'open'))
    if (changed.length === 0) return
    const owners = await repository.ownersOf(changed.map(({ id }) => id))
    const byCheckout = new Map<string, Order>()
    for (const order of changed) {
      const checkoutId = owners.get(order.id)
      if (checkoutId !== undefined) byCheckout.set(checkoutId, order)
    }
    for (const checkout of await recordAll(byCheckout)) {
      const order = byCheckout.get(checkout.id)
      const status = order?.status
      // What is held is known, too: then a page that says otherwise is news.
      const isTaken = status === checkout.status || status === takingBackOf(checkout)?.status
      if (order && status && isTaken) known.set(order.id, status)
    }
  }
}
