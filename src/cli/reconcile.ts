/** `paywindow reconcile`: compares the service's list of orders with the store. Changes nothing. */
import { csvText } from '../serve/csv.ts'
import { isOfOtherSubAccount, offeredPrice } from '../server/core/agreement.ts'
import type { CheckoutRecord } from '../server/core/types.ts'
import { createOrderList } from '../server/orders/order-list.ts'
import type { Listing } from '../server/orders/shared-readings.ts'
import { createRepository, type Repository, unlessUnreadable } from '../server/records/repository.ts'
import type { Store } from '../server/store/store.ts'
import { systemClock } from '../service/clock.ts'
import { ServiceError } from '../service/errors.ts'
import type { Order, ServiceClient } from '../service/types.ts'
import { access, connect } from './connect.ts'
import { compareListed, compareUnlisted, type Difference, type Owner, youngMs } from './differences.ts'
import { type StoreOptions, storeOfVariables, withStore } from './store.ts'
import { columns, counted, jsonText, plainLine } from './text.ts'
import type { World } from './world.ts'

/** Records that are read at once. */
const batch = 500
/** Orders whose details are read, at most. */
const maxDetails = 500

/** Options of `paywindow reconcile`. */
export interface ReconcileOptions extends StoreOptions {
  /** Milliseconds since the epoch. */
  readonly since: number
  readonly json?: boolean
  readonly csv?: boolean
}

/** The result of a comparison. */
interface Reconciliation {
  readonly orders: number
  readonly checkouts: number
  /** Whether the list was read to its end. If not, orders may be missing. */
  readonly isComplete: boolean
  readonly found: readonly Difference[]
}

/** Prints the differences, and the orders and checkouts that could not be compared. */
export async function reconcile({ since, json, csv, ...options }: ReconcileOptions, world: World): Promise<void> {
  const { subAccountId } = access(world)
  const result = await withStore(options, world, (store) =>
    readDifferences(connect(world), storeOfVariables(store, world), { subAccountId, sinceMs: since }),
  )
  const { found, ...counts } = result
  const rows = found.map(rowOf)
  if (json) return world.stdout(jsonText({ since: new Date(since).toISOString(), ...counts, differences: rows }))
  if (csv && !result.isComplete) world.stderr(`paywindow: ${notComplete}\n`)
  if (csv) return world.stdout(csvText(rows, { columns: [...csvHeads], header: true }))
  world.stdout(describe(result, since))
}

const notComplete = 'The list could not be read to its end: an order may be missing here.'

const csvHeads = [
  'kind',
  'order_id',
  'order_status',
  'source_amount',
  'source_asset',
  'target_amount',
  'target_asset',
  'order_created_at',
  'checkout_id',
  'reference',
  'checkout_status',
  'pays',
  'pays_asset',
  'price',
  'price_asset',
  'words',
] as const

/** Amounts have the digits that the service sent. */
function rowOf({
  kind,
  order,
  orderId,
  checkout,
  words,
}: Difference): Record<(typeof csvHeads)[number], string | null> {
  const price = checkout && offeredPrice(checkout)
  return {
    kind,
    order_id: orderId,
    order_status: order?.status ?? order?.statusText ?? null,
    source_amount: order?.sourceAmount ?? null,
    source_asset: order?.sourceAsset ?? null,
    target_amount: order?.targetAmount ?? null,
    target_asset: order?.targetAsset ?? null,
    order_created_at: order?.createdAt ?? null,
    checkout_id: checkout?.id ?? null,
    reference: checkout?.reference ?? null,
    checkout_status: checkout?.status ?? null,
    pays: checkout?.instructions?.amount ?? null,
    pays_asset: checkout?.method.asset ?? null,
    price: price?.amount ?? null,
    price_asset: price?.asset ?? null,
    words,
  }
}

function describe({ orders, checkouts, isComplete, found }: Reconciliation, since: number): string {
  const differences = found.filter(({ kind }) => kind !== 'unknown')
  const rows = found.map(({ kind, orderId, checkout, words }) => [
    kind,
    plainLine(orderId ?? '-'),
    checkout?.id ?? '-',
    plainLine(checkout?.reference ?? '-', 40),
    plainLine(words, 500),
  ])
  const table = rows.length === 0 ? '' : columns([['KIND', 'ORDER', 'CHECKOUT', 'REFERENCE', 'WHAT'], ...rows])
  const cut = isComplete ? '' : `${notComplete}\n`
  const unknown = found.length - differences.length
  return (
    `${table}${counted(orders, 'order')} and ${counted(checkouts, 'checkout')} since ${new Date(since).toISOString()}: ` +
    `${counted(differences.length, 'difference')}, ${unknown} not compared.\n${cut}`
  )
}

/**
 * Reads the list, then the store, and compares them. Rejects with a ServiceError when the list
 * cannot be read.
 *
 * @param sinceMs - Orders and checkouts made since then are compared.
 */
async function readDifferences(
  client: ServiceClient,
  store: Store,
  { subAccountId, sinceMs }: { readonly subAccountId: string; readonly sinceMs: number },
): Promise<Reconciliation> {
  const { now, sleep } = systemClock
  const listing = await createOrderList(client, { now, sleep, pagesPerSecond: 4, subAccountId }).since(sinceMs)
  const asOfMs = listing.asOfMs ?? listing.beganAtMs
  const orders = listing.orders.filter((order) => !isOfOtherSubAccount(order, subAccountId))
  const found: Difference[] = []
  // Read after the list, so that the store knows every order of the list.
  const repository = createRepository(
    store,
    ({ message }) => void found.push({ kind: 'unknown', order: null, orderId: null, checkout: null, words: message }),
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
    // A page can be short in the middle: records that cannot be read are left out.
    if (since.length < page.length || page.length === 0) return checkouts
  }
}

/** Returns a function that finds the owner of an order. */
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

/** Compares checkouts whose order is not in the list, by the order's details. */
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

/** Null if the service does not know the order; the error if it cannot be read. */
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
