/** Says of each record what has changed, once it is written. The records are the one place that every change passes. */
import type { Context } from '../context.ts'
import type { Repository } from '../records/repository.ts'
import type { CheckoutRecord } from '../records/types.ts'
import { changesOf } from './changes.ts'
import type { Occurrence } from './occurrence.ts'

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
