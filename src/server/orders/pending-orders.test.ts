import { describe, expect, it } from 'vitest'
import { createSandbox, type SandboxOptions, seededRandom } from '../../sandbox/index.ts'
import { createServiceClient } from '../../service/client.ts'
import { ServiceError } from '../../service/errors.ts'
import type { OrderPage, OrderQuery } from '../../service/types.ts'
import { createVirtualClock } from '../../service/virtual-clock.testing.ts'
import { createOrderList } from './order-list.ts'
import { createPendingOrders } from './pending-orders.ts'

const hourMs = 3_600_000

/** Answers a page in another way, or throws. */
type Change = (page: OrderPage, query: OrderQuery) => OrderPage

/** A list of 60 orders with 20 on a page, of which those at these places, the newest being 0, are pending. */
function setUp(options: SandboxOptions, pendingAt: readonly number[], change: Change = (page) => page) {
  const clock = createVirtualClock()
  const sandbox = createSandbox({ clock, random: seededRandom(1), maxPageSize: 20, ...options })
  const made = Array.from({ length: 60 }, () => {
    sandbox.clock.advance(1_000)
    return sandbox.addOrder({ sourceAsset: 'BTC', targetAsset: 'USD', targetAmount: '10' })
  }).reverse()
  const deposit = (at: number) =>
    sandbox.payer.deposit({ address: made[at]?.address ?? '', amount: made[at]?.sourceAmount ?? '' })
  for (const at of pendingAt) deposit(at)
  const client = createServiceClient({ ...sandbox.access, clock })
  /** Places that a filter which does not work well leaves out. */
  const leftOut = new Set<number>()
  let filtered = 0
  const listOrders = async (query: OrderQuery) => {
    if (query.status === undefined) return change(await client.listOrders(query), query)
    filtered += 1
    const page = change(await client.listOrders(query), query)
    const isKept = ({ id }: { id: string }) => !leftOut.has(made.findIndex((each) => each.id === id))
    return { ...page, orders: page.orders.filter(isKept) }
  }
  const pendingOrders = createPendingOrders({ listOrders }, clock.now)
  const orderList = createOrderList(
    { listOrders },
    { now: clock.now, sleep: clock.sleep, pagesPerSecond: 1_000, onPage: pendingOrders.notePage },
  )
  return {
    sandbox,
    made,
    deposit,
    leftOut,
    pendingOrders,
    filtered: () => filtered,
    pass: (ms: number) => clock.run(clock.sleep(ms)),
    readAll: async () => {
      await clock.run(clock.sleep(1_000))
      return clock.run(orderList.since(0))
    },
    read: async () => {
      const orders = await clock.run(pendingOrders.read())
      return orders.map(({ id }) => made.findIndex((each) => each.id === id))
    },
  }
}

describe('pending orders', () => {
  it.each(['ascending', 'descending'] as const)(
    'are read alone where the filter works, in a list that is %s',
    async (direction) => {
      for (const firstPage of [0, 1] as const) {
        const { readAll, read, deposit, filtered, pendingOrders } = setUp({ direction, firstPage }, [3, 30])
        await readAll()
        deposit(55)
        expect(pendingOrders.isReadable()).toBe(true)
        expect((await read()).sort((a, b) => a - b)).toEqual([3, 30, 55])
        expect(filtered()).toBe(1)
      }
    },
  )

  it('are read over several pages', async () => {
    const places = Array.from({ length: 45 }, (_, at) => at)
    const { readAll, read, pendingOrders } = setUp({}, places)
    await readAll()
    expect(await read()).toEqual(places)
    expect(pendingOrders.pages()).toBe(3)
  })

  it.each(['ignored', 'after-paging', 'refused'] as const)(
    'are not read where the filter is %s, and that is tried again after an hour',
    async (statusFilter) => {
      const { readAll, read, pass, filtered, pendingOrders } = setUp({ statusFilter }, [3, 30])
      await readAll()
      expect(await read()).toEqual([])
      expect([pendingOrders.isReadable(), filtered()]).toEqual([false, 1])
      await pass(hourMs - 1_000)
      expect(pendingOrders.isReadable()).toBe(false)
      await pass(1_000)
      expect(pendingOrders.isReadable()).toBe(true)
    },
  )

  it('are not asked for while the list shows none that only a working filter would find', async () => {
    const { readAll, pendingOrders, deposit } = setUp({}, [3])
    expect(pendingOrders.isReadable()).toBe(false)
    await readAll()
    expect(pendingOrders.isReadable()).toBe(false)
    deposit(30)
    await readAll()
    expect(pendingOrders.isReadable()).toBe(true)
  })

  it('are no longer read once the list shows one that the filter left out', async () => {
    const { readAll, read, leftOut, pendingOrders } = setUp({}, [3, 30])
    await readAll()
    leftOut.add(3)
    expect(await read()).toEqual([30])
    expect(pendingOrders.isReadable()).toBe(true)
    await readAll()
    expect(pendingOrders.isReadable()).toBe(false)
  })

  it('are read on when one that was left out has become another', async () => {
    const { readAll, read, sandbox, made, pendingOrders } = setUp({}, [3, 30])
    await readAll()
    sandbox.payer.confirm(made[3]?.id ?? '')
    expect(await read()).toEqual([30])
    await readAll()
    expect(pendingOrders.isReadable()).toBe(true)
  })

  it('are no longer read once the answer shows others', async () => {
    const { readAll, read, pendingOrders } = setUp(
      { statusFilter: 'ignored' },
      Array.from({ length: 40 }, (_, at) => at),
    )
    await readAll()
    // All that was shown was pending, so nothing spoke against the filter until the third page.
    expect(await read()).toEqual([])
    expect(pendingOrders.isReadable()).toBe(false)
  })
})

const refused = (status: number) =>
  new ServiceError(status === 404 ? 'not_found' : 'refused', `${status}`, { outcome: 'not_done', status })
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at)

/** How a service may answer. */
const forms: readonly (readonly [string, Change])[] = [
  ['pages after the last are refused', refusingAfterLast(400)],
  ['pages after the last are not found', refusingAfterLast(404)],
  ['pages after the last bring the last again', repeatingLast()],
  ['no answer tells its size', (page) => ({ ...page, size: null })],
  ['each answer tells the size that was asked for', (page, { size }) => ({ ...page, size })],
]

function refusingAfterLast(status: number): Change {
  return (page) => {
    if (page.orders.length === 0) throw refused(status)
    return page
  }
}

function repeatingLast(): Change {
  let last: OrderPage | undefined
  return (page) => {
    if (page.orders.length > 0) last = page
    return last ?? page
  }
}

describe.each(forms)('pending orders where %s, and no total', (_, change) => {
  it.each([6, 19, 20, 40, 45])('are read where there are %i', async (count) => {
    const places = upTo(count).map((at) => at + 15)
    const { readAll, read, pendingOrders } = setUp({}, places, (page, query) => ({
      ...change(page, query),
      totalPages: null,
    }))
    await readAll()
    await readAll()
    for (let time = 1; time <= 2; time++) expect(await read()).toEqual(places)
    expect(pendingOrders.isReadable()).toBe(true)
    expect(pendingOrders.pages()).toBeLessThan(5)
  })
})

describe('pending orders', () => {
  it('are read on behind a page with an item that cannot be read', async () => {
    const { readAll, read } = setUp({}, upTo(45), (page, { status, page: number }) =>
      status && number === 1 ? { ...page, orders: page.orders.slice(1), unreadable: 1, totalPages: null } : page,
    )
    await readAll()
    expect(await read()).toEqual(upTo(45).slice(1))
  })

  it('are read again after a request that took the service too long', async () => {
    let isSlow = true
    const { readAll, read, pendingOrders } = setUp({}, [3, 30], (page, { status }) => {
      if (status && isSlow) throw refused(408)
      return page
    })
    await readAll()
    await expect(read()).rejects.toThrow('408')
    isSlow = false
    expect(pendingOrders.isReadable()).toBe(true)
    expect(await read()).toEqual([3, 30])
  })

  it('are none where the filter has worked and is answered with 404, until the list shows some', async () => {
    let isNone = false
    const { readAll, read, sandbox, made, deposit, pendingOrders } = setUp({}, [3, 30], (page, { status }) => {
      if (status && isNone) throw refused(404)
      return page
    })
    await readAll()
    await read()
    isNone = true
    for (const at of [3, 30]) sandbox.payer.confirm(made[at]?.id ?? '')
    expect(await read()).toEqual([])
    await readAll()
    expect(pendingOrders.isReadable()).toBe(true)
    deposit(40)
    await readAll()
    expect(await read()).toEqual([])
    await readAll()
    expect(pendingOrders.isReadable()).toBe(false)
  })

  it('are not read where the filter is answered with 404 from the start', async () => {
    const { readAll, read, pendingOrders } = setUp({}, [3, 30], (page, { status }) => {
      if (status) throw refused(404)
      return page
    })
    await readAll()
    expect(await read()).toEqual([])
    expect(pendingOrders.isReadable()).toBe(false)
  })
})
