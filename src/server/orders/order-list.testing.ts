/** The service's order list, in the forms that a service may choose. */
import { ServiceError, type ServiceErrorCode } from '../../service/errors.ts'
import type { OrderQuery } from '../../service/types.ts'
import { someOrder, startMs } from '../records/records.testing.ts'

/** The form of a list. */
export interface Shape {
  readonly firstPage: 0 | 1
  readonly direction: 'up' | 'down'
  readonly cap: number
  readonly tellsTotal: boolean
  /** How a page before the first is answered; by default with the first. */
  readonly before?: ServiceErrorCode
  /** How a page after the last is answered; by default with no orders. */
  readonly after?: ServiceErrorCode
}

const statusOf: Partial<Record<ServiceErrorCode, number>> = { refused: 400, not_found: 404, unavailable: 500 }

/** A list of `count` orders, one a second since the start, served in one of the forms a service may choose. */
export function listOf(count: number, shape: Shape) {
  const orders = Array.from({ length: count }, (_, at) =>
    someOrder({ id: `order-${at}`, createdAt: new Date(startMs + at * 1000).toISOString() }),
  )
  if (shape.direction === 'down') orders.reverse()
  const asked: number[] = []
  return {
    asked,
    listOrders: async ({ page, size }: OrderQuery) => {
      asked.push(page)
      const perPage = Math.min(size, shape.cap)
      const missing =
        page < shape.firstPage
          ? shape.before
          : page > shape.firstPage && (page - shape.firstPage) * perPage >= count && shape.after
      if (missing)
        throw new ServiceError(missing, `no page ${page}`, { outcome: 'not_done', status: statusOf[missing] })
      const at = Math.max(0, page - shape.firstPage) * perPage
      const totalPages = shape.tellsTotal ? Math.ceil(orders.length / perPage) : null
      return {
        orders: orders.slice(at, at + perPage),
        page,
        size: perPage,
        totalPages,
        unreadable: 0,
        timing: { sentAtMs: 0, answeredAtMs: 0, serviceDateMs: null },
      }
    },
  }
}
