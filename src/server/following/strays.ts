/**
 * Looks for strays: orders of the account that no checkout has. Every order of the account should
 * belong to a cart. If one does not, the store has lost its last writes, or something else makes
 * orders. Nobody would notice a payment to such an order.
 */
import type { Phase } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import { unlessServiceFails } from '../../service/errors.ts'
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import { isOfOtherSubAccount, mayBeEqual } from '../core/agreement.ts'
import { createdAtMs, createdByMs, labelOf, wasCreatedIn } from '../core/facts.ts'
import { policy } from '../core/policy.ts'
import { isLocalTime } from '../core/service-times.ts'
import { openAttempts } from '../core/transitions.ts'
import type { CheckoutRecord } from '../core/types.ts'
import type { OrderList } from '../orders/order-list.ts'
import { widened } from '../orders/read-situation.ts'
import { mostRemembered, type Strays } from '../records/record-kinds.ts'
import { unlessUnreadable } from '../records/repository.ts'
import { createReportUnread } from './recording.ts'

const { recent, old, oldest } = policy.strays
/** Looks that go further back, with the names of their leases. */
const older = [
  { name: 'old strays', ...old },
  { name: 'oldest strays', ...oldest },
]
/**
 * The newest orders of a report are described in full, to help find their payers. The others are
 * only named.
 */
const mostDescribed = 5
const batch = 500
/** Checkouts without a known order that are read, the newest first. */
const maxOpen = 200

type Kind = 'paid' | 'unpaid'

/**
 * Returns a function that looks when a look of any process is due. Each order is reported once
 * while unpaid, and once when paid.
 */
export function createStrayCheck(context: Context, orderList: Pick<OrderList, 'since'>): () => Promise<void> {
  const { repository, settings, client, gate, rules, ids, now, serviceNow } = context
  const { store } = repository
  const reportUnread = createReportUnread(context)
  /** The last record, which tells an emptied store from a new one. */
  let last: Strays | undefined
  /** Since when looks have given way to other requests. */
  let givesWaySinceMs: number | undefined

  const phaseOf = ({ status }: Order) => status && rules.phaseOf[status]

  async function look(backMs: number): Promise<void> {
    const nowMs = serviceNow()
    const listing = await orderList.since(nowMs - backMs, policy.strays.workMs)
    const asOfMs = listing.asOfMs ?? nowMs
    const own = listing.orders.filter(
      (order) => !(createdByMs(order) < nowMs - backMs) && !isOfOtherSubAccount(order, settings.service.subAccountId),
    )
    // The store is read after the list, so that it knows at least as much.
    const strays = await withoutCheckout(context, own)
    const history = strays.filter((order) => phaseOf(order) === 'paid')
    const first = { sinceMs: Math.floor(asOfMs), unpaid: [], paid: oldestFirst(history) }
    const known = await repository.updateStrays((stored) => (stored.sinceMs === null ? (last ?? first) : stored))
    // A new store has no older orders, and its first orders must not wait for a long reading.
    if (!last && known.sinceMs === first.sinceMs)
      for (const { name, everyMs } of older) await store.lease(name, ids.secret(), everyMs)
    last = known
    const times = { sinceMs: known.sinceMs ?? asOfMs, asOfMs }
    for (const kind of ['paid', 'unpaid'] as const) {
      const all = strays.filter((order) => kindOf(order, phaseOf(order), times) === kind)
      const untold = all.slice(0, mostRemembered).filter(({ id }) => !known[kind].includes(id))
      await tell(kind, untold)
    }
  }

  async function tell(kind: Kind, orders: readonly Order[]): Promise<void> {
    const [lease, holder] = [`strays told ${kind}`, ids.secret()]
    if (orders.length === 0 || !(await store.lease(lease, holder, policy.strays.workMs))) return
    const strays = await withoutExplained(context, kind, orders)
    if (strays.length === 0) return store.release(lease, holder)
    const told = strays.slice(0, policy.strays.mostTold)
    const described = await Promise.all(told.slice(0, mostDescribed).map(withPlace))
    settings.report(errorOf(kind, [...described, ...told.slice(mostDescribed)], strays.length), {})
    // Stored after the report: a process that dies in between reports twice rather than never.
    last = await repository.updateStrays((stored) => ({ ...stored, [kind]: [...stored[kind], ...oldestFirst(told)] }))
    await store.lease(lease, holder, policy.strays.toldEveryMs)
  }

  /** Adds the address from the details if the list does not show it. */
  async function withPlace(order: Order): Promise<Order> {
    if (order.walletAddress !== null) return order
    const { walletAddress, tag, network } = await unlessServiceFails(client.orderDetails(order.id), () => order)
    return { ...order, walletAddress, tag, network }
  }

  /** Whether there is spare budget, or looks have given way for long enough. */
  async function mayAsk(): Promise<boolean> {
    const atMs = now()
    if (gate.heldMs('list') > 0) return false
    if (!(await gate.spare(() => now() > atMs))) {
      givesWaySinceMs ??= atMs
      if (atMs - givesWaySinceMs < policy.strays.givesWayMs) return false
    }
    givesWaySinceMs = undefined
    return true
  }

  return async () => {
    for (const { name, everyMs, backMs } of [{ name: 'strays', ...recent }, ...older]) {
      const holder = ids.secret()
      if (!(await mayAsk()) || !(await store.lease(name, holder, policy.strays.workMs))) continue
      // The lease is not released: it spaces the looks of all processes.
      const looked = look(backMs).then(() => store.lease(name, holder, everyMs))
      await unlessServiceFails(looked, (error) => reportUnread('The order list', error))
    }
  }
}

/**
 * The kind of report for an order that no checkout has; undefined if there is nothing to report, or
 * not yet. Times are the service's.
 */
function kindOf(
  order: Order,
  phase: Phase | null,
  { sinceMs, asOfMs }: { readonly sinceMs: number; readonly asOfMs: number },
): Kind | undefined {
  // The text may say no moment, as in a zone that is not known: told later rather than never. NaN
  // where it says nothing at all: then a payment is told, and nothing else.
  const madeMs = createdAtMs(order) || createdByMs(order)
  // Local times are ambiguous by an hour when clocks are set back in autumn.
  const earliestMs = madeMs - (isLocalTime(order.createdAt) ? 3_600_000 : 0)
  const isSince = earliestMs >= sinceMs
  // An order from before the store may belong to a store that is gone. The record knows which
  // orders of the last half hour before were paid.
  const isPaid = phase === 'paid' ? !(earliestMs < sinceMs - recent.backMs) : phase === 'seen' && isSince
  const kind = isPaid ? 'paid' : phase === 'waiting' && isSince ? 'unpaid' : undefined
  return kind && !(asOfMs - madeMs < policy.strays.youngMs[kind]) ? kind : undefined
}

/**
 * The orders that no checkout has claimed, and orders with a deposit whose checkout is gone or has
 * another order.
 */
async function withoutCheckout({ repository, rules, sleep }: Context, orders: readonly Order[]): Promise<Order[]> {
  const found: Order[] = []
  for (let at = 0; at < orders.length; at += batch) {
    // SQLite answers at once: without a pause all batches would be one turn of the event loop.
    await sleep(0)
    const some = orders.slice(at, at + batch)
    const ownerIds = await repository.ownersOf(some.map(({ id }) => id))
    const mayBePaid = ({ status }: Order) => status && ['seen', 'paid'].includes(rules.phaseOf[status])
    const isClaimed = (order: Order) => ownerIds.has(order.id) && !mayBePaid(order)
    const open = some.filter((order) => !isClaimed(order))
    const claimants = open.flatMap(({ id }) => ownerIds.get(id) ?? [])
    const owners = new Map((await repository.readCheckouts(claimants)).map((owner) => [owner.id, owner]))
    for (const order of open) {
      const ownerId = ownerIds.get(order.id)
      const owner = ownerId && (owners.get(ownerId) ?? (await unlessUnreadable(repository.readCheckout(ownerId))))
      const has = owner === 'unreadable' || (owner && (!owner.binding || owner.binding.orderId === order.id))
      if (!has) found.push(order)
    }
  }
  return found
}

/**
 * Leaves out orders that may belong to a checkout whose order is still searched, or to a creation
 * whose answer was lost: nobody saw its address.
 */
async function withoutExplained(
  { repository }: Context,
  kind: Kind,
  orders: readonly Order[],
): Promise<readonly Order[]> {
  const unresolved = await repository.listCheckouts('unresolved', { limit: maxOpen })
  const found: Order[] = []
  for (const order of orders) {
    const equal = await repository.listCheckouts(labelOf(order), { limit: maxOpen })
    if (![...unresolved, ...equal].some((checkout) => mayHave(checkout, order, kind))) found.push(order)
  }
  return found
}

/**
 * Whether an order may be the checkout's own, or the unpaid order of another of its attempts: of one
 * without an answer, or whose answer no payer was shown.
 */
function mayHave(checkout: CheckoutRecord, order: Order, kind: Kind): boolean {
  // The report that an order cannot be identified says nothing of its payment, which may come later.
  if (kind === 'paid' && checkout.unresolvedTold) return false
  if (checkout.candidates.includes(order.id)) return true
  const shownId = checkout.instructions?.attemptId
  const attempts = openAttempts(checkout).filter(({ id }) => kind === 'unpaid' || id === shownId)
  const isTimeless = Number.isNaN(createdByMs(order))
  return (
    mayBeEqual(order, checkout) &&
    attempts.some(({ window, sentAtMs }) => isTimeless || wasCreatedIn(order, widened(window, sentAtMs)))
  )
}

function oldestFirst(newestFirst: readonly Order[]): readonly string[] {
  return newestFirst.map(({ id }) => id).reverse()
}

/** @param told - The newest first. */
function errorOf(kind: Kind, told: readonly Order[], count: number): PaywindowError {
  const which = told.map((order, at) => (at < mostDescribed ? inWords(order) : order.id)).join('; ')
  const rest = count > told.length ? `; and ${count - told.length} more, which are reported later` : ''
  const why =
    'The store has lost its last writes (a failover, a restored backup, removed keys), or something else makes orders on this sub-account'
  return kind === 'paid'
    ? new PaywindowError(
        'paid_without_checkout',
        `Paid orders that no checkout of this store has: ${which}${rest}. ${why}, or order_unresolved named the order: then bind it to that checkout. Otherwise open the payment page of its cart, which makes a checkout, and bind that: npx paywindow bind <checkoutId> ${told[0]?.id} --confirm`,
      )
    : new PaywindowError(
        'order_without_checkout',
        `Orders that no checkout of this store has, and that nobody has paid: ${which}${rest}. ${why}. If one is paid, paid_without_checkout reports it`,
      )
}

function inWords(order: Order): string {
  const { id, status, sourceAmount, sourceAsset, network, targetAmount, targetAsset, walletAddress, tag } = order
  const words = [sourceAmount, sourceAsset, network && `(${network})`, 'for', targetAmount, targetAsset]
  const place = [walletAddress && `address ${walletAddress}`, tag && `tag ${tag}`]
  const made = `made at ${order.createdAt}`
  return [`${id} (${status}): ${words.filter(Boolean).join(' ')}`, made, ...place.filter(Boolean)].join(', ')
}
