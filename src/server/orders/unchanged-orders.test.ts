import { describe, expect, it } from 'vitest'
import type { Order } from '../../service/types.ts'
import { someOrder } from '../records/records.testing.ts'
import { createOrderList } from './order-list.ts'

/** What an order can say anew. */
const changes: { readonly [Name in keyof Order]: Order[Name] } = {
  from: 'details',
  id: 'order-2',
  status: 'confirmed',
  statusText: 'confirmed',
  subAccountId: 'sub',
  recipientEmail: 'payer@shop.example',
  description: 'words',
  sourceAsset: 'ETH',
  sourceAmount: '0.2',
  targetAsset: 'EUR',
  targetAmount: '10',
  network: 'bitcoin',
  walletAddress: 'an address',
  tag: '1',
  message: 'words',
  createdAt: '2026-11-21T10:00:02Z',
  validUntil: '2026-11-21T10:20:02Z',
  timing: { sentAtMs: 1, answeredAtMs: 2, serviceDateMs: 3 },
}

describe('an order that is read again', () => {
  it.each(Object.entries(changes))(
    'is as its last page shows it, also where only its %s is new',
    async (name, value) => {
      const first = someOrder()
      const last = someOrder({ [name]: value })
      let nowMs = 0
      let order = first
      const listOrders = async () => ({
        orders: [order],
        page: 1,
        size: 100,
        totalPages: 1,
        unreadable: 0,
        timing: order.timing,
      })
      const list = createOrderList({ listOrders }, { now: () => nowMs, sleep: async () => {}, pagesPerSecond: 5 })
      const read = async () => (await list.since(0)).orders
      expect(await read()).toEqual([first])
      order = last
      nowMs += 2_000
      expect(await read()).toEqual([last])
      expect(list.shown(last.id)?.order).toEqual(last)
    },
  )
})
