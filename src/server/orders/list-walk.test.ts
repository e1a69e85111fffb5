import { describe, expect, it } from 'vitest'
import { ServiceError, type ServiceErrorCode } from '../../service/errors.ts'
import type { OrderQuery } from '../../service/types.ts'
import { startMs } from '../records/records.testing.ts'
import { idsOf, listOf, readingsOf, type Shape } from './order-list.testing.ts'
import { createOrderList } from './order-list.ts'

const world = { now: () => 0, sleep: async () => {}, pagesPerSecond: 5 }
const shape: Shape = { firstPage: 1, direction: 'down', cap: 10, tellsTotal: false }

/** Ids of the orders of the last twelve of 57 seconds. */
const newest = Array.from({ length: 12 }, (_, at) => `order-${45 + at}`)

async function readNewest(list: Pick<ReturnType<typeof listOf>, 'listOrders'>) {
  const { orders, isComplete } = await createOrderList(list, world).since(startMs + 45_000)
  return { ids: orders.map(({ id }) => id).sort(), isComplete }
}

interface Refusal {
  readonly page: number
  readonly code: ServiceErrorCode
  readonly status: number
  /** Default 1. */
  readonly times?: number
}

/** The list, which refuses one page once, or some times. */
function refusing(list: ReturnType<typeof listOf>, { page, code, status, times = 1 }: Refusal) {
  let left = times
  return {
    listOrders: async (query: OrderQuery) => {
      if (query.page !== page || left-- <= 0) return list.listOrders(query)
      throw new ServiceError(code, `no page ${page}`, { outcome: 'unknown', status })
    },
  }
}

describe('a page in the middle that is refused once', () => {
  it.each([
    [408, 'refused', 'down', true],
    [404, 'not_found', 'down', true],
    [404, 'not_found', 'up', true],
  ] as const)(
    'with %i makes the reading fail: %s, sorted %s, total given: %s',
    async (status, code, direction, tellsTotal) => {
      const list = refusing(listOf(57, { ...shape, direction, tellsTotal }), { page: 3, code, status })
      await expect(createOrderList(list, world).since(startMs)).rejects.toThrow('no page 3')
    },
  )

  it('does not count as the end of a list of which nobody knows the length', async () => {
    const list = refusing(listOf(57, shape), { page: 4, code: 'not_found', status: 404 })
    expect((await createOrderList(list, world).since(startMs)).isComplete).toBe(false)
  })
})

describe('a list whose first page is not known', () => {
  it.each(['unavailable', 'invalid_answer'] as const)(
    'is read from page 1 where page 0 is %s, and counts as complete after five times',
    async (before) => {
      expect(await readNewest(listOf(57, { ...shape, before }))).toEqual({ ids: newest, isComplete: false })
      const read = readingsOf(listOf(57, { ...shape, before }))
      for (const isComplete of [false, false, false, false, true, true])
        expect(await read(45)).toMatchObject({ ids: newest, isComplete })
    },
  )

  it.each([
    ['unavailable', 503],
    ['invalid_answer', 200],
    ['not_found', 404],
  ] as const)('is read from page 0 after that was once %s', async (code, status) => {
    const list = refusing(listOf(57, { ...shape, firstPage: 0 }), { page: 0, code, status })
    let nowMs = 0
    const orderList = createOrderList(list, { ...world, now: () => nowMs })
    expect((await orderList.since(startMs + 45_000)).isComplete).toBe(false)
    for (nowMs = 60_000; nowMs <= 180_000; nowMs += 60_000) {
      const { orders, isComplete } = await orderList.since(startMs + 45_000)
      expect([orders.map(({ id }) => id).sort(), isComplete]).toEqual([newest, true])
    }
  })

  it('is read from page 0 after that has failed four times', async () => {
    const failing = { page: 0, code: 'unavailable', status: 503, times: 4 } as const
    const read = readingsOf(refusing(listOf(57, { ...shape, firstPage: 0 }), failing))
    for (let time = 1; time <= 4; time++) expect((await read(45)).isComplete).toBe(false)
    for (let time = 1; time <= 6; time++) expect(await read(45)).toMatchObject({ ids: newest, isComplete: true })
  })

  it('is not taken to begin with a page that another request would have shown empty before its first order', async () => {
    const list = listOf(0, shape)
    const listOrders = (query: OrderQuery) => {
      if (list.asked.length === 1) list.add(1)
      return list.listOrders(query)
    }
    const read = readingsOf({ listOrders })
    expect((await read()).ids).toEqual(['order-0'])
    list.add(30)
    for (let time = 1; time <= 3; time++) expect((await read()).ids).toEqual(idsOf(0, 31))
    expect(list.asked.slice(-5)).toEqual([1, 2, 3, 4, 5])
  })

  it('is read from page 1 after that was once not found, where page 0 is the same', async () => {
    const pages = listOf(57, shape)
    const list = refusing(pages, { page: 1, code: 'not_found', status: 404 })
    let nowMs = 0
    const orderList = createOrderList(list, { ...world, now: () => nowMs })
    await orderList.since(startMs)
    for (nowMs = 60_000; nowMs <= 180_000; nowMs += 60_000)
      expect((await orderList.since(startMs)).orders).toHaveLength(57)
  })

  it('is asked for in smaller pages only where larger ones are refused, once', async () => {
    const sizes: number[] = []
    const list = listOf(157, { ...shape, cap: 1000, maxSize: 20, tellsTotal: true })
    const listOrders = (query: OrderQuery) => {
      sizes.push(query.size)
      return list.listOrders(query)
    }
    const read = readingsOf({ listOrders })
    expect(await read(150)).toMatchObject({ ids: idsOf(150, 157), isComplete: true })
    expect(sizes).toEqual([100, 100, 50, 50, 20, 20, 20])
    sizes.length = 0
    await read(150)
    expect(sizes).toEqual([20, 20])
  })

  it('does not take a page for the last that is as long as all others, whatever size is told', async () => {
    for (const tellsSize of ['as asked', 'not'] as const) {
      const list = listOf(57, { ...shape, tellsSize })
      const read = readingsOf(refusing(list, { page: 4, code: 'not_found', status: 404 }))
      expect((await read()).isComplete).toBe(false)
      expect((await read()).isComplete).toBe(true)
    }
  })

  it('cannot be read where all of it is refused', async () => {
    const closed = {
      listOrders: async () => {
        throw new ServiceError('not_found', 'no such path', { outcome: 'not_done', status: 404 })
      },
    }
    await expect(readNewest(closed)).rejects.toThrow('no such path')
  })
})
