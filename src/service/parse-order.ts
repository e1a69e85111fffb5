/** Reads an order and the order list, in every form that the reference and its examples allow. */
import { type OrderStatus, orderStatuses } from '../contract/checkout.ts'
import { type JsonRecord, ParseError } from '../contract/parse.ts'
import { isUsableId, looseCount, looseText, own, placeField, textField, unwrap } from './fields.ts'
import type { Order, OrderPage } from './types.ts'

/** An order without the time of its answer. */
type ParsedOrder = Omit<Order, 'timing'>

type ParsedPage = Omit<OrderPage, 'timing' | 'orders'> & { readonly orders: readonly ParsedOrder[] }

/**
 * Reads the details of one order.
 *
 * @param id - The order that was asked for. Details of another order are refused; details without an id are taken for it
 *   when they have a status, because the reference does not show the body.
 * @throws ParseError naming what is wrong.
 */
export function parseOrderDetails(json: unknown, id: string): ParsedOrder {
  const record = unwrap(json, ['order', 'data'], ['id', 'order_id'])
  const found = textField(record, 'id', 'order_id')
  if (found === null && textField(record, 'status') === null) throw new ParseError('neither id nor status is there')
  if (found !== null && found.toLowerCase() !== id.toLowerCase()) throw new ParseError('the order is another one')
  return readOrder(record, id)
}

/**
 * Reads a page of the list. An item that cannot be read is counted in `unreadable`, so that one odd order neither blinds us
 * to the others nor goes unnoticed.
 *
 * @throws ParseError when there is no list.
 */
export function parseOrderList(json: unknown): ParsedPage {
  const { items, about } = findList(json)
  const orders = items.map(readItem).filter((order) => order !== undefined)
  return {
    orders,
    unreadable: items.length - orders.length,
    page: about && looseCount(about, 'page'),
    size: about && looseCount(about, 'size'),
    totalPages: about && looseCount(about, 'total_pages'),
  }
}

/** The service's word as one of our statuses: any case, and `cancelled` as well as `canceled`. Null when it is none of them. */
function readStatus(word: string | null): OrderStatus | null {
  const status = word?.trim().toLowerCase()
  return status === 'cancelled' ? 'canceled' : (orderStatuses.find((each) => each === status) ?? null)
}

function findList(json: unknown): { items: readonly unknown[]; about: JsonRecord | null } {
  if (Array.isArray(json)) return { items: json, about: null }
  const about = unwrap(json, ['data'], ['orders'])
  const list = own(about, 'orders') ?? own(about, 'data') ?? null
  // A server that has no orders may write its empty list as null, or leave it out and write the rest of the page.
  if (list === null && (own(about, 'orders') === null || isOfPage(about))) return { items: [], about }
  if (!Array.isArray(list)) throw new ParseError('orders is not a list')
  return { items: list, about }
}

/** Whether it says which page of the list it is, and is not only a message. */
function isOfPage(about: JsonRecord): boolean {
  return ['page', 'size', 'total_pages'].some((name) => looseCount(about, name) !== null)
}

function readItem(json: unknown): ParsedOrder | undefined {
  try {
    const record = unwrap(json, ['order'], ['id', 'order_id'])
    const id = textField(record, 'id', 'order_id')
    return id === null || !isUsableId(id) ? undefined : readOrder(record, id)
  } catch (error) {
    if (error instanceof ParseError) return undefined
    throw error
  }
}

function readOrder(record: JsonRecord, id: string): ParsedOrder {
  const statusText = textField(record, 'status')
  return {
    id,
    status: readStatus(statusText),
    statusText,
    subAccountId: textField(record, 'sub_account_id'),
    recipientEmail: looseText(record, 'recipient_email'),
    description: looseText(record, 'description'),
    sourceAsset: textField(record, 'source_asset'),
    sourceAmount: textField(record, 'source_amount'),
    targetAsset: textField(record, 'target_asset'),
    targetAmount: textField(record, 'target_amount'),
    network: textField(record, 'network', 'Network'),
    walletAddress: placeField(record, 'wallet_address'),
    tag: placeField(record, 'tag'),
    message: looseText(record, 'message'),
    createdAt: textField(record, 'created_at'),
    validUntil: textField(record, 'valid_until'),
  }
}
