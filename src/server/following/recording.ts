/**
 * Writes an order, from its details or from any page of the list, into the record of its checkout.
 */
import type { OrderStatus } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import type { ServiceError } from '../../service/errors.ts'
import { createFirstTimes, createLru } from '../../service/lru.ts'
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import {
  agrees,
  amountsInWords,
  differenceOf,
  merchantPhase,
  otherAmounts,
  otherMethod,
  otherTarget,
  phaseWith,
  showsOtherAsset,
} from '../core/agreement.ts'
import { receivedOf, stillTrue, withArrival } from '../core/arrivals.ts'
import { otherTime, showsAmounts } from '../core/facts.ts'
import { nextLook } from '../core/looks.ts'
import { policy } from '../core/policy.ts'
import {
  betweenMs,
  isHeldLongEnough,
  isSharedOut,
  isStale,
  type LifecycleRules,
  seenLate,
  takenBackFromMs,
  takesBack,
  timesOf,
  withAnswer,
  withArrivalTold,
  withoutBinding,
  withStatus,
} from '../core/transitions.ts'
import { type Binding, type CheckoutRecord, type Instructions, intentLabel } from '../core/types.ts'
import { unreadError } from '../orders/order-details.ts'
import { atMostEvery } from '../time/work.ts'
import { HeldOffError } from '../upstream/service-gate.ts'
import type { Release } from './binding.ts'

/** Unknown status words that are reported in an hour. */
const maxWords = 100
/** Orders whose reports are remembered, so that they are not repeated. */
const maxRemembered = 1_000

/**
 * The other source (details or list) of the same order. `one`: it was not asked, so no status is
 * taken back. `alone`: it cannot be read. `both`: it shows the same.
 */
type Agreement = 'one' | 'alone' | 'both'

/** Records orders. Releases an order that turns out not to be the checkout's own. */
export type Recording = ReturnType<typeof createRecording>

/**
 * Reports each unknown status word once an hour, because a payment may wait with each order that
 * the service calls so. `onChange` is called for each change after it is stored.
 */
export function createRecording(
  context: Pick<Context, 'repository' | 'settings' | 'rules' | 'now' | 'plannedNow'>,
  { disown }: Pick<Release, 'disown'>,
  onChange: (checkout: CheckoutRecord) => void,
) {
  const { repository, settings, rules, now, plannedNow } = context
  const reportedWords = new Set<string>()
  const forgetWords = atMostEvery(policy.tell.reportedEveryMs, now, () => reportedWords.clear())
  const isNewMethod = createFirstTimes(maxRemembered)
  const reportShared = createReportShared(context)
  const isNewHeld = createFirstTimes(maxRemembered)

  function reportWord({ id, from, status, statusText }: Order, { id: checkoutId, reference }: CheckoutRecord): void {
    // The details of an order may say what the list does not.
    if (status !== null || (from === 'list' && statusText === null)) return
    const word = statusText ?? ''
    forgetWords()
    if (reportedWords.has(word) || reportedWords.size >= maxWords) return
    reportedWords.add(word)
    const what = `The service calls order ${id} ${JSON.stringify(statusText)}, an unknown status; the checkout was not changed`
    settings.report(new PaywindowError('status_unknown', what), { checkoutId, reference })
  }

  /**
   * Reports an asset or network that was not asked for. The order stays the checkout's: the service
   * returns such a payment.
   */
  function reportMethod(order: Order, checkout: CheckoutRecord): void {
    const { id: checkoutId, reference, binding } = checkout
    const shown = binding?.orderId === order.id ? otherMethod(order, checkout) : null
    if (shown === null || binding?.evidence === 'merchant' || !isNewMethod(order.id)) return
    const what = `Order ${order.id} of checkout ${checkoutId} shows what was not asked for: ${shown}. It may be what the payer has sent; the order stays that checkout's`
    settings.report(new PaywindowError('binding_contradicted', what), { checkoutId, reference })
  }

  /** Reports once that answers have contradicted the present status for long. */
  function reportHeld({ id, timing }: Order, checkout: CheckoutRecord): void {
    const { id: checkoutId, reference, binding, status, eventCount } = checkout
    const held = binding?.orderId === id ? checkout.takingBack : undefined
    if (!held || betweenMs(held.first, timesOf(timing)) < policy.answers.disputedAfterMs) return
    if (!isNewHeld(`${id} ${eventCount}`)) return
    const what = `The service's answers about order ${id}, which it called ${status}, have also said ${held.status} for ${policy.answers.disputedAfterMs / 60_000} minutes or more; the checkout is not changed until all of them agree for long enough`
    settings.report(new PaywindowError('status_unknown', what), { checkoutId, reference })
  }

  const reports = [reportWord, reportMethod, reportHeld, createReportOther(context)]

  /** The change of a record, and the work after it is stored. */
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
        for (const report of reports) report(order, after)
        if (before?.lastEvent?.eventId !== after.lastEvent?.eventId) onChange(after)
        if (against !== null) await disown(after, order.id, against)
        return isSharedOut(after) && countsNow(after, order, agreement) ? reportShared(after, order) : after
      },
    }
  }

  /**
   * Resolves with the checkout after the change.
   *
   * @param agreement - Default `one`, which takes no status back.
   */
  async function record(checkoutId: string, order: Order, agreement?: Agreement): Promise<CheckoutRecord> {
    const { change, finish } = taking(order, agreement)
    return finish(await repository.updateCheckout(checkoutId, change))
  }

  return {
    record,
    /** Records an order only if it says something new. `checkout` has just been read. */
    recordIfNew: async (checkout: CheckoutRecord, order: Order): Promise<CheckoutRecord> => {
      if (isNews(order, checkout, now(), rules)) return record(checkout.id, order)
      for (const report of reports) report(order, checkout)
      return checkout
    },
    /**
     * Records many orders in one call.
     *
     * @param orders - By the ids of their checkouts.
     * @returns The checkouts that exist and can be read.
     */
    recordAll: async (orders: ReadonlyMap<string, Order>): Promise<readonly CheckoutRecord[]> => {
      const takings = new Map([...orders].map(([id, order]) => [id, taking(order)]))
      const after = await repository.updateCheckouts(
        [...orders.keys()],
        (checkout) => takings.get(checkout.id)?.change(checkout) ?? checkout,
      )
      await Promise.all(after.map((checkout) => takings.get(checkout.id)?.finish(checkout)))
      return after
    },
  }
}

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
  /** Why the order is not the checkout's own, in words; null if it is. */
  readonly against: string | null
}

/** The checkout with the facts of its order, and with the time of its next look if that is due. */
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
  // A due time in the future stays, because a change at every look would cost a write.
  const isDue = nextLookAtMs === null || nextLookAtMs <= nowMs || nextLookAtMs > againMs
  if (taken.checkout === checkout && !isDue) return taken
  const nextMs = againMs < Number.POSITIVE_INFINITY ? againMs : nextLook(taken.checkout, plannedMs, rules.phaseOf)
  return { ...taken, checkout: { ...taken.checkout, nextLookAtMs: nextMs } }
}

/**
 * The time from which a step back that the order shows would count; infinite if it shows none. The
 * order is looked at again then.
 */
function lookAgainMs(checkout: CheckoutRecord, { id, status }: Order, nowMs: number): number {
  const isOwn = checkout.binding?.orderId === id && !checkout.binding.isProvisional
  const fromMs = isOwn && status !== null && takesBack(checkout, status) ? takenBackFromMs(checkout) : 0
  return fromMs > nowMs ? fromMs : Number.POSITIVE_INFINITY
}

/** The checkout with the facts of its order. An order that contradicts the checkout is unbound. */
function withFacts(checkout: CheckoutRecord, order: Order, asked: Asked, rules: LifecycleRules): Taken {
  const { binding, instructions } = checkout
  const former = order.status === checkout.status ? null : otherTime(order, checkout)
  // What was told at last of the order that had this id before stays.
  const isKept = former !== null && !['waiting', 'seen'].includes(rules.phaseOf[checkout.status])
  if (binding?.orderId !== order.id || !instructions || isKept) return { checkout, against: null }
  const other = former ?? speaksAgainst(order, checkout, binding, instructions)
  const isUnlike = other === null && restsOnIdAlone(binding) && !agrees(order, checkout, instructions)
  const against = isUnlike ? otherAmounts(order, checkout, instructions) : other
  if (against !== null) {
    const free = withoutBinding(checkout, order.id, asked.nowMs, rules)
    // The amounts may agree later, and then a search may find the order.
    return { checkout: isUnlike ? free : { ...free, excluded: [...free.excluded, order.id] }, against }
  }
  const known = restsOnIdAlone(binding) ? { ...checkout, binding: { ...binding, isProvisional: false } } : checkout
  // A provisional binding is checked again before its status counts.
  if (order.status === null || known.binding?.isProvisional) return { checkout: known, against }
  return { checkout: withNews(known, order.status, order, asked, rules), against }
}

/**
 * The checkout with a new status. Returns its argument if the status is not new, or the answer is
 * older than the known one or too old to tell. A step back is only noted at first.
 */
function withNews(
  checkout: CheckoutRecord,
  status: NonNullable<Order['status']>,
  order: Order,
  { nowMs, agreement }: Asked,
  rules: LifecycleRules,
): CheckoutRecord {
  const times = timesOf(order.timing)
  // An answer that took so long has a `Date` that proves too little.
  if (nowMs - times.sentAtMs >= policy.answers.latestMs - policy.answers.dateStepMs) return checkout
  const received = rules.phaseOf[status] === 'paid' ? receivedOf(order, checkout) : undefined
  if (status === checkout.status) {
    const known = withArrivalTold(withArrival(withAnswer(checkout, status, times), order, rules), nowMs, rules)
    const isSure = provesAmounts(order) && times.sentAtMs >= takenBackFromMs(checkout)
    return isSure ? withStatus(known, status, nowMs, rules, received) : known
  }
  if (isStale(checkout, status, times)) return checkout
  if (takesBack(checkout, status)) {
    const noted = withAnswer(checkout, status, times)
    if (isSharedOut(noted) || !countsNow(noted, order, agreement)) return noted
  }
  const known = withArrival({ ...checkout, arrival: stillTrue(checkout, status) }, order, rules)
  return {
    ...withStatus(known, status, nowMs, rules, received),
    statusAsOfMs: times.asOfMs,
    seenLate: checkout.seenLate ?? seenLate(checkout, rules.phaseOf[status], times.asOfMs),
  }
}

/** Whether an order shows what came: a list may show the requested amounts instead. */
function provesAmounts(order: Order): boolean {
  return order.from === 'details' && showsAmounts(order)
}

/** Whether a step back has been held for long enough, and the sources agree. */
function countsNow(checkout: CheckoutRecord, { status, timing }: Order, agreement: Agreement): boolean {
  const isAgreed = agreement !== 'one' && checkout.takingBack?.status === status
  return isAgreed && isHeldLongEnough(checkout, timesOf(timing), agreement === 'alone')
}

/**
 * Whether a binding rests on the id in the answer to the creation, and that order was not seen yet.
 */
export function restsOnIdAlone({ evidence, isProvisional }: Binding): boolean {
  return evidence === 'response_id' && isProvisional
}

/** The contradiction to a binding, in words, or null. The merchant's decision has none. */
function speaksAgainst(order: Order, checkout: CheckoutRecord, binding: Binding, instructions: Instructions) {
  if (binding.evidence === 'merchant') return null
  return (
    (mayShowDeposit(order, checkout, binding) ? null : otherMethod(order, checkout)) ??
    otherTarget(order, checkout, instructions)
  )
}

/**
 * Whether another asset or network in an order may be the payer's deposit. An order bound by id,
 * address or time stays bound. An order bound by counting stays only if a deposit was seen and the
 * asset itself differs.
 */
function mayShowDeposit(order: Order, checkout: CheckoutRecord, { evidence, isProvisional }: Binding): boolean {
  if (isProvisional) return false
  const isCounted = evidence === 'only_candidate' || evidence === 'all_paid'
  return !isCounted || (order.status !== 'open' && showsOtherAsset(order, checkout))
}

/**
 * Reports once that a paid order shows another amount than the merchant was told. No change
 * follows, unless the rest of too small a payment came: the service may have taken its fee, or a
 * copy may be behind.
 */
function createReportOther({ settings, rules }: Pick<Context, 'settings' | 'rules'>) {
  const isNew = createFirstTimes(maxRemembered)

  return (order: Order, checkout: CheckoutRecord) => {
    const { id: checkoutId, reference, binding, status } = checkout
    if (status !== order.status || rules.phaseOf[status] !== 'paid' || binding?.orderId !== order.id) return
    if (otherTime(order, checkout) !== null) return
    const told = merchantPhase(checkout, rules.phaseOf)
    const shown = receivedOf(order, checkout)
    const difference = differenceOf(checkout, shown)
    const phase = phaseWith('paid', difference, undefined)
    const isSure = difference === 'less' || provesAmounts(order)
    if (phase === told || !isSure || !isNew(`${order.id} ${phase}`)) return
    const what = `Order ${order.id} of checkout ${checkoutId}, which was delivered as ${told}, shows ${amountsInWords(checkout, shown)} now: check the order at the service`
    const code = [phase, told].find((each) => each === 'paid_less' || each === 'paid_more') ?? 'paid_less'
    settings.report(new PaywindowError(code, what), { checkoutId, reference })
  }
}

const maxNamed = 20
/** Equal checkouts that are read for a report. */
const maxRead = 1_000

/**
 * Reports once which checkouts the order may belong to. Their status stays: a person has to find
 * out whose deposit it was.
 */
function createReportShared({ repository, settings }: Pick<Context, 'repository' | 'settings'>) {
  async function report({ id: checkoutId, reference, createdAtMs, ...rest }: CheckoutRecord, order: Order) {
    const equal = await repository.listCheckouts(intentLabel(rest), { limit: maxRead })
    const owners = equal.filter(
      (each) => isSharedOut(each) && Math.abs(each.createdAtMs - createdAtMs) < policy.search.comparedWithinMs,
    )
    const names = owners.slice(0, maxNamed).map(({ id }) => `checkout ${id}`)
    const what = `The service says that order ${order.id} is ${order.status} after it was paid. It is the order of ${names.join(' or of ')}, which cannot be distinguished, so none of them is changed. Find out at the service whose deposit it was, then settle it: npx paywindow bind <checkoutId> ${order.id}; in code, paywindow.bind(checkoutId, '${order.id}')`
    settings.report(new PaywindowError('order_unresolved', what), { checkoutId, reference })
  }

  return async (checkout: CheckoutRecord, order: Order) => {
    if (!checkout.unresolvedTold) await report(checkout, order)
    // Stored after the report: a process that dies in between reports twice rather than never.
    return repository.updateCheckout(checkout.id, (current) =>
      isSharedOut(current) ? { ...current, unresolvedTold: true, takingBack: undefined } : current,
    )
  }
}

/** Reports a read that failed. @param what - Begins the sentence, such as `The order list`. */
export type ReportUnread = (what: string, error: ServiceError, about?: { readonly checkoutId?: string }) => undefined

/** A request that was held off is not reported: the reason was reported already. */
export function createReportUnread({ settings }: Context): ReportUnread {
  return (what, error, about = {}) => {
    if (!(error instanceof HeldOffError)) settings.report(unreadError(what, error), about)
  }
}

const maxKnown = 50_000

/**
 * Returns a function that records all changes on a page of the list, whatever it was read for.
 * Reads the store only for orders whose status differs from the last known one, which is `open` at
 * first. A status counts as known once it is recorded: until then, each page tries again.
 */
export function createRecordPage({ repository }: Context, { recordAll }: Pick<Recording, 'recordAll'>) {
  const known = createLru<OrderStatus>(maxKnown)

  return async (orders: readonly Order[]): Promise<void> => {
    const changed = orders.filter(({ id, status }) => status !== null && status !== (known.get(id) ?? 'open'))
    if (changed.length === 0) return
    const owners = await repository.ownersOf(changed.map(({ id }) => id))
    const owned = changed.filter(({ id }) => owners.has(id))
    const byCheckout = new Map(owned.map((order) => [owners.get(order.id) ?? '', order]))
    for (const checkout of await recordAll(byCheckout)) {
      const order = byCheckout.get(checkout.id)
      const status = order?.status
      // A step back that is held counts as known, so that a page with another status is news.
      const isTaken = status === checkout.status || status === checkout.takingBack?.status
      if (order && status && isTaken) known.set(order.id, status)
    }
  }
}
