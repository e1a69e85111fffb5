/** `paywindow orders` and `paywindow order <id>`: orders of the service. */
import type { OrderStatus } from '../contract/checkout.ts'
import type { Order, OrderQuery } from '../service/types.ts'
import { connect } from './connect.ts'
import { columns, fieldLines, jsonText, plainLine } from './text.ts'
import type { World } from './world.ts'

/** Options of `paywindow orders`. */
export interface OrdersOptions {
  readonly status?: OrderStatus
  readonly search?: string
  readonly orderBy?: NonNullable<OrderQuery['orderBy']>
  readonly page: number
  readonly size: number
  readonly json?: boolean
}

/** Prints one page of the list, and the number of items that could not be read. */
export async function printOrders(options: OrdersOptions, world: World): Promise<void> {
  const { json, ...query } = options
  const { orders, unreadable, page, size, totalPages } = await connect(world).listOrders(query)
  if (unreadable > 0) world.stderr(`paywindow: ${unreadable} of the orders on this page could not be read.\n`)
  if (json) return world.stdout(jsonText({ orders, unreadable, page, size, totalPages }))
  if (orders.length === 0) return world.stdout('No orders.\n')
  world.stdout(columns([['ID', 'STATUS', 'PAYS', 'BUYS', 'CREATED', 'FOR'], ...orders.map(rowOf)]))
  if (page !== null && totalPages !== null) world.stdout(`Page ${page} of ${totalPages}.\n`)
}

/** Prints one order, field by field. */
export async function printOrder(id: string, { json }: { readonly json?: boolean }, world: World): Promise<void> {
  const order = await connect(world).orderDetails(id)
  if (json) return world.stdout(jsonText(order))
  const fields = fieldLines([
    ['Order', order.id],
    ['Status', statusOf(order)],
    ['Message', order.message],
    ['Pays', amountOf(order.sourceAmount, order.sourceAsset)],
    ['Buys', amountOf(order.targetAmount, order.targetAsset)],
    ['Network', order.network],
    ['Address', order.walletAddress],
    ['Tag', order.tag],
    ['Created', order.createdAt],
    ['Valid until', order.validUntil],
    ['E-mail', order.recipientEmail],
    ['Description', order.description],
    ['Sub-account', order.subAccountId],
  ])
  world.stdout(fields)
}

function rowOf(order: Order): string[] {
  return [
    plainLine(order.id),
    statusOf(order),
    amountOf(order.sourceAmount, order.sourceAsset),
    amountOf(order.targetAmount, order.targetAsset),
    plainLine(order.createdAt ?? ''),
    plainLine([order.recipientEmail, order.description].filter((text) => text !== null).join(' '), 40),
  ]
}

/** An unknown status is shown as it was received, with a question mark. */
function statusOf({ status, statusText }: Order): string {
  return status ?? `${plainLine(statusText ?? '', 30)}?`
}

function amountOf(amount: string | null, asset: string | null): string {
  return plainLine(`${amount ?? '?'} ${asset ?? '?'}`)
}
