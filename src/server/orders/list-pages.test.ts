import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../service/errors.ts'
import type { OrderQuery } from '../../service/types.ts'
import { startMs } from '../records/records.testing.ts'
import { listOf, type Shape } from './order-list.testing.ts'
import { createOrderList } from './order-list.ts'

const world = { now: () => 0, sleep: async () => {}, pagesPerSecond: 5 }
const shape: Shape = { firstPage: 1, direction: 'down', cap: 10, tellsTotal: false }

/** Ids of the orders of the last twelve of 57 seconds. */
const newest = Array.from({ length: 12 }, (_, at) => `order-${45 + at}`)

async function readNewest(list: Pick<ReturnType<typeof listOf>, 'listOrders'>) {
  const { orders, isComplete } = await createOrderList(list, world).since(startMs + 45_000)
  return { ids: orders.map(({ id }) => id).sort(), isComplete }
}

describe('a list whose first page is not known', () => {
  it('is read from page 1 where page 0 fails, and does not count as complete', async () => {
    const list = listOf(57, { ...shape, before: 'unavailable' })
    expect(await readNewest(list)).toEqual({ ids: newest, isComplete: false })
  })

  it('is read from page 0 after that has failed once', async () => {
    const list = listOf(57, { ...shape, firstPage: 0 })
    let failures = 1
    const failing = {
      listOrders: async (query: OrderQuery) => {
        if (query.page === 0 && failures-- > 0)
          throw new ServiceError('unavailable', 'busy', { outcome: 'unknown', status: 503 })
        return list.listOrders(query)
      },
    }
    let nowMs = 0
    const orderList = createOrderList(failing, { ...world, now: () => nowMs })
    expect((await orderList.since(startMs + 45_000)).isComplete).toBe(false)
    nowMs = 60_000
    const { orders, isComplete } = await orderList.since(startMs + 45_000)
    expect([orders.map(({ id }) => id).sort(), isComplete]).toEqual([newest, true])
  })

  it('cannot be read where all of it is refused', async () => {
    const refusing = {
      listOrders: async () => {
        throw new ServiceError('not_found', 'no such path', { outcome: 'not_done', status: 404 })
      },
    }
    await expect(readNewest(refusing)).rejects.toThrow('no such path')
  })
})
