/** Follows every checkout on the server, whether or not a browser is there, and tells the merchant what changed. */
import { PaywindowError } from '../contract/errors.ts'
import { ServiceError } from '../service/errors.ts'
import type { Binder } from './binder.ts'
import type { Context } from './context.ts'
import { isForgettable, nextLook } from './lifecycle.ts'
import type { Notifier } from './notifier.ts'
import type { OrderFeed } from './order-feed.ts'
import { fewOrders, orderedSince } from './recent-orders.ts'
import type { CheckoutRecord } from './records.ts'
import type { Tracker } from './tracker.ts'

const tickMs = 1_000
const leaseMs = 60_000
/** Checkouts looked after in one round; the rest is due again in the next. */
const roundSize = 200
/** Orders that the list did not show are read one by one, this many a round. */
const maxDetails = 20

interface Watcher {
  /** Does what is due, once. */
  watchOnce(): Promise<void>
  /** Does what is due, every second, until stopped. */
  watch(): { stop(): Promise<void> }
}

export function createWatcher(
  context: Context,
  parts: { binder: Binder; tracker: Tracker; feed: OrderFeed; notifier: Notifier },
): Watcher {
  const { repository, settings, now, rules } = context
  const { binder, tracker, feed, notifier } = parts
  const holder = context.ids.secret()

  async function round(): Promise<void> {
    if (!(await repository.store.lease('watch', holder, leaseMs))) return
    const due = await repository.listDue('look', now(), roundSize)
    const old = due.filter((checkout) => isForgettable(checkout, now(), rules.phaseOf))
    for (const checkout of old) await repository.forget(checkout)
    const toLook = due.filter((checkout) => !old.includes(checkout))
    if (!tracker.isQuiet()) await lookAt(toLook)
    // What the service could not be asked about is not due again at once.
    for (const { id } of toLook) await repository.updateCheckout(id, postponed)
    for (const { id } of await repository.listDue('tell', now(), roundSize)) await notifier.deliver(id)
  }

  async function lookAt(checkouts: readonly CheckoutRecord[]): Promise<void> {
    const bound: CheckoutRecord[] = []
    for (const checkout of checkouts) {
      const latest = await reporting(() => (checkout.binding ? binder.recheck(checkout) : binder.tryBind(checkout)))
      if (latest?.binding && !tracker.isFollowed(latest)) bound.push(latest)
    }
    const listed = bound.length > fewOrders ? await reporting(() => lookInList(bound)) : new Set<string>()
    const missing = bound.filter(({ id }) => !listed?.has(id))
    for (const checkout of missing.slice(0, maxDetails)) await tracker.look(checkout)
  }

  /** Reads the orders from the list. Resolves with the ids of the checkouts whose order it showed. */
  async function lookInList(bound: readonly CheckoutRecord[]): Promise<ReadonlySet<string>> {
    const { orders: listed } = await feed.since(Math.min(...bound.map(orderedSince)))
    const orders = new Map(listed.map((order) => [order.id, order]))
    const shown = new Set<string>()
    for (const { id, binding } of bound) {
      const order = binding && orders.get(binding.orderId)
      if (!order) continue
      await tracker.record(id, order)
      shown.add(id)
    }
    return shown
  }

  async function reporting<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      settings.report(
        new PaywindowError('service_unavailable', `The order list could not be read: ${error.message}`, {
          cause: error,
        }),
        {},
      )
      return undefined
    }
  }

  function postponed(checkout: CheckoutRecord): CheckoutRecord {
    if (checkout.nextLookAtMs === null || checkout.nextLookAtMs > now()) return checkout
    return { ...checkout, nextLookAtMs: nextLook(checkout, now(), rules.phaseOf) }
  }

  return {
    watchOnce: round,
    watch: () => {
      const stopped = new AbortController()
      const done = (async () => {
        while (!stopped.signal.aborted) {
          await round().catch((cause: unknown) =>
            settings.report(
              new PaywindowError('internal', 'A round of the watcher failed; the next one goes on', { cause }),
              {},
            ),
          )
          await context.sleep(tickMs, stopped.signal).catch(() => undefined)
        }
        await repository.store.release('watch', holder)
      })()
      return {
        stop: async () => {
          stopped.abort()
          await done
        },
      }
    },
  }
}
