/** One page of the service's order list, as a walk through the list sees it. */
import { ServiceError } from '../../service/errors.ts'
import type { Order, OrderPage, ServiceClient } from '../../service/types.ts'

/** What is asked for pages. */
export type ListPages = Pick<ServiceClient, 'listOrders'>

/** Which page of the list an answer is. */
export interface PagePlace {
  readonly number: number
  /** The number of the first page; undefined until that is known. */
  readonly firstNumber: 0 | 1 | undefined
  /** Items that were asked for: the service may refuse more. */
  readonly size: number
}

/** What a walk learns on its way. */
export interface Progress {
  isComplete: boolean
  pages: number
  /** Undefined before the first page. */
  asOfMs: number | null | undefined
}

/** A page as it was answered. */
export interface Answer {
  readonly orders: readonly Order[]
  /** Items, with those that cannot be read. */
  readonly count: number
  /** Items that a page has, as far as the answer says. */
  readonly size: number
  /** The page's number in the service's words; null where it does not say. */
  readonly number: number | null
  /** Pages of the whole list; null where the service does not say. */
  readonly total: number | null
  readonly isRefused: boolean
}

/** In place of a page that was refused, or not asked for. */
export function noPage(isRefused: boolean): Answer {
  return { orders: [], count: 0, size: 0, number: null, total: null, isRefused }
}

/** What a walk needs of a page. @param size - Items that were asked for. */
export function answerOf({ orders, unreadable, size: told, page, totalPages }: OrderPage, size: number): Answer {
  const count = orders.length + unreadable
  return { orders, count, size: told ?? size, number: page, total: totalPages, isRefused: false }
}

/** Whether some order is on both. */
export function shareOrders({ orders }: Pick<Answer, 'orders'>, other: Pick<Answer, 'orders'>): boolean {
  return orders.some(({ id }) => other.orders.some((order) => order.id === id))
}

/** With these some services answer a page that the list does not reach to. */
const noSuchPage = [400, 404, 416, 422]

/** Whether an error may say that there is no such page. */
export function isRefusal({ status }: ServiceError): boolean {
  return status !== undefined && noSuchPage.includes(status)
}

/** The error, if it may say that there is no such page. @throws The error, if it may not. */
export function asRefusal(error: unknown): ServiceError {
  if (error instanceof ServiceError && isRefusal(error)) return error
  throw error
}
