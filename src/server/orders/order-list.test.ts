import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../service/errors.ts'
import type { OrderQuery } from '../../service/types.ts'
import { bounds } from '../core/types.ts'
import { someCheckout, someOrder, startMs } from '../records/records.testing.ts'
import { idsOf, listOf, readingsOf, type Shape } from './order-list.testing.ts'
import { createOrderList } from './order-list.ts'

const world = { now: () => 0, sleep: async () => {}, pagesPerSecond: 5 }

describe('the order list', () => {
  const shape: Shape = { firstPage: 1, direction: 'down', cap: 10, tellsTotal: true }

  it('reads no more pages than it has to', async () => {
    const list = listOf(500, shape)
    const orderList = createOrderList(list, world)
    await orderList.since(startMs + 495_000)
    list.asked.length = 0
    await orderList.since(startMs + 495_000)
    expect(list.asked.length).toBeLessThanOrEqual(2)
  })

  it('is not whole where it lacks an order that it has shown a while ago', async () => {
    let nowMs = 0
    let hidden = ''
    const list = listOf(30, shape)
    const partly = {
      listOrders: async (query: OrderQuery) => {
        const page = await list.listOrders(query)
        return { ...page, orders: page.orders.filter(({ id }) => id !== hidden) }
      },
    }
    const orderList = createOrderList(partly, { ...world, now: () => nowMs })
    const isWhole = async (fromSecond: number) => {
      nowMs += 60_000
      return (await orderList.since(startMs + fromSecond * 1_000)).isComplete
    }
    expect(await isWhole(0)).toBe(true)
    hidden = 'order-12'
    list.add(3)
    expect([await isWhole(0), await isWhole(12), await isWhole(13)]).toEqual([false, false, true])
    for (let minute = 0; minute < 20; minute++) await isWhole(0)
    // By then it may have been deleted.
    expect(await isWhole(0)).toBe(true)
  })

  it('shares one reading among simultaneous callers', async () => {
    const list = listOf(5, shape)
    const orderList = createOrderList(list, world)
    const [one, two] = await Promise.all([orderList.since(0), orderList.since(startMs)])
    expect(two).toBe(one)
  })

  it('names the equal orders of the pages that were answered, the newest first', async () => {
    const orderList = createOrderList(listOf(3, shape), world)
    const reading = orderList.since(0)
    expect(orderList.equalTo(someCheckout(), 0)).toEqual([])
    await reading
    expect(orderList.equalTo(someCheckout(), 0)).toEqual(['order-2', 'order-1', 'order-0'])
    expect(orderList.equalTo(someCheckout(), startMs + 1_500)).toEqual(['order-2'])
    const { terms } = someCheckout()
    const dearer = someCheckout({ terms: { ...terms, price: { ...terms.price, amount: '77.10' } } })
    expect(orderList.equalTo(dearer, 0)).toEqual([])
  })

  it('reads at most once a second for any number of callers, and one reading at a time', async () => {
    let nowMs = 0
    const sleeps: number[] = []
    const list = listOf(5, shape)
    const sleep = async (ms: number) => {
      sleeps.push(ms)
      nowMs += ms
    }
    const orderList = createOrderList(list, { ...world, now: () => nowMs, sleep })
    await orderList.since(0)
    const pages = list.asked.length
    nowMs += 1
    const answers = await Promise.all(Array.from({ length: 100 }, () => orderList.since(0)))
    expect(new Set(answers).size).toBe(1)
    expect(list.asked).toHaveLength(pages + 1)
    expect(nowMs).toBe(1_000)
    nowMs += 400
    await orderList.since(0, 500)
    expect(list.asked).toHaveLength(pages + 1)
    expect(sleeps).toHaveLength(1)
  })

  it.each(['up', 'down'] as const)('continues at the page where it was refused, sorted %s', async (direction) => {
    const list = listOf(57, { ...shape, direction })
    let answersLeft = 4
    const refusing = {
      listOrders: async (query: OrderQuery) => {
        if (answersLeft-- <= 0) throw new ServiceError('rate_limited', 'too many', { outcome: 'not_done', status: 429 })
        return list.listOrders(query)
      },
    }
    const orderList = createOrderList(refusing, world)
    await expect(orderList.since(startMs)).rejects.toThrow('too many')
    list.asked.length = 0
    answersLeft = 1_000
    const { orders, isComplete } = await orderList.since(startMs)
    expect(isComplete).toBe(true)
    expect(orders).toHaveLength(57)
    expect(list.asked).toEqual(direction === 'up' ? [6, 5, 4, 3, 2] : [4, 5, 6])
  })

  it('shows an order as on its page, while the reading continues', async () => {
    const list = listOf(57, shape)
    const shownAt: number[] = []
    const orderList = createOrderList(list, world, () => {
      shownAt.push(list.asked.filter(() => orderList.shown('order-56')).length)
    })
    expect(orderList.shown('order-56')).toBeUndefined()
    await orderList.since(startMs)
    expect(shownAt[0]).toBe(1)
    expect(orderList.shown('order-0')?.order.id).toBe('order-0')
    expect(orderList.shown('order-57')).toBeUndefined()
  })

  it('ends even if the service answers every page number with its last page', async () => {
    const last = [someOrder({ id: 'a' }), someOrder({ id: 'b', createdAt: '2026-11-21T10:00:02Z' })]
    const answer = {
      orders: last,
      page: null,
      size: null,
      totalPages: null,
      unreadable: 0,
      timing: { sentAtMs: 0, answeredAtMs: 0, serviceDateMs: null },
    }
    expect((await createOrderList({ listOrders: async () => answer }, world).since(0)).orders).toHaveLength(2)
  })

  it.each([
    [9, null, true],
    [10, null, false],
    [10, 7, false],
    [10, 1, true],
  ])('ends soon where every number brings the same page of %i, pages told: %s', async (count, total, isComplete) => {
    const list = listOf(count, { ...shape, tellsTotal: false })
    const listOrders = async (query: OrderQuery) => ({
      ...(await list.listOrders({ ...query, page: 1 })),
      totalPages: total,
    })
    const reading = await readingsOf({ listOrders })()
    expect(reading).toMatchObject({ ids: idsOf(0, count), isComplete })
    expect(reading.pages).toBeLessThan(6)
  })

  it.each(
    (['down', 'up'] as const).flatMap((direction) => [0, 1, 3, 5].map((totalPages) => ({ direction, totalPages }))),
  )('goes on while pages are full, sorted $direction, told pages: $totalPages', async ({ direction, totalPages }) => {
    for (const ending of [{}, { after: 'not_found' }, { after: 'last page' }] as const) {
      const list = listOf(57, { firstPage: 1, direction, cap: 10, tellsTotal: false, ...ending })
      const listOrders = async (query: OrderQuery) => ({ ...(await list.listOrders(query)), totalPages })
      expect(await readingsOf({ listOrders })()).toMatchObject({ ids: idsOf(0, 57), isComplete: true })
    }
  })

  it.each(['unavailable', 'refused', 'last page'] as const)(
    'has read all where the last page is full, and the one after it is answered with: %s',
    async (after) => {
      const list = listOf(60, { firstPage: 1, direction: 'down', cap: 10, tellsTotal: true, after })
      expect(await readingsOf(list)()).toMatchObject({ ids: idsOf(0, 60), isComplete: true })
    },
  )

  it('goes on behind a page that only repeats others because orders have come meanwhile', async () => {
    for (let more = 5; more <= 45; more++) {
      const list = listOf(57, { ...shape, tellsTotal: false })
      const listOrders = (query: OrderQuery) => {
        if (query.page === 4 && !list.asked.includes(4)) list.add(more)
        return list.listOrders(query)
      }
      const { ids } = await readingsOf({ listOrders })()
      expect(ids).toEqual(expect.arrayContaining(idsOf(0, 57)))
    }
  })

  it('says when an item could not be read, or when it did not read to the end', async () => {
    const list = listOf(5, shape)
    const unreadable = {
      listOrders: async (query: OrderQuery) => ({ ...(await list.listOrders(query)), unreadable: 1 }),
    }
    expect((await createOrderList(unreadable, world).since(0)).isComplete).toBe(false)
    expect((await createOrderList(listOf(10_100, shape), world).since(0)).isComplete).toBe(false)
  })

  it('has no limit at a hundred pages', async () => {
    const { orders, isComplete } = await createOrderList(listOf(2500, shape), world).since(0)
    expect([orders.length, isComplete]).toEqual([2500, true])
  })

  it('is not misled about the first page by an order that comes between two requests', async () => {
    const before = listOf(3, { ...shape, cap: 2 })
    const after = listOf(4, { ...shape, cap: 2 })
    let requests = 0
    const read = readingsOf({ listOrders: (query) => (requests++ === 0 ? before : after).listOrders(query) })
    expect((await read()).ids).toEqual(expect.arrayContaining(idsOf(0, 3)))
    expect((await read()).ids).toEqual(idsOf(0, 4))
  })
})

describe('a list of many orders', () => {
  const shape: Shape = { firstPage: 1, direction: 'down', cap: 100, tellsTotal: true }

  it('names no more equal orders than a record may have', async () => {
    const orderList = createOrderList(listOf(12_600, shape), world)
    await orderList.since(0)
    const ids = orderList.equalTo(someCheckout(), 0)
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([bounds.listed, 'order-12599', 'order-12550'])
  })

  it('is read in slices, so that the event loop is never held up for long', async () => {
    const list = listOf(100_000, shape)
    let laps: number[] = []
    let usedMs = 0
    const lap = () => {
      // Node 22 counts only all threads together.
      const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)()
      laps.push((user + system) / 1_000 - usedMs)
      usedMs = (user + system) / 1_000
    }
    const slow = {
      listOrders: async (query: OrderQuery) => {
        const page = await list.listOrders(query)
        lap()
        await new Promise((resolve) => setImmediate(resolve))
        lap()
        return page
      },
    }
    const orderList = createOrderList(slow, world)
    lap()
    laps = []
    expect((await orderList.since(0)).orders).toHaveLength(100_000)
    lap()
    // Alone on a machine 50 ms at most. Sorting them in one piece took 290.
    expect(Math.max(...laps)).toBeLessThan(120)
  })
})
