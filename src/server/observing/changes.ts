/** What a written record says that the one before it did not. Pure, so that each rule is a row of a table. */
import type { LifecycleRules } from '../records/transitions.ts'
import type { CheckoutRecord } from '../records/types.ts'
import type { Change } from './occurrence.ts'

/**
 * @param before - Undefined for a checkout that was just created.
 * @param nowMs - When it was written, ms since the epoch.
 */
export function changesOf(
  before: CheckoutRecord | undefined,
  after: CheckoutRecord,
  { nowMs, phaseOf }: { readonly nowMs: number } & Pick<LifecycleRules, 'phaseOf'>,
): readonly Change[] {
  const about = { checkoutId: after.id }
  if (!before) return [{ kind: 'checkout_created', ...about, asset: after.method.asset, network: after.method.network }]
  // Other servers' clocks take part.
  const since = (ms: number) => Math.max(0, nowMs - ms)
  const requestedMs = after.instructions?.sentAtMs ?? after.createdAtMs
  const found: Change[] = []
  if (!before.instructions && after.instructions) found.push({ kind: 'instructions_received', ...about })
  const was = before.binding
  const is = after.binding
  if (was && was.orderId !== is?.orderId) found.push({ kind: 'order_released', ...about, orderId: was.orderId })
  if (is && was?.orderId !== is.orderId) {
    const { orderId, evidence, isProvisional } = is
    found.push({ kind: 'order_bound', ...about, orderId, evidence, isProvisional, afterMs: since(requestedMs) })
  }
  if (before.status !== after.status)
    found.push({
      kind: 'status_changed',
      ...about,
      orderId: (is ?? was)?.orderId ?? null,
      status: after.status,
      previousStatus: before.status,
      phase: phaseOf[after.status],
      previousPhase: phaseOf[before.status],
      afterMs: since(requestedMs),
    })
  for (const { eventId, status, at } of deliveredOf(before, after))
    found.push({ kind: 'change_delivered', ...about, eventId, status, afterMs: since(Date.parse(at)) })
  return found
}

/** Events leave a record when they were delivered; or, with a new one, when there are too many and two become one. */
function deliveredOf(before: CheckoutRecord, after: CheckoutRecord): CheckoutRecord['events'] {
  if (before.events === after.events || before.eventCount !== after.eventCount) return []
  return before.events.filter(({ eventId }) => !after.events.some((kept) => kept.eventId === eventId))
}
