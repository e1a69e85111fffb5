/** The service's order list, in the forms that a service may choose. */
import { ServiceError, type ServiceErrorCode } from '../../service/errors.ts'
import type { Order, OrderPage, OrderQuery } from '../../service/types.ts'
import { someOrder, startMs } from '../records/records.testing.ts'
import { createOrderList } from './order-list.ts'
import type { ListClient } from './page-reader.ts'

/** The form of a list. */
export interface Shape {
  readonly firstPage: 0 | 1
  readonly direction: 'up' | 'down'
  readonly cap: number
  readonly tellsTotal: boolean
  /** How a page before the first is answered; by default with the first. */
  readonly before?: ServiceErrorCode | 'no orders' | 'last page'
  /** How a page after the last is answered; by default with no orders. */
  readonly after?: ServiceErrorCode | 'last page'
  /** The size in an answer: by default that of the page, else the requested size, or none. */
  readonly tellsSize?: 'as asked' | 'not'
  /** A larger size is refused. */
  readonly maxSize?: number
}

const statusOf: Partial<Record<ServiceErrorCode, number>> = { refused: 400, not_found: 404, unavailable: 500 }

const refusal = (code: ServiceErrorCode, message: string) =>
  new ServiceError(code, message, { outcome: 'not_done', status: statusOf[code] })

/**
 * A list of `count` orders, one a second since the start, served in one of the forms a service may
 * choose.
 */
export function listOf(count: number, shape: Shape) {
  const { firstPage, cap, maxSize = Number.POSITIVE_INFINITY, tellsSize, tellsTotal, before, after } = shape
  const orders: Order[] = []
  const add = (more: number) => {
    for (let each = 0; each < more; each++) {
      const createdAt = new Date(startMs + orders.length * 1000).toISOString()
      const order = someOrder({ id: `order-${orders.length}`, createdAt })
      orders.push(order)
    }
  }
  add(count)
  const asked: number[] = []

  /** The page, counted from 0, that is shown instead of another. */
  function shownFor(page: number, pages: number): number {
    const at = page - firstPage
    const other = at < 0 ? before : at > 0 && at >= pages ? after : undefined
    if (other === 'last page') return Math.max(0, pages - 1)
    if (other === 'no orders') return pages
    if (other) throw refusal(other, `no page ${page}`)
    return Math.max(0, at)
  }

  return {
    asked,
    add,
    listOrders: async ({ page, size }: OrderQuery): Promise<OrderPage> => {
      asked.push(page)
      if (size > maxSize) throw refusal('refused', 'too many items')
      const perPage = Math.min(size, cap)
      const pages = Math.ceil(orders.length / perPage)
      const at = shownFor(page, pages) * perPage
      const [from, to] = [at, Math.min(orders.length, at + perPage)]
      const isDown = shape.direction === 'down'
      const [first, end] = isDown ? [Math.max(0, orders.length - to), Math.max(0, orders.length - from)] : [from, to]
      const shown = orders.slice(first, end)
      return {
        orders: isDown ? shown.reverse() : shown,
        page,
        size: tellsSize ? (tellsSize === 'not' ? null : size) : perPage,
        totalPages: tellsTotal ? pages : null,
        unreadable: 0,
        timing: { sentAtMs: 0, answeredAtMs: 0, serviceDateMs: null },
      }
    },
  }
}

/** Readings of a list back to a second after the start, a minute apart. */
export function readingsOf(list: ListClient) {
  let nowMs = 0
  const orderList = createOrderList(list, { now: () => nowMs, sleep: async () => {}, pagesPerSecond: 5 })
  return async (fromSecond = 0) => {
    nowMs += 60_000
    const { orders, isComplete, pages } = await orderList.since(startMs + fromSecond * 1_000)
    return { ids: orders.map(({ id }) => id).sort(), isComplete, pages }
  }
}

/** Ids of the orders from one second to another. */
export function idsOf(from: number, to: number) {
  return Array.from({ length: to - from }, (_, at) => `order-${from + at}`).sort()
}
