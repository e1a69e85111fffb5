/**
 * Looks at orders that somebody says have changed. Whoever that is must not be able to use up the budget of requests: hints wait in
 * line, an order is read at most once a second, and hints that are too many are dropped, because the watcher finds the same.
 */
import { ServiceError } from '../../service/errors.ts'
import type { Context } from '../context.ts'
import { hasPassed } from '../time/passing.ts'
import type { Binder } from './binder.ts'
import type { Tracker } from './tracker.ts'

/** An order is looked at once in this time. */
const restMs = 1_000
/** The share of the budget that looks may use: with 20 requests a second, four looks. */
const budgetShare = 0.2
/** Orders that wait for a look. */
const maxWaiting = 100
/** The order of an unbound checkout is searched at most this often because of a hint. */
const searchEveryMs = 10_000
/** Unbound checkouts for which one search is made, and how old they may be: the list is read back to the oldest. */
const maxSearched = 20
const searchedForMs = 30 * 60_000

interface Parts {
  readonly tracker: Pick<Tracker, 'lookNow'>
  readonly binder: Pick<Binder, 'tryBind' | 'recheck'>
}

/** Returns a function that takes the id of an order and returns at once. */
export function createHints(
  {
    repository,
    settings,
    now,
    sleep,
    inBackground,
  }: Pick<Context, 'repository' | 'settings' | 'now' | 'sleep' | 'inBackground'>,
  { tracker, binder }: Parts,
): (orderId: string) => void {
  const maxWorkers = Math.max(1, Math.floor(settings.serviceRequestsPerSecond * budgetShare))
  /** Oldest first. */
  const waiting = new Set<string>()
  const resting = new Set<string>()
  let workers = 0
  let searchedAtMs = Number.NEGATIVE_INFINITY

  async function work(): Promise<void> {
    workers += 1
    try {
      for (let orderId = next(); orderId !== undefined; orderId = next()) {
        waiting.delete(orderId)
        resting.add(orderId)
        try {
          if (await look(orderId)) await sleep(restMs)
        } finally {
          resting.delete(orderId)
        }
      }
    } finally {
      workers -= 1
    }
  }

  function next(): string | undefined {
    for (const orderId of waiting) if (!resting.has(orderId)) return orderId
    return undefined
  }

  /** Resolves with whether the service was asked for this order. */
  async function look(orderId: string): Promise<boolean> {
    const ownerId = await repository.ownerOf(orderId)
    if (ownerId === undefined) {
      await search()
      return false
    }
    const [checkout] = await repository.readCheckouts([ownerId])
    if (checkout?.binding?.orderId !== orderId) return false
    await orAsBefore(binder.recheck(checkout).then(tracker.lookNow))
    return true
  }

  /** The order may be that of a checkout whose order is not known yet. */
  async function search(): Promise<void> {
    if (!hasPassed(searchEveryMs, searchedAtMs, now())) return
    searchedAtMs = now()
    const unbound = await repository.listCheckouts('unresolved', { limit: maxSearched })
    const fresh = unbound.filter(({ createdAtMs }) => !hasPassed(searchedForMs, createdAtMs, now()))
    await Promise.all(fresh.map((checkout) => orAsBefore(binder.tryBind(checkout))))
  }

  return (orderId) => {
    if (waiting.has(orderId) || waiting.size >= maxWaiting) return
    waiting.add(orderId)
    if (workers < maxWorkers) inBackground(work())
  }
}

/** If the service cannot be asked, the watcher tries again. The gate reports it when it lasts. */
async function orAsBefore(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
  }
}
