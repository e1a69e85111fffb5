/**
 * The sweep and archiving. The sweep reads the checkouts of the last days and corrects wrong due
 * times: a clock that was a day ahead has written times a day away, and a restored store has old
 * times.
 */
import { ifServiceAnswers } from '../../service/errors.ts'
import type { Context } from '../context.ts'
import { archivingAtMs, nextLook } from '../core/looks.ts'
import { policy } from '../core/policy.ts'
import type { CheckoutRecord, Meanings } from '../core/types.ts'

const pageSize = 20

type Needs = Pick<Context, 'repository' | 'plannedNow' | 'rules' | 'ids' | 'sleep'>

/** Returns a function that sweeps unless some process has done so within the last hour. */
export function createSweep({ repository, plannedNow, rules, ids, sleep }: Needs): () => Promise<void> {
  async function sweep(): Promise<void> {
    const sinceMs = plannedNow() - policy.sweep.backMs
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
      // An embedded store answers at once: without a pause, requests would wait for the whole
      // sweep.
      await sleep(0)
    }
  }

  return async () => {
    // The lease is not released: it keeps an hour between the sweeps of all processes.
    const holder = ids.secret()
    if (!(await repository.store.lease('sweep', holder, policy.sweep.workMs))) return
    await sweep()
    await repository.store.lease('sweep', holder, policy.sweep.everyMs)
  }
}

/**
 * Makes due now what only a wrong clock would have put off. Returns its argument if there is
 * nothing.
 */
export function mended(checkout: CheckoutRecord, nowMs: number, phaseOf: Meanings['phaseOf']): CheckoutRecord {
  const { binding, events, instructions, nextLookAtMs } = checkout
  const expectedMs = instructions === null ? null : nextLook(checkout, nowMs, phaseOf)
  const isLookLost = expectedMs !== null && (nextLookAtMs === null || nextLookAtMs > expectedMs + policy.sweep.slackMs)
  const isTooLate = (atMs: number | null) =>
    atMs !== null && atMs > nowMs + policy.tell.longestPauseMs + policy.sweep.slackMs
  const isDeliveryLost = events.some(({ nextTryAtMs }) => isTooLate(nextTryAtMs))
  const isBoundLater = binding?.isProvisional === true && binding.boundAtMs > nowMs + policy.sweep.slackMs
  if (!isLookLost && !isDeliveryLost && !isBoundLater) return checkout
  return {
    ...checkout,
    binding: isBoundLater ? { ...binding, boundAtMs: nowMs } : binding,
    events: events.map((event) => (isTooLate(event.nextTryAtMs) ? { ...event, nextTryAtMs: nowMs } : event)),
    nextLookAtMs: isLookLost || isBoundLater ? nowMs : nextLookAtMs,
  }
}

/** Checkouts that are archived in one transaction, which takes some milliseconds. */
const groupSize = 10
/** Groups of one call: a store with many checkouts to archive must not block other work. */
const mostGroups = 100

/**
 * Returns a function that archives up to a thousand checkouts that have waited for nothing for 30
 * days. An archived checkout can still be read, listed and changed. A checkout without an order is
 * deleted instead. Several processes may archive at the same time.
 */
export function createArchiving({ repository, client, rules, time, plannedNow }: Context) {
  /**
   * Whether a checkout can be deleted. Judged again at the deletion, because another process may
   * have changed it since it was listed.
   */
  const isUnused = (latest: CheckoutRecord) =>
    latest.instructions === null &&
    !latest.attempts.some(({ outcome }) => outcome === 'sent') &&
    (archivingAtMs(latest) ?? Number.POSITIVE_INFINITY) <= plannedNow()

  /**
   * Whether the service has shown its time, by which our clock is checked. Sends a request if there
   * was none.
   */
  const isClockChecked = async () =>
    time().serviceNowMs !== null || (await ifServiceAnswers(client.listOrders({ page: 1, size: 1 }))) !== undefined

  async function archiveGroup(): Promise<boolean> {
    const due = await repository.listDue('archive', plannedNow(), groupSize)
    for (const checkout of due) {
      if (isUnused(checkout)) await repository.forget(checkout, isUnused)
      // A checkout that lost its next look becomes due, and is not archived.
      else await repository.updateCheckout(checkout.id, (latest) => mended(latest, plannedNow(), rules.phaseOf))
    }
    await repository.archive(due.map(({ id }) => id))
    return due.length === groupSize
  }

  return async (): Promise<void> => {
    if ((await repository.listDue('archive', plannedNow(), 1)).length === 0 || !(await isClockChecked())) return
    for (let groups = 0; groups < mostGroups; groups++) if (!(await archiveGroup())) return
  }
}
