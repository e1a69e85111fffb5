/** Notes the changes of each record after its write. Every change passes the repository. */
import type { CheckoutRecord, Meanings } from '../core/types.ts'
import type { Repository } from '../records/repository.ts'
import type { Change, Occurrence } from './occurrence.ts'

type Update = (checkout: CheckoutRecord) => CheckoutRecord

/**
 * Notes each change at most once, in the process that wrote it; not at all if the store's reply was
 * lost.
 *
 * @param note - Has to return at once, and never throws.
 */
export function observedRepository(
  repository: Repository,
  { phaseOf }: Meanings,
  now: () => number,
  note: (occurrence: Occurrence) => void,
): Repository {
  function noteWritten(before: CheckoutRecord | undefined, after: CheckoutRecord): void {
    for (const change of changesOf(before, after, { nowMs: now(), phaseOf })) note(change)
  }

  async function noting<After extends CheckoutRecord | readonly CheckoutRecord[]>(
    change: Update,
    write: (change: Update) => Promise<After>,
  ): Promise<After> {
    /** The arguments of the last run of `change`: the replaced records. */
    const befores = new Map<string, CheckoutRecord>()
    const written = await write((checkout) => {
      befores.set(checkout.id, checkout)
      return change(checkout)
    })
    for (const after of [written].flat()) {
      const before = befores.get(after.id)
      if (before && before !== after) noteWritten(before, after)
    }
    return written
  }

  return {
    ...repository,
    createCheckout: async (checkout) => {
      const isNew = await repository.createCheckout(checkout)
      if (isNew) noteWritten(undefined, checkout)
      return isNew
    },
    updateCheckout: (id, change) => noting(change, (each) => repository.updateCheckout(id, each)),
    updateCheckouts: (ids, change) => noting(change, (each) => repository.updateCheckouts(ids, each)),
  }
}

/** @param before - Undefined for a new checkout. @param nowMs - When `after` was written. */
export function changesOf(
  before: CheckoutRecord | undefined,
  after: CheckoutRecord,
  { nowMs, phaseOf }: { readonly nowMs: number } & Meanings,
): readonly Change[] {
  const about = { checkoutId: after.id }
  if (!before) return [{ kind: 'checkout_created', ...about, asset: after.method.asset, network: after.method.network }]
  // The time may come from another server's clock.
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

/** Events leave when delivered, or when merged into a last event beyond the bound. */
function deliveredOf(before: CheckoutRecord, after: CheckoutRecord): CheckoutRecord['events'] {
  if (before.events === after.events || before.lastEvent?.eventId !== after.lastEvent?.eventId) return []
  return before.events.filter(({ eventId }) => !after.events.some((kept) => kept.eventId === eventId))
}
