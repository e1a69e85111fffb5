import { expect, it, vi } from 'vitest'
import { ServiceError } from '../../service/errors.ts'
import { bitcoinAddress, someCheckout, someInstructions, someOrder } from '../records/records.testing.ts'
import { createPlaceReader } from './places.ts'

const orders = ['order-1', 'order-2'].map((id) => someOrder({ id }))

it('reads the details of each order once, also for two searches at the same moment', async () => {
  const orderDetails = vi.fn(async (id: string) => someOrder({ id, walletAddress: bitcoinAddress }))
  const { complete } = createPlaceReader({ orderDetails })
  const search = () => complete(orders, someCheckout(), someInstructions)
  for (const { orders: found, areRead } of [...(await Promise.all([search(), search()])), await search()]) {
    expect(areRead).toBe(true)
    expect(found.map(({ walletAddress }) => walletAddress)).toEqual([bitcoinAddress, bitcoinAddress])
  }
  expect(orderDetails).toHaveBeenCalledTimes(2)
})

it('tells all who wait that the service does not answer, and asks again the next time', async () => {
  const orderDetails = vi.fn(async (id: string) => someOrder({ id }))
  orderDetails.mockRejectedValueOnce(new ServiceError('unreachable', 'reset', { outcome: 'unknown' }))
  const { complete } = createPlaceReader({ orderDetails })
  const search = () => complete(orders.slice(0, 1), someCheckout(), someInstructions)
  const outcomes = await Promise.allSettled([search(), search()])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect((await search()).areRead).toBe(true)
  expect(orderDetails).toHaveBeenCalledTimes(2)
})
