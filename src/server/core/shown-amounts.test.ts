import { describe, expect, it } from 'vitest'
import type { Order } from '../../service/types.ts'
import { bitcoinAddress, someInstructions, someOrder } from '../records/records.testing.ts'
import { type Situation, weigh } from './evidence.ts'
import { someSituation } from './situation.testing.ts'

const situation = ({ orders = [someOrder()], ...more }: Partial<Situation>) => someSituation(orders, more)
const shown = (more: Partial<Order>) => someOrder({ walletAddress: bitcoinAddress, ...more })

describe('weigh, where an order shows the target amount alone', () => {
  const crowded = { foreignInWindow: true, rivals: [{ fromMs: 0, toMs: Number.POSITIVE_INFINITY }] }
  const fine = { ...someInstructions, dateTime: '2026-11-21T10:00:01.603085Z' }

  it.each([null, '0', '0.00', '0e-8'])(
    'goes by an equal time of creation or address with a source amount of %s',
    (sourceAmount) => {
      expect(weigh(situation({ ...crowded, instructions: fine, orders: [someOrder({ sourceAmount })] }))).toEqual({
        kind: 'found',
        orderId: 'order-1',
        evidence: 'timestamp',
        isCertain: true,
      })
      expect(weigh(situation({ ...crowded, orders: [shown({ sourceAmount })] }))).toMatchObject({ evidence: 'address' })
    },
  )

  it.each<[string, Partial<Order>]>([
    ['another target amount', { sourceAmount: '0', targetAmount: '10' }],
    ['no target amount', { sourceAmount: '0', targetAmount: null }],
    ['a target amount of 0', { sourceAmount: '0', targetAmount: '0' }],
    ['another source amount', { sourceAmount: '0.0003' }],
  ])('does not go by the time of an order with %s', (_, more) => {
    expect(weigh(situation({ ...crowded, instructions: fine, orders: [someOrder(more)] })).kind).toBe('unknown')
  })

  it('does not choose between two of the same time', () => {
    const orders = [someOrder(), someOrder({ id: 'order-2', sourceAmount: '0' })]
    expect(weigh(situation({ ...crowded, instructions: fine, orders })).kind).toBe('unknown')
  })

  it.each<[string, Partial<Order>]>([
    ['no source amount', { sourceAmount: null }],
    ['a source amount of 0', { sourceAmount: '0' }],
    ['no amounts and no assets', { sourceAmount: null, targetAmount: null, sourceAsset: null, targetAsset: null }],
  ])('does not count where an order with %s may be the right one', (_, more) => {
    const orders = [someOrder(), someOrder({ id: 'order-2', ...more })]
    expect(weigh(situation({ isListed: true, orders })).kind).toBe('unknown')
    const taken = new Set(['order-2'])
    expect(weigh(situation({ isListed: true, orders, taken }))).toMatchObject({ orderId: 'order-1' })
    const other = [someOrder(), someOrder({ id: 'order-2', ...more, targetAsset: 'EUR' })]
    expect(weigh(situation({ isListed: true, orders: other }))).toMatchObject({ orderId: 'order-1' })
  })
})
