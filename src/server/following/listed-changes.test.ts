import { describe, expect, it } from 'vitest'
import type { Order } from '../../service/types.ts'
import type { CheckoutRecord } from '../core/types.ts'
import { someOrder } from '../records/records.testing.ts'
import { createRecordPage } from './recording.ts'

/**
 * Checkouts and orders with the same names. A checkout takes over an order's status if `takes` says
 * so.
 */
function setUp(takes: (order: Order) => boolean = () => true) {
  const owned = new Set(['a', 'b'])
  const asked: string[][] = []
  const recorded: string[] = []
  const ownersOf = async (ids: readonly string[]) => {
    asked.push([...ids])
    return new Map(ids.filter((id) => owned.has(id)).map((id) => [id, `checkout of ${id}`]))
  }
  const recordAll = async (orders: ReadonlyMap<string, Order>) =>
    [...orders].map(([id, order]) => {
      recorded.push(`${order.id} ${order.status}`)
      return { id, status: takes(order) ? order.status : 'open' } as CheckoutRecord
    })
  const take = createRecordPage({ repository: { ownersOf } } as never, { recordAll })
  return { take, owned, asked, recorded }
}

describe('what a page of the list shows', () => {
  it('causes no write where nothing changed', async () => {
    const { take, asked } = setUp()
    await take([someOrder({ id: 'a' }), someOrder({ id: 'x' })])
    await take([someOrder({ id: 'a', status: null, statusText: 'odd' })])
    expect(asked).toEqual([])
  })

  it('is recorded in the checkouts that own the orders, once', async () => {
    const { take, recorded } = setUp()
    const paid = someOrder({ id: 'a', status: 'confirmed' })
    await take([paid, someOrder({ id: 'b' })])
    await take([paid])
    expect(recorded).toEqual(['a confirmed'])
    await take([someOrder({ id: 'a', status: 'open' })])
    expect(recorded).toEqual(['a confirmed', 'a open'])
  })

  it('is looked up again while it belongs to no checkout, or is not recorded yet', async () => {
    let isReady = false
    const { take, owned, recorded } = setUp(() => isReady)
    const orders = ['a', 'c'].map((id) => someOrder({ id, status: 'pending' }))
    await take(orders)
    owned.add('c')
    isReady = true
    await take(orders)
    await take(orders)
    expect(recorded).toEqual(['a pending', 'a pending', 'c pending'])
  })
})
