/** Reads the service's list and then the store, and compares the two. Only reads. */
import { isOfOtherSubAccount } from '../server/core/agreement.ts'
import type { CheckoutRecord } from '../server/core/types.ts'
import type { Listing } from '../server/orders/list-reader.ts'
import { createOrderList } from '../server/orders/order-list.ts'
import { createRepository, type Repository } from '../server/records/repository.ts'
import { createUnreadable, unlessUnreadable } from '../server/records/unreadable.ts'
import type { Store } from '../server/store/store.ts'
import { systemClock } from '../service/clock.ts'
import { ServiceError } from '../service/errors.ts'
import type { Order, ServiceClient } from '../service/types.ts'
import { compareListed, compareUnlisted, type Difference, type Owner, youngMs } from './differences.ts'

/** What was compared, and what was found. */
export interface Reconciliation {
  readonly orders: number
  readonly checkouts: number
  /** Whether the list was read to its end. If not, an order may be missing here. */
  readonly isComplete: boolean
  readonly found: readonly Difference[]
}

const batch = 500
/** Orders that are asked for one by one, at most. */
const maxDetails = 500

/** @param sinceMs - Orders and checkouts made since then are compared. Rejects with a ServiceError when the list cannot be read. */
export async function readDifferences(
  client: ServiceClient,
  store: Store,
  { subAccountId, sinceMs }: { readonly subAccountId: string; readonly sinceMs: number },
): Promise<Reconciliation> {
  const { now, sleep } = systemClock
  const listing = await createOrderList(client, { now, sleep, pagesPerSecond: 4 }).since(sinceMs)
  const asOfMs = listing.asOfMs ?? listing.beganAtMs
  const orders = listing.orders.filter((order) => !isOfOtherSubAccount(order, subAccountId))
  const found: Difference[] = []
  // The store is read after the list, so that it knows at least as much.
  const repository = createRepository(
    store,
    createUnreadable(({ message }) =>
      found.push({ kind: 'unknown', order: null, orderId: null, checkout: null, words: message }),
    ),
  )
  const checkouts = await readSince(repository, sinceMs)
  const owners = await readOwners(repository, orders, checkouts)
  for (const order of orders) found.push(...compareListed(order, owners(order), asOfMs))
  const shown = new Set(orders.map(({ id }) => id))
  found.push(...(await compareRest(client, checkouts, shown, { ...listing, asOfMs })))
  return { orders: orders.length, checkouts: checkouts.length, isComplete: listing.isComplete, found }
}

async function readSince(repository: Repository, sinceMs: number): Promise<CheckoutRecord[]> {
  const checkouts: CheckoutRecord[] = []
  for (let before: string | undefined; ; before = checkouts.at(-1)?.id) {
    const page = await repository.listCheckouts('all', { limit: batch, ...(before !== undefined && { before }) })
    const since = page.filter(({ createdAtMs }) => createdAtMs >= sinceMs)
    checkouts.push(...since)
    if (since.length < page.length || page.length < batch) return checkouts
  }
}

/** Whose each order is. */
async function readOwners(
  repository: Repository,
  orders: readonly Order[],
  checkouts: readonly CheckoutRecord[],
): Promise<(order: Order) => Owner> {
  const ownerIds = new Map<string, string>()
  const byId = new Map<string, CheckoutRecord | 'unreadable'>(checkouts.map((checkout) => [checkout.id, checkout]))
  for (let at = 0; at < orders.length; at += batch) {
    const ids = orders.slice(at, at + batch).map(({ id }) => id)
    for (const [orderId, id] of await repository.ownersOf(ids)) ownerIds.set(orderId, id)
  }
  for (const id of new Set(ownerIds.values())) {
    const checkout = byId.has(id) ? undefined : await unlessUnreadable(repository.readCheckout(id))
    if (checkout !== undefined) byId.set(id, checkout)
  }
  const mayBe = Map.groupBy(
    checkouts
      .filter(({ binding }) => binding === null)
      .flatMap((checkout) => checkout.candidates.map((id) => ({ id, checkout }))),
    ({ id }) => id,
  )
  return ({ id }) => {
    const ownerId = ownerIds.get(id)
    const checkout = ownerId === undefined ? undefined : byId.get(ownerId)
    return { id: ownerId, checkout, mayBe: (mayBe.get(id) ?? []).map((each) => each.checkout) }
  }
}

/** Compares the checkouts whose order the list does not show. The details decide: a list may leave out what exists. */
async function compareRest(
  client: Pick<ServiceClient, 'orderDetails'>,
  checkouts: readonly CheckoutRecord[],
  shown: ReadonlySet<string>,
  list: Pick<Listing, 'fromMs' | 'isComplete' | 'beganAtMs'> & { readonly asOfMs: number },
): Promise<Difference[]> {
  const found: Difference[] = []
  let asked = 0
  for (const checkout of checkouts) {
    const { binding, instructions } = checkout
    const orderId = binding?.orderId ?? null
    const unknown = (words: string) => found.push({ kind: 'unknown', order: null, orderId, checkout, words })
    if (!binding) {
      if (instructions) unknown('its order is not known, so it cannot be compared')
    } else if (!shown.has(binding.orderId)) {
      if (binding.boundAtMs > list.beganAtMs - youngMs)
        unknown('its order is too young to be compared: run this again in two minutes')
      else if (asked++ >= maxDetails)
        unknown('the list does not show its order, and too many orders would have to be asked for')
      else {
        const order = await readOrder(client, binding.orderId)
        if (order instanceof ServiceError)
          unknown(`the list does not show its order, which cannot be read: ${order.message}`)
        else found.push(...compareUnlisted(checkout, order, list))
      }
    }
  }
  return found
}

/** Null where the service does not know it; the error where that cannot be told. */
async function readOrder(
  { orderDetails }: Pick<ServiceClient, 'orderDetails'>,
  id: string,
): Promise<Order | null | ServiceError> {
  try {
    return await orderDetails(id)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return error.code === 'not_found' ? null : error
  }
}
