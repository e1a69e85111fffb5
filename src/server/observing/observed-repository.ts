/** Says of each record what has changed, once it is written. The records are the one place that every change passes. */
import type { Context } from '../context.ts'
import type { LifecycleRules } from '../core/transitions.ts'
import type { CheckoutRecord } from '../core/types.ts'
import type { Repository } from '../records/repository.ts'
import type { Change, Occurrence } from './occurrence.ts'

/**
 * Each change is noted at most once: by the process that wrote it, and not if the store's reply to the write was lost.
 *
 * @param note - Has to return at once, and never throws.
 */
export function observedRepository(
  repository: Repository,
  { rules, now }: Pick<Context, 'rules' | 'now'>,
  note: (occurrence: Occurrence) => void,
): Repository {
  const { phaseOf } = rules

  function noteWritten(before: CheckoutRecord | undefined, after: CheckoutRecord): void {
    for (const change of changesOf(before, after, { nowMs: now(), phaseOf })) note(change)
  }

  /** Remembers what a change was made of the last time it ran, which is what was replaced. */
  function remembering(change: (checkout: CheckoutRecord) => CheckoutRecord) {
    const befores = new Map<string, CheckoutRecord>()
    return {
      change: (checkout: CheckoutRecord) => {
        befores.set(checkout.id, checkout)
        return change(checkout)
      },
      noteAll: (checkouts: readonly CheckoutRecord[]) => {
        for (const after of checkouts) {
          const before = befores.get(after.id)
          if (before && before !== after) noteWritten(before, after)
        }
      },
    }
  }

  return {
    ...repository,
    createCheckout: async (checkout) => {
      const isNew = await repository.createCheckout(checkout)
      if (isNew) noteWritten(undefined, checkout)
      return isNew
    },
    updateCheckout: async (id, change) => {
      const remembered = remembering(change)
      const after = await repository.updateCheckout(id, remembered.change)
      remembered.noteAll([after])
      return after
    },
    updateCheckouts: async (ids, change) => {
      const remembered = remembering(change)
      const after = await repository.updateCheckouts(ids, remembered.change)
      remembered.noteAll(after)
      return after
    },
  }
}

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
