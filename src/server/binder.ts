/** Binds a checkout to the service's order, lets go of one that was wrong, and says so where it cannot be told. */
import { PaywindowError } from '../contract/errors.ts'
import { ServiceError } from '../service/errors.ts'
import type { Context } from './context.ts'
import {
  contradiction,
  fitsExactly,
  overlaps,
  type Situation,
  serviceTimeMs,
  type Verdict,
  weigh,
  within,
} from './evidence.ts'
import { nextLook, withBinding } from './lifecycle.ts'
import type { Binding, CheckoutRecord, Evidence, Instructions } from './records.ts'
import { hasOpenIntent, intentLabel } from './repository.ts'
import { createSingleFlight } from './single-flight.ts'
import type { Tracker } from './tracker.ts'

/** The merchant is told of an order that cannot be told after this long. */
const tellAfterMs = 60_000
/** A binding that rests on there being no other order is looked at once more after this long: lists can be behind. */
const recheckAfterMs = 60_000

export interface Binder {
  /** Looks for the order once. Resolves with the checkout as it is then; rejects with a ServiceError when it could not look. */
  tryBind(checkout: CheckoutRecord): Promise<CheckoutRecord>
  /** Looks once more at a binding that rests on there being no other order, when that is due; undoes it if there is one. */
  recheck(checkout: CheckoutRecord): Promise<CheckoutRecord>
  /** Binds by the merchant's word. */
  bindByHand(checkoutId: string, orderId: string): Promise<CheckoutRecord>
  bindTo(checkout: CheckoutRecord, orderId: string, evidence: Evidence): Promise<CheckoutRecord>
}

export function createBinder(
  context: Context,
  survey: (checkout: CheckoutRecord, instructions: Instructions) => Promise<Situation>,
  tracker: Tracker,
): Binder {
  const { repository, client, settings, now, rules } = context
  const flight = createSingleFlight<CheckoutRecord>()

  async function bindTo(checkout: CheckoutRecord, orderId: string, evidence: Evidence): Promise<CheckoutRecord> {
    const owner = await repository.claimOrder(orderId, checkout.id)
    if (owner !== checkout.id) return checkout
    const after = await repository.updateCheckout(checkout.id, (current) =>
      current.binding || current.excluded.includes(orderId)
        ? current
        : { ...withBinding(current, orderId, evidence, now()), nextLookAtMs: nextLook(current, now(), rules.phaseOf) },
    )
    if (after.binding?.orderId !== orderId && !after.excluded.includes(orderId))
      await repository.disownOrder(orderId, checkout.id)
    return after
  }

  async function search(before: CheckoutRecord, instructions: Instructions): Promise<CheckoutRecord> {
    const situation = await survey(before, instructions)
    const { checkout, orders } = situation
    const verdict = weigh(situation)
    if (verdict.kind === 'unknown') {
      if (!(await settleAllPaid(situation))) return leaveOpen(checkout, verdict)
      return (await repository.readCheckout(checkout.id)) ?? checkout
    }
    const { orderId, evidence } = verdict
    const bound = await bindTo(checkout, orderId, evidence)
    const order = orders.find(({ id }) => id === orderId)
    return order && bound.binding?.orderId === order.id ? tracker.record(bound.id, order) : bound
  }

  /**
   * When as many equal orders as equal checkouts are all paid, all of these checkouts are paid, and which order is whose makes no
   * difference to anybody. Binds all of them, in the order of their times; resolves with whether it did.
   */
  async function settleAllPaid({ checkout, orders, foreignInWindow, window }: Situation): Promise<boolean> {
    if (foreignInWindow || window === null) return false
    const group = (await repository.listCheckouts(intentLabel(checkout), { limit: 1000 }))
      .map((member) => ({ member, window: windowOf(member) }))
      .filter((each) => each.window === null || overlaps(each.window, window))
      .sort((a, b) => (a.window?.fromMs ?? 0) - (b.window?.fromMs ?? 0) || (a.member.id < b.member.id ? -1 : 1))
    const equal = orders
      .filter((order) => fitsExactly(order, checkout) && group.some((each) => within(order.createdAt, each.window)))
      .sort((a, b) => serviceTimeMs(a.createdAt) - serviceTimeMs(b.createdAt) || (a.id < b.id ? -1 : 1))
    const isCertain =
      equal.length === group.length &&
      group.every(
        ({ member, window: own }, at) =>
          isSettled(member) && fitsExactly(equal[at] ?? null, member) && within(equal[at]?.createdAt ?? null, own),
      ) &&
      equal.every(({ status }) => status !== null && rules.phaseOf[status] === 'paid')
    if (!isCertain) return false
    for (const [at, order] of equal.entries()) {
      const member = group[at]?.member
      if (!member) continue
      const bound = await bindTo(member, order.id, 'all_paid')
      if (bound.binding?.orderId === order.id) await tracker.record(member.id, order)
    }
    return true
  }

  async function leaveOpen(
    checkout: CheckoutRecord,
    { candidates, mismatch }: Extract<Verdict, { kind: 'unknown' }>,
  ): Promise<CheckoutRecord> {
    const isOld = now() - checkout.createdAtMs > tellAfterMs
    const after = await repository.updateCheckout(checkout.id, (current) => {
      if (current.binding) return current
      const told = current.unresolvedTold || isOld
      if (told === current.unresolvedTold && same(candidates, current.candidates)) return current
      return { ...current, candidates, unresolvedTold: told }
    })
    if (isOld && !checkout.unresolvedTold && !after.binding) {
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
        {
          checkoutId: checkout.id,
          reference: checkout.reference,
        },
      )
    }
    return after
  }

  /** The merchant's word counts for more than there having been no other order, or than an orphan. */
  async function takeFromWeaker(orderId: string, checkoutId: string): Promise<void> {
    const ownerId = await repository.ownerOf(orderId)
    const owner = ownerId === undefined || ownerId === checkoutId ? undefined : await repository.readCheckout(ownerId)
    if (!owner) return
    if (owner.binding?.orderId === orderId && isWeak(owner.binding))
      await tracker.unbind(owner.id, orderId, `the merchant gave it to checkout ${checkoutId}`)
    if (!owner.attempts.some(({ orphan }) => orphan === orderId)) return
    await repository.updateCheckout(owner.id, (current) => ({
      ...current,
      attempts: current.attempts.map((attempt) =>
        attempt.orphan === orderId ? { ...attempt, orphan: null } : attempt,
      ),
    }))
    await repository.disownOrder(orderId, owner.id)
  }

  async function lookAgain(
    checkout: CheckoutRecord,
    instructions: Instructions,
    orderId: string,
  ): Promise<CheckoutRecord> {
    const verdict = weigh(await survey(checkout, instructions))
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
    tryBind: (checkout) => {
      const { instructions } = checkout
      if (checkout.binding || !instructions || !hasOpenIntent(checkout)) return Promise.resolve(checkout)
      return flight(checkout.id, () => search(checkout, instructions))
    },
    recheck: (checkout) => {
      const { binding, instructions } = checkout
      if (!instructions || !binding?.isProvisional || now() < binding.boundAtMs + recheckAfterMs)
        return Promise.resolve(checkout)
      return flight(checkout.id, () => lookAgain(checkout, instructions, binding.orderId))
    },
    bindByHand: async (checkoutId, orderId) => {
      const checkout = await repository.readCheckout(checkoutId)
      if (!checkout?.instructions) throw new PaywindowError('not_found', `There is no payable checkout ${checkoutId}`)
      const order = await client.orderDetails(orderId).catch((cause: unknown) => {
        const code = cause instanceof ServiceError && cause.code === 'not_found' ? 'not_found' : 'service_unavailable'
        throw new PaywindowError(code, `Order ${orderId} cannot be read from the service`, { cause })
      })
      const against = contradiction(order, checkout, checkout.instructions)
      if (against)
        throw new PaywindowError('invalid_request', `Order ${orderId} cannot be checkout ${checkoutId}'s: ${against}`)
      await takeFromWeaker(orderId, checkoutId)
      if (isWeak(checkout.binding) && checkout.binding.orderId !== orderId) {
        await tracker.unbind(checkoutId, checkout.binding.orderId, 'the merchant named another')
      }
      const bound = await bindTo(checkout, orderId, 'merchant')
      if (bound.binding?.orderId !== orderId)
        throw new PaywindowError('invalid_request', `Order ${orderId} or checkout ${checkoutId} is bound already`)
      return tracker.record(checkoutId, order)
    },
    bindTo,
  }
}

function windowOf({ attempts, instructions }: CheckoutRecord) {
  return attempts.find(({ id }) => id === instructions?.attemptId)?.window ?? null
}

/** Whether every request of a checkout without a binding is accounted for. */
function isSettled({ binding, attempts }: CheckoutRecord): boolean {
  return binding === null && attempts.every(({ outcome, orphan }) => outcome === 'answered' || orphan !== null)
}

function isWeak(binding: Binding | null): binding is Binding {
  return binding?.evidence === 'only_candidate' || binding?.evidence === 'all_paid'
}

function same(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((value, at) => value === right[at])
}
