/** Checks a provisional binding again, and undoes it if it is wrong. */
import { PaywindowError } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import { type Verdict, weigh } from '../orders/evidence.ts'
import { listedWithinMs } from '../orders/other-requests.ts'
import type { ReadSituation } from '../orders/read-situation.ts'
import { answeredMs } from '../records/attempts.ts'
import type { Binding, CheckoutRecord, Instructions } from '../records/types.ts'
import { hasPassed } from '../time/passed.ts'
import type { Tracker } from './tracker.ts'
import { reportAfterMs } from './unresolved.ts'

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

/** Confirms the binding where the evidence still says the same, and reports one that no reading of the list lets it judge. */
export function createLookAgain(
  { repository, settings, now }: Pick<Context, 'repository' | 'settings' | 'now'>,
  { readSituation, tracker }: { readonly readSituation: ReadSituation; readonly tracker: Pick<Tracker, 'unbind'> },
): LookAgain {
  const confirm = (id: string, orderId: string) =>
    repository.updateCheckout(id, (current) =>
      current.binding?.orderId === orderId
        ? { ...current, binding: { ...current.binding, isProvisional: false } }
        : current,
    )

  async function leaveOpen(checkout: CheckoutRecord, orderId: string): Promise<CheckoutRecord> {
    if (checkout.unresolvedTold || !hasPassed(reportAfterMs, checkout.createdAtMs, now())) return checkout
    settings.report(unconfirmed(checkout.id, orderId), { checkoutId: checkout.id, reference: checkout.reference })
    // Stored after the report: a process that dies in between reports twice rather than never.
    return repository.updateCheckout(checkout.id, (current) =>
      current.binding?.isProvisional ? { ...current, unresolvedTold: true } : current,
    )
  }

  return async (checkout, instructions, orderId) => {
    const { whole } = await readSituation(checkout, instructions, listAgeMs)
    const situation = await whole()
    // A list that is too early or incomplete says nothing new, and this order was in the list.
    const isWhole = situation.isListed && situation.listed.some(({ id }) => id === orderId)
    if (!isWhole && situation.window !== null) return leaveOpen(checkout, orderId)
    const verdict = weigh(situation)
    if (verdict.kind === 'found' && verdict.orderId === orderId) return confirm(checkout.id, orderId)
    // Another server may have confirmed the binding meanwhile, and the merchant may know the status already.
    return tracker.unbind(checkout.id, orderId, whyNot(verdict), ({ isProvisional }) => isProvisional)
  }
}

function unconfirmed(checkoutId: string, orderId: string): PaywindowError {
  return new PaywindowError(
    'order_unresolved',
    `Order ${orderId} seems to be that of checkout ${checkoutId}, but the list cannot be read whole, so another may be, and no payment is told. If it is the one, settle it with paywindow.bind('${checkoutId}', '${orderId}').`,
  )
}

function whyNot(verdict: Verdict): string {
  return verdict.kind === 'found'
    ? `order ${verdict.orderId} fits better`
    : `it is no longer the only one that fits (${verdict.mismatch ?? verdict.candidates.join(', ')})`
}
