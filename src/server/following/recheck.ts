/** Checks a provisional binding again, and undoes it if it is wrong. */
import type { Context } from '../context.ts'
import { type Verdict, weigh } from '../orders/evidence.ts'
import { listedWithinMs } from '../orders/other-requests.ts'
import type { ReadSituation } from '../orders/read-situation.ts'
import { answeredMs } from '../records/attempts.ts'
import type { Binding, CheckoutRecord, Instructions } from '../records/types.ts'
import { hasPassed } from '../time/passed.ts'
import type { Tracker } from './tracker.ts'

/** The list may be this old when nothing new is expected of it. */
export const listAgeMs = 2_500

/** Whether a binding is to be looked at again, and can be now. */
export function isRecheckDue(checkout: CheckoutRecord, binding: Binding, nowMs: number): boolean {
  // If the creation named the order, the first look at its details decides.
  if (!binding.isProvisional || binding.evidence === 'response_id') return false
  return hasPassed(listedWithinMs, answeredMs(checkout) ?? binding.boundAtMs, nowMs)
}

/** Rejects with a ServiceError if the service cannot be asked. */
type LookAgain = (checkout: CheckoutRecord, instructions: Instructions, orderId: string) => Promise<CheckoutRecord>

/** Confirms the binding where the evidence still says the same. */
export function createLookAgain(
  { repository }: Pick<Context, 'repository'>,
  { readSituation, tracker }: { readonly readSituation: ReadSituation; readonly tracker: Pick<Tracker, 'unbind'> },
): LookAgain {
  const confirm = (id: string, orderId: string) =>
    repository.updateCheckout(id, (current) =>
      current.binding?.orderId === orderId
        ? { ...current, binding: { ...current.binding, isProvisional: false } }
        : current,
    )

  return async (checkout, instructions, orderId) => {
    const { whole } = await readSituation(checkout, instructions, listAgeMs)
    const situation = await whole()
    // A list that is too early or incomplete says nothing new.
    if (!situation.isListed && situation.window !== null) return checkout
    const verdict = weigh(situation)
    if (verdict.kind === 'found' && verdict.orderId === orderId) return confirm(checkout.id, orderId)
    // Another server may have confirmed the binding meanwhile, and the merchant may know the status already.
    return tracker.unbind(checkout.id, orderId, whyNot(verdict), ({ isProvisional }) => isProvisional)
  }
}

function whyNot(verdict: Verdict): string {
  return verdict.kind === 'found'
    ? `order ${verdict.orderId} fits better`
    : `it is no longer the only one that fits (${verdict.mismatch ?? verdict.candidates.join(', ')})`
}
