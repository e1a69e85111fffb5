/** Takes an order, as the list or the details show it, into the record of its checkout. */
import { PaywindowError } from '../../contract/errors.ts'
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import { contradiction, otherAmounts } from '../orders/evidence.ts'
import {
  excluding,
  isStale,
  type LifecycleRules,
  nextLook,
  withoutBinding,
  withStatus,
} from '../records/transitions.ts'
import type { Binding, CheckoutRecord, Instructions } from '../records/types.ts'
import type { Release } from './release.ts'

/** Unknown words of the service that are reported, each once. */
const maxWords = 100

/** Resolves with the checkout as it is afterwards; an order that is not its own is let go. */
export type RecordOrder = (checkoutId: string, order: Order) => Promise<CheckoutRecord>

/** Reports a status that is no known one, once a word. `onChange` is called for each change, once it is stored. */
export function createRecordOrder(
  { repository, settings, rules, now }: Pick<Context, 'repository' | 'settings' | 'rules' | 'now'>,
  { disown }: Pick<Release, 'disown'>,
  onChange: (checkout: CheckoutRecord) => void,
): RecordOrder {
  const reportedWords = new Set<string>()

  function reportWord({ id, statusText }: Order, { id: checkoutId, reference }: CheckoutRecord): void {
    const word = statusText ?? ''
    if (reportedWords.has(word) || reportedWords.size >= maxWords) return
    reportedWords.add(word)
    const what = `The service calls order ${id} ${JSON.stringify(statusText)}, which is no status we know: nothing was changed`
    settings.report(new PaywindowError('status_unknown', what), { checkoutId, reference })
  }

  return async (checkoutId, order) => {
    let against: string | null = null
    let before: CheckoutRecord | undefined
    const after = await repository.updateCheckout(checkoutId, (checkout) => {
      before = checkout
      const taken = withOrder(checkout, order, now(), rules)
      against = taken.against
      return taken.checkout
    })
    if (against !== null) await disown(after, order.id, against)
    if (order.status === null) reportWord(order, after)
    if (before?.status !== after.status) onChange(after)
    return after
  }
}

/** The checkout with what an order says of it; `against`: why the order is not its own, in words. */
function withOrder(
  checkout: CheckoutRecord,
  order: Order,
  nowMs: number,
  rules: LifecycleRules,
): { readonly checkout: CheckoutRecord; readonly against: string | null } {
  const { binding, instructions } = checkout
  if (binding?.orderId !== order.id || !instructions) return { checkout, against: null }
  const against = speaksAgainst(order, checkout, binding, instructions)
  if (against !== null)
    return { checkout: excluding(withoutBinding(checkout, order.id, nowMs, rules), order.id), against }
  const known = isUnread(binding) ? { ...checkout, binding: { ...binding, isProvisional: false } } : checkout
  // What may turn out wrong is looked at once more before anybody hears of money.
  if (order.status === null || known.binding?.isProvisional) return { checkout: known, against }
  const changed = withNews(known, order.status, order, nowMs, rules)
  // A due time that is still ahead is left alone: writing it again at every look would be a write for nothing.
  const isDue = changed.nextLookAtMs === null || changed.nextLookAtMs <= nowMs
  if (changed === checkout && !isDue) return { checkout, against }
  return { checkout: { ...changed, nextLookAtMs: nextLook(changed, nowMs, rules.phaseOf) }, against }
}

/** Returns its argument when the status is known already, or older than the one that is. */
function withNews(
  checkout: CheckoutRecord,
  status: NonNullable<Order['status']>,
  { timing }: Order,
  nowMs: number,
  rules: LifecycleRules,
): CheckoutRecord {
  const asOfMs = timing.serviceDateMs ?? timing.sentAtMs
  const isNews = status !== checkout.status && !isStale(checkout, status, asOfMs)
  return isNews ? { ...withStatus(checkout, status, nowMs, rules), statusAsOfMs: asOfMs } : checkout
}

/** Whether a binding rests on the id in the answer to the creation, and nobody has seen that order yet. */
export function isUnread({ evidence, isProvisional }: Binding): boolean {
  return evidence === 'response_id' && isProvisional
}

/** What speaks against a binding, in words; nothing does against the merchant's own. */
function speaksAgainst(
  order: Order,
  checkout: CheckoutRecord,
  binding: Binding,
  instructions: Instructions,
): string | null {
  if (binding.evidence === 'merchant') return null
  return (
    contradiction(order, checkout, instructions) ??
    (isUnread(binding) ? otherAmounts(order, checkout, instructions) : null)
  )
}
