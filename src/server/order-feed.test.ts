import { describe, expect, it } from 'vitest'
import { ServiceError } from '../service/errors.ts'
import type { OrderQuery } from '../service/types.ts'
import { createOrderFeed } from './order-feed.ts'
import { someOrder, startMs } from './records.testing.ts'

interface Shape {
  readonly firstPage: 0 | 1
  readonly direction: 'up' | 'down'
  readonly cap: number
  readonly tellsTotal: boolean
  readonly refusesPageZero?: boolean
}

/** A list of `count` orders, one a second since the start, served in one of the forms a service may choose. */
function listOf(count: number, shape: Shape) {
  const orders = Array.from({ length: count }, (_, at) =>
    someOrder({ id: `order-${at}`, createdAt: new Date(startMs + at * 1000).toISOString() }),
  )
  if (shape.direction === 'down') orders.reverse()
  const asked: number[] = []
  return {
    asked,
    listOrders: async ({ page, size }: OrderQuery) => {
      asked.push(page)
      if (page === 0 && shape.refusesPageZero)
        throw new ServiceError('refused', 'no page 0', { outcome: 'not_done', status: 400 })
      const perPage = Math.min(size, shape.cap)
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

const shapes: Shape[] = []
for (const firstPage of [0, 1] as const)
  for (const direction of ['up', 'down'] as const)
    for (const tellsTotal of [true, false])
      for (const cap of [10, 1000]) shapes.push({ firstPage, direction, tellsTotal, cap })
shapes.push({ firstPage: 1, direction: 'up', tellsTotal: true, cap: 10, refusesPageZero: true })

describe.each(shapes)(
  'the order feed of a list with $cap a page, sorted $direction, from page $firstPage, total told: $tellsTotal',
  (shape) => {
    it('finds exactly the newest orders', async () => {
      const list = listOf(57, shape)
      const { orders, isComplete } = await createOrderFeed(list, () => 0).since(startMs + 45_000)
      expect(isComplete).toBe(true)
      expect(orders.map(({ id }) => id).sort()).toEqual(Array.from({ length: 12 }, (_, at) => `order-${45 + at}`))
    })

    it('finds nothing in an empty list, and the first order once there is one', async () => {
      expect((await createOrderFeed(listOf(0, shape), () => 0).since(0)).orders).toEqual([])
      expect((await createOrderFeed(listOf(1, shape), () => 0).since(0)).orders).toHaveLength(1)
    })
  },
)

describe('the order feed', () => {
  const shape: Shape = { firstPage: 1, direction: 'down', cap: 10, tellsTotal: true }

  it('reads no more pages than it has to', async () => {
    const list = listOf(500, shape)
    const feed = createOrderFeed(list, () => 0)
    await feed.since(startMs + 495_000)
    list.asked.length = 0
    await feed.since(startMs + 495_000)
    expect(list.asked.length).toBeLessThanOrEqual(2)
  })

  it('lets those who ask at the same time share one reading', async () => {
    const list = listOf(5, shape)
    const feed = createOrderFeed(list, () => 0)
    const [one, two] = await Promise.all([feed.since(0), feed.since(startMs)])
    expect(two).toBe(one)
  })

  it('remembers when an order was first listed', async () => {
    let nowMs = 100
    const feed = createOrderFeed(listOf(2, shape), () => nowMs)
    await feed.since(0)
    nowMs = 200
    await feed.since(0)
    expect([feed.firstListedAt('order-0'), feed.firstListedAt('order-9')]).toEqual([100, undefined])
  })

  it('is not held for ever by a service that answers every number with its last page', async () => {
    const last = [someOrder({ id: 'a' }), someOrder({ id: 'b', createdAt: '2026-11-21T10:00:02Z' })]
    const answer = {
      orders: last,
      page: null,
      size: null,
      totalPages: null,
      unreadable: 0,
      timing: { sentAtMs: 0, answeredAtMs: 0, serviceDateMs: null },
    }
    expect((await createOrderFeed({ listOrders: async () => answer }, () => 0).since(0)).orders).toHaveLength(2)
  })

  it('says when an item could not be read, or when it did not read to the end', async () => {
    const list = listOf(5, shape)
    const unreadable = {
      listOrders: async (query: OrderQuery) => ({ ...(await list.listOrders(query)), unreadable: 1 }),
    }
    expect((await createOrderFeed(unreadable, () => 0).since(0)).isComplete).toBe(false)
    expect((await createOrderFeed(listOf(2500, shape), () => 0).since(0)).isComplete).toBe(false)
  })

  it('is not misled about the first page by an order that comes between two requests', async () => {
    const before = listOf(3, { ...shape, cap: 2 })
    const after = listOf(4, { ...shape, cap: 2 })
    let requests = 0
    const growing = { listOrders: (query: OrderQuery) => (requests++ === 0 ? before : after).listOrders(query) }
    expect((await createOrderFeed(growing, () => 0).since(0)).orders).toHaveLength(4)
  })
})
