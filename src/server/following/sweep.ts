/**
 * Goes over the checkouts of the last days and makes due what no queue would bring: a clock that was a day ahead wrote times that
 * are a day away, and a store that was restored has whatever times it had then.
 */
import type { Context } from '../context.ts'
import { longestPauseMs } from '../notifying/notifier.ts'
import { nextLook } from '../records/looks.ts'
import type { LifecycleRules } from '../records/transitions.ts'
import type { CheckoutRecord } from '../records/types.ts'

const everyMs = 3_600_000
/** An interrupted sweep starts again after this time. */
const workMs = 5 * 60_000
const backMs = 7 * 24 * 3_600_000
const pageSize = 20
/** Clocks of one shop differ by less than this. Times further ahead than a right clock could write are wrong. */
const slackMs = 5 * 60_000

/** Returns a function that sweeps if nobody did within the last hour. */
export function createSweep({
  repository,
  plannedNow,
  rules,
  ids,
  sleep,
}: Pick<Context, 'repository' | 'plannedNow' | 'rules' | 'ids' | 'sleep'>): () => Promise<void> {
  async function sweep(): Promise<void> {
    const sinceMs = plannedNow() - backMs
    let before: string | undefined
    for (;;) {
      const page = await repository.listCheckouts('all', { limit: pageSize, ...(before !== undefined && { before }) })
      for (const checkout of page) {
        if (mended(checkout, plannedNow(), rules.phaseOf) === checkout) continue
        await repository.updateCheckout(checkout.id, (latest) => mended(latest, plannedNow(), rules.phaseOf))
      }
      const last = page.at(-1)
      if (!last || page.length < pageSize || last.createdAtMs < sinceMs) return
      before = last.id
      // A store in the process answers at once, and requests would wait for the whole sweep.
      await sleep(0)
    }
  }

  return async () => {
    // The lease is not released: it keeps an hour between two sweeps, whichever process does them.
    const holder = ids.secret()
    if (!(await repository.store.lease('sweep', holder, workMs))) return
    await sweep()
    await repository.store.lease('sweep', holder, everyMs)
  }
}

/** Sets times that a right clock would not have written to now. Returns its argument if there are none. */
export function mended(checkout: CheckoutRecord, nowMs: number, phaseOf: LifecycleRules['phaseOf']): CheckoutRecord {
  const { binding, events, instructions, nextLookAtMs } = checkout
  const expectedMs = instructions === null ? null : nextLook(checkout, nowMs, phaseOf)
  const isLookLost = expectedMs !== null && (nextLookAtMs === null || nextLookAtMs > expectedMs + slackMs)
  const isTooLate = (atMs: number | null) => atMs !== null && atMs > nowMs + longestPauseMs + slackMs
  const isDeliveryLost = events.some(({ nextTryAtMs }) => isTooLate(nextTryAtMs))
  const isBoundLater = binding?.isProvisional === true && binding.boundAtMs > nowMs + slackMs
  if (!isLookLost && !isDeliveryLost && !isBoundLater) return checkout
  return {
    ...checkout,
    binding: isBoundLater ? { ...binding, boundAtMs: nowMs } : binding,
    events: events.map((event) => (isTooLate(event.nextTryAtMs) ? { ...event, nextTryAtMs: nowMs } : event)),
    nextLookAtMs: isLookLost || isBoundLater ? nowMs : nextLookAtMs,
  }
}
