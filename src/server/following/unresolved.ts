/** Stores what is known of a checkout whose order cannot be identified, and reports it in time. */
import { PaywindowError } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import { policy } from '../core/policy.ts'
import type { Situation, Verdict } from '../orders/evidence.ts'
import type { Group } from '../orders/evidence.ts'
import { answeredMs } from '../records/attempts.ts'
import type { CheckoutRecord, Instructions } from '../records/types.ts'
import { hasPassed } from '../time/passing.ts'

type Unknown = Extract<Verdict, { kind: 'unknown' }>

/** Stores the possible orders, and reports `order_unresolved` once no later look at the list can decide. */
export type LeaveOpen = (situation: Situation, verdict: Unknown, groupOf: () => Group) => Promise<CheckoutRecord>

/** Stores the candidates for the merchant's pages. */
export function createLeaveOpen({
  repository,
  settings,
  now,
}: Pick<Context, 'repository' | 'settings' | 'now'>): LeaveOpen {
  return async (situation, { candidates, mismatch }, groupOf) => {
    const { checkout } = situation
    const isNews = !same(candidates, checkout.candidates)
    const isLast = !checkout.unresolvedTold && isHopeless(situation, groupOf, now())
    // While nothing changes, each look at the list would cost a call.
    if (!isNews && !isLast) return checkout
    const after = await repository.updateCheckout(checkout.id, (current) =>
      current.binding || same(candidates, current.candidates) ? current : { ...current, candidates },
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

/** Whether no later look at the list can decide which order it is. */
function isHopeless(situation: Situation, groupOf: () => Group, nowMs: number): boolean {
  const { checkout, others, isListed, isEarly, isSender } = situation
  if (!isListed || isEarly) return hasPassed(policy.search.reportedAfterMs, checkout.createdAtMs, nowMs)
  const atMs = answeredMs(checkout) ?? checkout.createdAtMs
  if (!isSender && !hasPassed(policy.search.reportedByOthersAfterMs, atMs, nowMs)) return false
  // While all of them can still be paid, payments may decide.
  const canBePaid = ({ instructions }: CheckoutRecord) => instructions !== null && isRunning(instructions, nowMs)
  if (![checkout, ...others.map((other) => other.checkout)].some(canBePaid)) return true
  return !groupOf()?.some(({ member }) => canBePaid(member))
}

/** Whether the quote of a checkout may still run. */
function isRunning({ sentAtMs, expiresAtMs }: Instructions, nowMs: number): boolean {
  return !hasPassed(expiresAtMs - sentAtMs, sentAtMs, nowMs)
}

function orderUnresolved(checkoutId: string, { candidates, mismatch }: Unknown): PaywindowError {
  const which =
    candidates.length > 0
      ? `It may be ${candidates.join(' or ')}: settle it with paywindow.bind(checkoutId, orderId).`
      : 'No order of the list fits.'
  const why = mismatch === null ? '' : ` Nearest mismatch: ${mismatch}.`
  return new PaywindowError(
    'order_unresolved',
    `The service's order of checkout ${checkoutId} cannot be identified. ${which}${why}`,
  )
}

function same(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((value, at) => value === right[at])
}
