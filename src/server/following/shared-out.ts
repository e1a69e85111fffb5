/** What becomes of an order that was shared out among equal checkouts because all of their orders were paid: nobody knows whose it is. */
import { PaywindowError } from '../../contract/errors.ts'
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import { intentLabel } from '../records/labels.ts'
import { isSharedOut } from '../records/pending.ts'
import type { CheckoutRecord } from '../records/types.ts'

/** Orders that can be confused are created within this time. */
const nearMs = 24 * 3_600_000
const maxNamed = 20
const maxRead = 1_000

/** Names all checkouts whose order it may be, once. No status of theirs is changed: a person finds out whose deposit it was. */
export function createReportShared({
  repository,
  settings,
}: Pick<Context, 'repository' | 'settings'>): (checkout: CheckoutRecord, order: Order) => Promise<CheckoutRecord> {
  async function report({ id: checkoutId, reference, createdAtMs, ...rest }: CheckoutRecord, order: Order) {
    const equal = await repository.listCheckouts(intentLabel(rest), { limit: maxRead })
    const owners = equal.filter((each) => isSharedOut(each) && Math.abs(each.createdAtMs - createdAtMs) < nearMs)
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
