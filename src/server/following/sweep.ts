/**
 * Goes over the checkouts of the last days and makes due what no queue would bring: a clock that was a day ahead wrote times that
 * are a day away, and a store that was restored has whatever times it had then.
 */
import { ServiceError } from '../../service/errors.ts'
import type { Context } from '../context.ts'
import { archivingAtMs, nextLook } from '../core/looks.ts'
import { policy } from '../core/policy.ts'
import type { LifecycleRules } from '../core/transitions.ts'
import type { CheckoutRecord } from '../core/types.ts'

const pageSize = 20

/** Returns a function that sweeps if nobody did within the last hour. */
export function createSweep({
  repository,
  plannedNow,
  rules,
  ids,
  sleep,
}: Pick<Context, 'repository' | 'plannedNow' | 'rules' | 'ids' | 'sleep'>): () => Promise<void> {
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
      // A store in the process answers at once, and requests would wait for the whole sweep.
      await sleep(0)
    }
  }

  return async () => {
    // The lease is not released: it keeps an hour between two sweeps, whichever process does them.
    const holder = ids.secret()
    if (!(await repository.store.lease('sweep', holder, policy.sweep.workMs))) return
    await sweep()
    await repository.store.lease('sweep', holder, policy.sweep.everyMs)
  }
}

/** Sets times that a right clock would not have written to now. Returns its argument if there are none. */
export function mended(checkout: CheckoutRecord, nowMs: number, phaseOf: LifecycleRules['phaseOf']): CheckoutRecord {
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

// Archives checkouts that have waited for nothing since 30 days, a few at a time. They can still be read, listed and changed, but those in
// use no longer stand among them. Checkouts for which no order was ever created are deleted.

/** Written in one transaction, which takes some milliseconds. */
const groupSize = 10
/** So that a store that is new to this does not keep the process from other work. */
const mostGroups = 100

type Needs = Pick<Context, 'repository' | 'client' | 'rules' | 'time' | 'plannedNow'>

/** Returns a function that archives up to a thousand checkouts. Several processes may do so at the same time. */
export function createArchiving({ repository, client, rules, time, plannedNow }: Needs) {
  /** Judged again where it is deleted: another process may have changed it since it was listed. While a request is under way it is used. */
  const isUnused = (latest: CheckoutRecord) =>
    latest.instructions === null &&
    !latest.attempts.some(({ outcome }) => outcome === 'sent') &&
    (archivingAtMs(latest) ?? Number.POSITIVE_INFINITY) <= plannedNow()

  /** Without traffic nothing has said yet whether this server's clock is right. False where the service does not answer. */
  async function isClockChecked(): Promise<boolean> {
    if (time().serviceNowMs !== null) return true
    try {
      await client.listOrders({ page: 1, size: 1 })
      return true
    } catch (error) {
      if (error instanceof ServiceError) return false
      throw error
    }
  }

  async function archiveGroup(): Promise<boolean> {
    const due = await repository.listDue('archive', plannedNow(), groupSize)
    for (const checkout of due) {
      // Its queue is of a newer version, which has not put it here: this one takes it out again.
      if (archivingAtMs(checkout) === null) await repository.updateCheckout(checkout.id, (latest) => ({ ...latest }))
      else if (isUnused(checkout)) await repository.forget(checkout, isUnused)
      // A look was lost: it is made due in place of archiving.
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
