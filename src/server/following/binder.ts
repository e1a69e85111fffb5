/**
 * Finds the service's order of a checkout and binds it, also by hand, checks provisional bindings
 * again, and reports checkouts whose order cannot be identified. `core/evidence.ts` has the rules;
 * `binding.ts` writes the binding.
 */
import { PaywindowError } from '../../contract/errors.ts'
import { ifServiceAnswers, ServiceError } from '../../service/errors.ts'
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import { contradiction, isOfOtherSubAccount, otherTarget } from '../core/agreement.ts'
import {
  createGroup,
  type Found,
  type Group,
  type Situation,
  type Verdict,
  weigh,
  weighTime,
} from '../core/evidence.ts'
import { otherTime } from '../core/facts.ts'
import { policy } from '../core/policy.ts'
import { answeredMs } from '../core/transitions.ts'
import type { CheckoutRecord, Instructions, TimeWindow } from '../core/types.ts'
import type { ReadSituation } from '../orders/read-situation.ts'
import { createLastTimes, createSingleFlight, hasPassed } from '../time/work.ts'
import { type BindTo, bindNamed, createBindTo } from './binding.ts'
import type { AskingTurns } from './server-turns.ts'
import type { Tracker } from './tracker.ts'

const maxRemembered = 10_000

/** Finds the orders of checkouts. */
export type Binder = ReturnType<typeof createBinder>

interface Parts {
  readonly readSituation: ReadSituation
  readonly tracker: Tracker
}

/**
 * All callers in a process share one search for a checkout. Of the servers on a store one searches
 * at a time, except in `searchNow`.
 */
export function createBinder(context: Context, parts: Parts, askingTurns: AskingTurns) {
  const { now } = context
  const bindTo = createBindTo(context)
  const { find, provesByTime } = createFind(context, parts, bindTo)
  const lookAgain = createLookAgain(context, parts)
  const flight = createSingleFlight<CheckoutRecord | 'left to another server'>()
  const searches = createLastTimes(maxRemembered, now)

  /** The turn ends with the search: another server may know more of the requests. */
  const turnOf = ({ id }: CheckoutRecord) => ({ name: `search ${id}`, endsWithWork: true })

  /** Shares the search under way, if there is one. `tryBind` may have left it to another server. */
  async function joined(
    checkout: CheckoutRecord,
    work: () => Promise<CheckoutRecord | 'left to another server'>,
  ): Promise<CheckoutRecord> {
    const found = await flight(checkout.id, work)
    return found === 'left to another server' ? checkout : found
  }

  /**
   * Searches the order unless it was searched a moment ago. Resolves with `left to another server`
   * if another server searches. Rejects with a ServiceError if the service cannot be asked.
   */
  async function tryBind(checkout: CheckoutRecord): Promise<CheckoutRecord | 'left to another server'> {
    const { binding, instructions } = checkout
    if (binding || !instructions || searches.sinceMs(checkout.id) < policy.search.everyMs) return checkout
    searches.note(checkout.id)
    const work = () => find(checkout, instructions, policy.search.listAgeMs)
    return flight(checkout.id, () => askingTurns.inTurn(turnOf(checkout), work))
  }

  return {
    tryBind,
    /** Searches the order in a new reading of the list, even if another server searches, too. */
    searchNow: async (checkout: CheckoutRecord): Promise<CheckoutRecord> => {
      const { binding, instructions } = checkout
      if (binding || !instructions) return checkout
      searches.note(checkout.id)
      const work = () => find(checkout, instructions, 0)
      return joined(checkout, () => askingTurns.always(turnOf(checkout), work))
    },
    /** Checks a provisional binding again once that is due, and undoes it if it is wrong. */
    recheck: async (checkout: CheckoutRecord): Promise<CheckoutRecord> => {
      const { binding, instructions } = checkout
      // The details judge an order that the creation named.
      if (!instructions || !binding?.isProvisional || binding.evidence === 'response_id') return checkout
      const isLate = hasPassed(policy.search.listedWithinMs, answeredMs(checkout) ?? binding.boundAtMs, now())
      if (!isLate && (binding.evidence !== 'timestamp' || searches.sinceMs(checkout.id) < policy.search.everyMs))
        return checkout
      searches.note(checkout.id)
      return joined(checkout, () => lookAgain(checkout, instructions, binding.orderId, isLate))
    },
    /**
     * Whether the last search proved an order by its time of creation alone, even if other orders
     * were created at any time.
     */
    provesByTime,
    bindByHand: createBindByHand(context, parts, bindTo),
    /** Binds a checkout to the order that the answer to its creation named, if it named one. */
    bindNamed: (checkout: CheckoutRecord) => bindNamed(bindTo, checkout),
  }
}

/**
 * Returns a function that confirms the binding if the evidence still says the same, and undoes it
 * otherwise. It reports a binding that no reading of the list can prove, and rejects with a
 * ServiceError if the service cannot be asked. `isLate`: the list shows every order by now.
 */
function createLookAgain({ repository, settings, now }: Context, { readSituation, tracker }: Parts) {
  const confirm = (id: string, orderId: string) =>
    repository.updateCheckout(id, (current) =>
      current.binding?.orderId === orderId
        ? { ...current, binding: { ...current.binding, isProvisional: false } }
        : current,
    )

  async function reportUnconfirmed(checkout: CheckoutRecord, orderId: string): Promise<CheckoutRecord> {
    if (checkout.unresolvedTold || !hasPassed(policy.search.reportedAfterMs, checkout.createdAtMs, now()))
      return checkout
    const { id: checkoutId, reference } = checkout
    const what = `Order ${orderId} seems to be that of checkout ${checkoutId}, but the list cannot be read whole, so another order may be. No payment is delivered until you settle it: npx paywindow bind ${checkoutId} ${orderId}; in code, paywindow.bind('${checkoutId}', '${orderId}').`
    settings.report(new PaywindowError('order_unresolved', what), { checkoutId, reference })
    // Stored after the report: a process that dies in between reports twice rather than never.
    return repository.updateCheckout(checkoutId, (current) =>
      current.binding?.isProvisional ? { ...current, unresolvedTold: true } : current,
    )
  }

  return async (checkout: CheckoutRecord, instructions: Instructions, orderId: string, isLate: boolean) => {
    const { timed, whole } = await readSituation(checkout, instructions, policy.search.listAgeMs)
    // Requests that were open then may have got orders of their own.
    if (weighTime(timed)?.orderId === orderId) return confirm(checkout.id, orderId)
    // A later recheck weighs the whole list.
    if (!isLate) return checkout
    const situation = await whole()
    // A list proves nothing if it is early or incomplete, or lacks this order, which it once
    // showed.
    const isWhole = situation.isListed && situation.listed.some(({ id }) => id === orderId)
    if (!isWhole && situation.window !== null) return reportUnconfirmed(checkout, orderId)
    const verdict = weigh(situation)
    if (verdict.kind === 'found' && verdict.orderId === orderId) return confirm(checkout.id, orderId)
    // Only if it is still provisional: another server may have confirmed it, and told its status.
    return tracker.unbind(checkout.id, orderId, whyNot(verdict), ({ isProvisional }) => isProvisional)
  }
}

function whyNot(verdict: Verdict): string {
  return verdict.kind === 'found'
    ? `order ${verdict.orderId} fits better`
    : `it is no longer the only one that fits (${verdict.mismatch ?? verdict.candidates.join(', ')})`
}

/** A rival that may have created an order at any time. */
const anyTime: TimeWindow = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }

/** Binds the found order, and records its status at once. */
function createFind(context: Context, { readSituation, tracker }: Parts, bindTo: BindTo) {
  const { repository, rules } = context
  const leaveOpen = createLeaveOpen(context)
  let isProvedByTime = false
  const isPaid = ({ status }: Order) => status !== null && rules.phaseOf[status] === 'paid'

  /**
   * Binds a group of equal checkouts to as many equal orders if all these orders are paid. All the
   * checkouts are paid then, and it makes no difference which order belongs to which checkout.
   * Resolves with whether it did.
   */
  async function bindAllPaid(
    situation: Situation,
    groupOf: () => Group,
    candidates: readonly string[],
  ): Promise<boolean> {
    const paid = new Map(situation.orders.filter(isPaid).map((order) => [order.id, order]))
    // Checked before the slow count of the group, which has all candidates.
    if (!candidates.every((id) => paid.has(id))) return false
    const group = groupOf()?.map(({ member, orderId }) => ({ member, order: paid.get(orderId) }))
    if (!group?.every(({ member, order }) => order !== undefined && member.binding === null)) return false
    for (const { member, order } of group) {
      if (!order) continue
      const bound = await bindTo(member, { orderId: order.id, evidence: 'all_paid', isCertain: true })
      if (bound.binding?.orderId === order.id) await tracker.record(member.id, order)
    }
    return true
  }

  async function bindFound(checkout: CheckoutRecord, found: Found, orders: readonly Order[]): Promise<CheckoutRecord> {
    const order = orders.find(({ id }) => id === found.orderId)
    const bound = await bindTo(checkout, { ...found, order })
    return order && bound.binding?.orderId === found.orderId ? tracker.recordIfNew(bound, order) : bound
  }

  /**
   * Searches once, in a list at most `maxAgeMs` old. Rejects with a ServiceError if the service
   * cannot be asked.
   */
  async function find(checkout: CheckoutRecord, instructions: Instructions, maxAgeMs: number): Promise<CheckoutRecord> {
    // The creation may have named an order that was not bound: the store failed, or the process
    // died.
    const named = await bindNamed(bindTo, checkout)
    if (named.binding) return named
    const { timed, whole } = await readSituation(checkout, instructions, maxAgeMs)
    const byTime = weighTime(timed)
    if (byTime) {
      isProvedByTime = weighTime({ ...timed, rivals: [anyTime] }) !== undefined
      return bindFound(checkout, byTime, timed.orders)
    }
    const situation = await whole()
    const verdict = weigh(situation)
    if (verdict.kind === 'found' || situation.isListed) isProvedByTime = false
    if (verdict.kind === 'found') return bindFound(checkout, verdict, situation.orders)
    const groupOf = createGroup(situation)
    if (!(await bindAllPaid(situation, groupOf, verdict.candidates))) return leaveOpen(situation, verdict, groupOf)
    return (await repository.readCheckout(checkout.id)) ?? checkout
  }

  return { find, provesByTime: () => isProvedByTime }
}

type Unknown = Extract<Verdict, { kind: 'unknown' }>

/**
 * Stores the candidates, which the merchant's pages show, and reports `order_unresolved` once no
 * later reading of the list can decide.
 */
function createLeaveOpen({ repository, settings, now }: Context) {
  return async (situation: Situation, { candidates, mismatch }: Unknown, groupOf: () => Group) => {
    const { checkout } = situation
    const isSame = (known: CheckoutRecord) => JSON.stringify(known.candidates) === JSON.stringify(candidates)
    const isLast = !checkout.unresolvedTold && isHopeless(situation, groupOf, now())
    // Without news, a write after each reading of the list would be in vain.
    if (isSame(checkout) && !isLast) return checkout
    const after = await repository.updateCheckout(checkout.id, (current) =>
      current.binding || isSame(current) ? current : { ...current, candidates },
    )
    if (after.binding || after.unresolvedTold || !isLast) return after
    const about = { checkoutId: checkout.id, reference: checkout.reference }
    settings.report(orderUnresolved(checkout.id, { kind: 'unknown', candidates, mismatch }), about)
    // Stored after the report: a process that dies in between reports twice rather than never.
    return repository.updateCheckout(checkout.id, (current) =>
      current.binding ? current : { ...current, unresolvedTold: true },
    )
  }
}

/** Whether no later reading of the list can decide which order is the checkout's. */
function isHopeless(situation: Situation, groupOf: () => Group, nowMs: number): boolean {
  const { checkout, others, isListed, isEarly } = situation
  if (!isListed || isEarly) return hasPassed(policy.search.reportedAfterMs, checkout.createdAtMs, nowMs)
  // While a checkout that the order may belong to can be paid, its payment may decide.
  const canBePaid = ({ instructions: quote }: CheckoutRecord) =>
    quote !== null && !hasPassed(quote.expiresAtMs - quote.sentAtMs, quote.sentAtMs, nowMs)
  if (![checkout, ...others.map((other) => other.checkout)].some(canBePaid)) return true
  return !groupOf()?.some(({ member }) => canBePaid(member))
}

function orderUnresolved(checkoutId: string, { candidates, mismatch }: Unknown): PaywindowError {
  const which =
    candidates.length > 0
      ? `It may be ${candidates.join(' or ')}: find out which at the service, then npx paywindow bind ${checkoutId} <orderId>; in code, paywindow.bind(checkoutId, orderId).`
      : 'No order of the list fits.'
  const why = mismatch === null ? '' : ` Nearest mismatch: ${mismatch}.`
  const what = `The service's order of checkout ${checkoutId} cannot be identified. ${which}${why}`
  return new PaywindowError('order_unresolved', what)
}

type PayableCheckout = Pick<Situation, 'checkout' | 'instructions'>

/**
 * Returns a function that binds a checkout to the order that the merchant names, and records its
 * status. It takes the order away from the checkout that had it, unless the merchant had bound that
 * checkout. It throws a PaywindowError:
 *
 * - `not_found`: there is no such checkout or order.
 * - `invalid_request`: the order contradicts the checkout and `confirmed` is false, or the merchant
 * has bound one of them already.
 * - `service_unavailable`: the order cannot be read.
 */
function createBindByHand(context: Context, { tracker, readSituation }: Parts, bindTo: BindTo) {
  const { repository, client, settings, account } = context

  async function readPayable(checkoutId: string): Promise<PayableCheckout> {
    const checkout = await repository.readCheckout(checkoutId)
    // Another account's order may have the same id.
    if (!checkout?.instructions || checkout.account !== account)
      throw new PaywindowError('not_found', `There is no payable checkout ${checkoutId} of this account`)
    return { checkout, instructions: checkout.instructions }
  }

  async function readOrder(orderId: string, to: PayableCheckout): Promise<Order> {
    try {
      return await client.orderDetails(orderId)
    } catch (cause) {
      // The list around the checkout's own attempt may show an order whose details cannot be read.
      const reading = readSituation(to.checkout, to.instructions, 0).then(({ whole }) => whole())
      const situation = await ifServiceAnswers(reading)
      const listed = situation?.listed.find(({ id }) => id.toLowerCase() === orderId.toLowerCase())
      if (listed) return listed
      const code = cause instanceof ServiceError && cause.code === 'not_found' ? 'not_found' : 'service_unavailable'
      throw new PaywindowError(code, `Order ${orderId} cannot be read from the service`, { cause })
    }
  }

  async function takeFrom(checkoutId: string, orderId: string, why: string): Promise<void> {
    await tracker.unbind(checkoutId, orderId, why, ({ evidence }) => evidence !== 'merchant')
  }

  return async (checkoutId: string, written: string, { confirmed = false }: { readonly confirmed?: boolean } = {}) => {
    const to = await readPayable(checkoutId)
    const { checkout } = to
    const order = await readOrder(written, to)
    // A person may write a UUID in capitals, and one order must not have two claims.
    const { id: orderId } = order
    const ownerId = await repository.ownerOf(orderId)
    const otherId = ownerId === checkoutId ? undefined : ownerId
    const other = otherId === undefined ? undefined : await repository.readCheckout(otherId)
    // A claim without a binding does not count, unless its checkout is gone.
    const isTaken = otherId !== undefined && (!other || other.binding?.orderId === orderId)
    const against = isOfOtherSubAccount(order, settings.service.subAccountId)
      ? `its sub-account is ${order.subAccountId}`
      : speaksAgainst(order, to, isTaken)
    if (against !== null && !confirmed)
      throw new PaywindowError(
        'invalid_request',
        `Order ${orderId} does not seem to be checkout ${checkoutId}'s: ${against}. If it is the right order anyway, confirm that: paywindow.bind('${checkoutId}', '${orderId}', { confirmed: true }), or npx paywindow bind --confirm`,
      )
    // Checked before anything is taken away: a refusal must change nothing.
    const boundByHand = `Order ${orderId} or checkout ${checkoutId} is already bound by hand`
    const alreadyBound = new PaywindowError('invalid_request', boundByHand)
    const named = namedByMerchant(checkout)
    if ((named !== undefined && named !== orderId) || namedByMerchant(other) === orderId) throw alreadyBound
    if (other && otherTime(order, other) === null)
      await takeFrom(other.id, orderId, `the merchant gave it to checkout ${checkoutId}`)
    else if (otherId !== undefined) await repository.disownOrder(orderId, otherId)
    if (checkout.binding && checkout.binding.orderId !== orderId)
      await takeFrom(checkoutId, checkout.binding.orderId, 'the merchant named another')
    const bound = await bindTo(checkout, { orderId, evidence: 'merchant', isCertain: true, order })
    if (bound.binding?.orderId !== orderId) throw alreadyBound
    return tracker.record(checkoutId, order)
  }
}

/**
 * Why an order cannot be the checkout's, in words; null if it can. If the checkout was bound to the
 * order before and no other checkout has it, another asset or network may be what the payer
 * deposited by mistake, and does not count.
 */
function speaksAgainst(order: Order, { checkout, instructions }: PayableCheckout, isTaken: boolean): string | null {
  const wasBound = checkout.binding?.orderId === order.id || checkout.excluded.includes(order.id)
  return wasBound && !isTaken
    ? otherTarget(order, checkout, instructions)
    : contradiction(order, checkout, instructions)
}

/** The id of the order to which the merchant has bound a checkout. */
function namedByMerchant(checkout: CheckoutRecord | undefined): string | undefined {
  return checkout?.binding?.evidence === 'merchant' ? checkout.binding.orderId : undefined
}
