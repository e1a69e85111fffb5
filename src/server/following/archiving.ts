/**
 * Archives checkouts that have waited for nothing since 30 days, a few at a time. They can still be read, listed and changed, but
 * those in use no longer stand among them. Checkouts for which no order was ever created are deleted.
 */
import { ServiceError } from '../../service/errors.ts'
import type { Context } from '../context.ts'
import { archivingAtMs } from '../records/looks.ts'
import type { CheckoutRecord } from '../records/types.ts'
import { mended } from './sweep.ts'

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
