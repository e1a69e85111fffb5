/** `paywindow reconcile`: every difference between the service's list of orders and the store. Changes nothing. */
import { offeredPrice } from '../server/core/received.ts'
import { access, connect } from './connect.ts'
import type { Difference } from './differences.ts'
import type { StoreOptions } from './on-store.ts'
import { type Reconciliation, readDifferences } from './read-differences.ts'
import { withStore } from './shop.ts'
import { columns, csvText, jsonText, plainLine } from './text.ts'
import type { World } from './world.ts'

/** Options of `paywindow reconcile`, as the command line gives them. */
export interface ReconcileOptions extends StoreOptions {
  /** Milliseconds since the epoch. */
  readonly since: number
  readonly json?: boolean
  readonly csv?: boolean
}

/** Prints what differs, and what cannot be known. */
export async function reconcile({ since, json, csv, ...options }: ReconcileOptions, world: World): Promise<void> {
  const { subAccountId } = access(world)
  const result = await withStore(options, world, (store) =>
    readDifferences(connect(world), store, { subAccountId, sinceMs: since }),
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

/** One difference as texts; an empty cell is null. Amounts are the digits that were sent. */
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
    `${table}${orders} orders and ${checkouts} checkouts since ${new Date(since).toISOString()}: ` +
    `${differences.length} differences, ${unknown} that cannot be known.\n${cut}`
  )
}
