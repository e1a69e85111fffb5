/** Binds a checkout to the service's order, lets go of one that was wrong, and says so where it cannot be told. */
import { PaywindowError } from '../../contract/errors.ts'
import { ServiceError } from '../../service/errors.ts'
import type { Context } from '../context.ts'
import { answeredMs } from '../orders/attempts.ts'
import { closedGroup } from '../orders/counting.ts'
import {
  contradiction,
  createdMsOf,
  isOfOtherSubAccount,
  requestsOf,
  type Situation,
  type Verdict,
  weigh,
} from '../orders/evidence.ts'
import { listedWithinMs, type Survey } from '../orders/findings.ts'
import { nextLook, withBinding } from '../records/transitions.ts'
import type { CheckoutRecord, Evidence, Instructions } from '../records/types.ts'
import { hasPassed } from '../time/passed.ts'
import { createSingleFlight } from '../time/single-flight.ts'
import type { Tracker } from './tracker.ts'

/** However many browsers poll a checkout whose order is not known, it is looked for this often at most. */
const searchEveryMs = 2_500
/** The list may be this old when nothing new is expected of it. */
const listAgeMs = 2_500
/** Without a list that is certain to show the order, the merchant is told after this long. */
const tellAfterMs = 10 * 60_000
/** Checkouts of whom it is remembered when their order was looked for. */
const maxRemembered = 10_000

export interface Binder {
  /** Looks for the order, unless that was done a moment ago. Rejects with a ServiceError when it could not look. */
  tryBind(checkout: CheckoutRecord): Promise<CheckoutRecord>
  /** Looks for the order in a list that is read now. */
  searchNow(checkout: CheckoutRecord): Promise<CheckoutRecord>
  /** Looks once more at a binding that could still turn out wrong, when that is due; undoes it if it did. */
  recheck(checkout: CheckoutRecord): Promise<CheckoutRecord>
  /** Binds by the merchant's word. */
  bindByHand(checkoutId: string, orderId: string): Promise<CheckoutRecord>
  /** `isCertain`: nothing that is not known yet could speak against it. */
  bindTo(checkout: CheckoutRecord, orderId: string, evidence: Evidence, isCertain: boolean): Promise<CheckoutRecord>
}

export function createBinder(context: Context, survey: Survey, tracker: Tracker): Binder {
  const { repository, client, settings, now, rules } = context
  const flight = createSingleFlight<CheckoutRecord>()
  const searchedAt = new Map<string, number>()

  const bindTo: Binder['bindTo'] = async (checkout, orderId, evidence, isCertain) => {
    const owner = await repository.claimOrder(orderId, checkout.id)
    if (owner !== checkout.id) return checkout
    const isMerchants = evidence === 'merchant'
    const after = await repository.updateCheckout(checkout.id, (current) => {
      if (isMerchants && current.binding?.orderId === orderId)
        return { ...current, binding: { ...current.binding, evidence, isProvisional: false } }
      if (current.binding || (!isMerchants && current.excluded.includes(orderId))) return current
      const bound = withBinding(current, orderId, evidence, isCertain, now())
      return { ...bound, nextLookAtMs: nextLook(current, now(), rules.phaseOf) }
    })
    if (after.binding?.orderId !== orderId) await repository.disownOrder(orderId, checkout.id)
    return after
  }

  function search(checkout: CheckoutRecord, maxAgeMs: number): Promise<CheckoutRecord> {
    const { instructions } = checkout
    if (checkout.binding || !instructions) return Promise.resolve(checkout)
    searchedAt.delete(checkout.id)
    searchedAt.set(checkout.id, now())
    if (searchedAt.size > maxRemembered) searchedAt.delete(searchedAt.keys().next().value ?? '')
    return flight(checkout.id, () => find(checkout, instructions, maxAgeMs))
  }

  async function find(before: CheckoutRecord, instructions: Instructions, maxAgeMs: number): Promise<CheckoutRecord> {
    const situation = await survey(before, instructions, maxAgeMs)
    const { checkout, orders } = situation
    const verdict = weigh(situation)
    if (verdict.kind === 'unknown') {
      if (!(await settleAllPaid(situation))) return leaveOpen(situation, verdict)
      return (await repository.readCheckout(checkout.id)) ?? checkout
    }
    const { orderId, evidence, isCertain } = verdict
    const bound = await bindTo(checkout, orderId, evidence, isCertain)
    const order = orders.find(({ id }) => id === orderId)
    return order && bound.binding?.orderId === order.id ? tracker.record(bound.id, order) : bound
  }

  /** The checkouts that certainly have as many orders between them as they are, each with one of these orders. */
  function groupOf(situation: Situation): readonly { member: CheckoutRecord; orderId: string }[] | undefined {
    if (!situation.isListed) return undefined
    const others = situation.others.map(({ checkout }) => checkout)
    const group = closedGroup(requestsOf(situation), 0, createdMsOf(situation))
    return group && [...group].map(([at, orderId]) => ({ member: others[at - 1] ?? situation.checkout, orderId }))
  }

  /**
   * When as many equal orders as equal checkouts are all paid, all of these checkouts are paid, and which order is whose makes no
   * difference to anybody. Binds all of them; resolves with whether it did.
   */
  async function settleAllPaid(situation: Situation): Promise<boolean> {
    const group = groupOf(situation)?.map(({ member, orderId }) => ({
      member,
      order: situation.orders.find(({ id }) => id === orderId),
    }))
    const isPaid = group?.every(({ order }) => order?.status && rules.phaseOf[order.status] === 'paid')
    if (!group || !isPaid || group.some(({ member }) => member.binding !== null)) return false
    for (const { member, order } of group) {
      if (!order) continue
      const bound = await bindTo(member, order.id, 'all_paid', true)
      if (bound.binding?.orderId === order.id) await tracker.record(member.id, order)
    }
    return true
  }

  /** Whether no look at the list to come can tell which order it is. */
  function isHopeless(situation: Situation): boolean {
    if (!situation.isListed || situation.isEarly) return hasPassed(tellAfterMs, situation.checkout.createdAtMs, now())
    // While all of them can still be paid, that may settle it.
    return !groupOf(situation)?.some(({ member: { instructions } }) => instructions && isRunning(instructions, now()))
  }

  async function leaveOpen(
    situation: Situation,
    { candidates, mismatch }: Extract<Verdict, { kind: 'unknown' }>,
  ): Promise<CheckoutRecord> {
    const { checkout } = situation
    const after = await repository.updateCheckout(checkout.id, (current) =>
      current.binding || same(candidates, current.candidates) ? current : { ...current, candidates },
    )
    if (after.binding || after.unresolvedTold || !isHopeless(situation)) return after
    const which =
      candidates.length > 0
        ? `It may be ${candidates.join(' or ')}: settle it with paywindow.bind(checkoutId, orderId).`
        : 'No order of the list fits.'
    const why = mismatch === null ? '' : ` Nearest mismatch: ${mismatch}.`
    settings.report(
      new PaywindowError(
        'order_unresolved',
        `The service's order of checkout ${checkout.id} cannot be told. ${which}${why}`,
      ),
      { checkoutId: checkout.id, reference: checkout.reference },
    )
    // Now that it was told: a process that dies before this tells it twice, and not never.
    return repository.updateCheckout(checkout.id, (current) =>
      current.binding ? current : { ...current, unresolvedTold: true },
    )
  }

  /** The merchant's word counts for more than any evidence, but not for more than an earlier word. */
  async function takeFrom(checkoutId: string, orderId: string, why: string): Promise<void> {
    await tracker.unbind(checkoutId, orderId, why, ({ evidence }) => evidence !== 'merchant')
  }

  async function lookAgain(
    checkout: CheckoutRecord,
    instructions: Instructions,
    orderId: string,
  ): Promise<CheckoutRecord> {
    const situation = await survey(checkout, instructions, listAgeMs)
    // A list that is too early, or not whole, says nothing new.
    if (!situation.isListed && situation.window !== null) return checkout
    const verdict = weigh(situation)
    if (verdict.kind === 'found' && verdict.orderId === orderId) {
      return repository.updateCheckout(checkout.id, (current) =>
        current.binding?.orderId === orderId
          ? { ...current, binding: { ...current.binding, isProvisional: false } }
          : current,
      )
    }
    const why =
      verdict.kind === 'found'
        ? `order ${verdict.orderId} fits better`
        : `it is no longer the only one that fits (${verdict.mismatch ?? verdict.candidates.join(', ')})`
    // Another server may have looked again meanwhile and found it good: its status has been told by now.
    return tracker.unbind(checkout.id, orderId, why, ({ isProvisional }) => isProvisional)
  }

  return {
    tryBind: (checkout) =>
      now() - (searchedAt.get(checkout.id) ?? Number.NEGATIVE_INFINITY) < searchEveryMs
        ? Promise.resolve(checkout)
        : search(checkout, listAgeMs),
    searchNow: (checkout) => search(checkout, 0),
    recheck: (checkout) => {
      const { binding, instructions } = checkout
      // The first look at the details of an order that the creation named says whether it is the one.
      if (!instructions || !binding?.isProvisional || binding.evidence === 'response_id')
        return Promise.resolve(checkout)
      const sinceMs = answeredMs(checkout) ?? binding.boundAtMs
      if (!hasPassed(listedWithinMs, sinceMs, now())) return Promise.resolve(checkout)
      return flight(checkout.id, () => lookAgain(checkout, instructions, binding.orderId))
    },
    bindByHand: async (checkoutId, orderId) => {
      const checkout = await repository.readCheckout(checkoutId)
      if (!checkout?.instructions) throw new PaywindowError('not_found', `There is no payable checkout ${checkoutId}`)
      const order = await client.orderDetails(orderId).catch((cause: unknown) => {
        const code = cause instanceof ServiceError && cause.code === 'not_found' ? 'not_found' : 'service_unavailable'
        throw new PaywindowError(code, `Order ${orderId} cannot be read from the service`, { cause })
      })
      const against = isOfOtherSubAccount(order, settings.service.subAccountId)
        ? `its sub-account is ${order.subAccountId}`
        : contradiction(order, checkout, checkout.instructions)
      if (against)
        throw new PaywindowError('invalid_request', `Order ${orderId} cannot be checkout ${checkoutId}'s: ${against}`)
      const ownerId = await repository.ownerOf(orderId)
      if (ownerId !== undefined && ownerId !== checkoutId)
        await takeFrom(ownerId, orderId, `the merchant gave it to checkout ${checkoutId}`)
      if (checkout.binding && checkout.binding.orderId !== orderId)
        await takeFrom(checkoutId, checkout.binding.orderId, 'the merchant named another')
      const bound = await bindTo(checkout, orderId, 'merchant', true)
      if (bound.binding?.orderId !== orderId)
        throw new PaywindowError(
          'invalid_request',
          `Order ${orderId} or checkout ${checkoutId} was bound by your own word already`,
        )
      return tracker.record(checkoutId, order)
    },
    bindTo,
  }
}

/** Whether the quote of a checkout may still run. */
function isRunning({ sentAtMs, expiresAtMs }: Instructions, nowMs: number): boolean {
  return !hasPassed(expiresAtMs - sentAtMs, sentAtMs, nowMs)
}

function same(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((value, at) => value === right[at])
}
