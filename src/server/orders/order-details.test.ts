import { expect, it, vi } from 'vitest'
import { ServiceError } from '../../service/errors.ts'
import { bitcoinAddress, someCheckout, someInstructions, someOrder } from '../records/records.testing.ts'
import { createDetailsReader } from './order-details.ts'

const reported: string[] = []
let nowMs = 0
const reader = (orderDetails: Parameters<typeof createDetailsReader>[0]) =>
  createDetailsReader(
    orderDetails,
    ({ message }) => reported.push(message),
    () => nowMs,
  )

const orders = ['order-1', 'order-2'].map((id) => someOrder({ id }))

it('reads the details of each order once, also for two searches at the same moment', async () => {
  const orderDetails = vi.fn(async (id: string) => someOrder({ id, walletAddress: bitcoinAddress }))
  const complete = reader(orderDetails)
  const search = () => complete(orders, someCheckout(), someInstructions)
  for (const { orders: found, areRead } of [...(await Promise.all([search(), search()])), await search()]) {
    expect(areRead).toBe(true)
    expect(found.map(({ walletAddress }) => walletAddress)).toEqual([bitcoinAddress, bitcoinAddress])
  }
  expect(orderDetails).toHaveBeenCalledTimes(2)
})

it('reads them once more after a change of status: a deposit changes the amounts', async () => {
  const paid = { status: 'confirmed', targetAmount: '5' } as const
  const orderDetails = vi.fn(async (id: string) => someOrder({ id, from: 'details', walletAddress: bitcoinAddress }))
  const complete = reader(orderDetails)
  await complete([someOrder()], someCheckout(), someInstructions)
  orderDetails.mockImplementation(async (id) =>
    someOrder({ id, from: 'details', walletAddress: bitcoinAddress, ...paid }),
  )
  const listed = someOrder({ status: 'confirmed' })
  for (const _ of ['once', 'twice'])
    expect((await complete([listed], someCheckout(), someInstructions)).orders).toMatchObject([
      { ...paid, from: 'list' },
    ])
  expect(orderDetails).toHaveBeenCalledTimes(2)
})

it('tells all who wait that the service does not answer, and asks again the next time', async () => {
  const orderDetails = vi.fn(async (id: string) => someOrder({ id }))
  orderDetails.mockRejectedValueOnce(new ServiceError('unreachable', 'reset', { outcome: 'unknown' }))
  const complete = reader(orderDetails)
  const search = () => complete(orders.slice(0, 1), someCheckout(), someInstructions)
  const outcomes = await Promise.allSettled([search(), search()])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect((await search()).areRead).toBe(true)
  expect(orderDetails).toHaveBeenCalledTimes(2)
})

it('goes on without details that keep failing, and takes them in when they are there again', async () => {
  const orderDetails = vi.fn(async (id: string) => someOrder({ id, walletAddress: bitcoinAddress }))
  const failure = new ServiceError('unavailable', 'GET /v1/orders/details/order-1 answered 500', { outcome: 'unknown' })
  for (let times = 0; times < 2; times++) orderDetails.mockRejectedValueOnce(failure)
  const complete = reader(orderDetails)
  const search = () => complete(orders.slice(0, 1), someCheckout(), someInstructions)
  await expect(search()).rejects.toBe(failure)
  nowMs += 61_000
  expect(await search()).toEqual({ orders: orders.slice(0, 1), areRead: false })
  expect(await search()).toMatchObject({ orders: [{ walletAddress: bitcoinAddress }], areRead: true })
})

it.each(['invalid_answer', 'forbidden', 'refused'] as const)(
  'goes on at once without details that are %s, reports them, and asks again a minute later',
  async (code) => {
    reported.length = 0
    const orderDetails = vi.fn(async (id: string) => someOrder({ id }))
    orderDetails.mockRejectedValueOnce(new ServiceError(code, 'no', { outcome: 'unknown' }))
    const complete = reader(orderDetails)
    const search = () => complete(orders.slice(0, 1), someCheckout(), someInstructions)
    expect((await search()).areRead).toBe(false)
    expect((await search()).areRead).toBe(false)
    expect(orderDetails).toHaveBeenCalledTimes(1)
    expect(reported).toEqual(['The details of order order-1 could not be read: no'])
    nowMs += 61_000
    expect((await search()).areRead).toBe(true)
  },
)

it('asks again, ever less often, for details that lack the address, until they have it', async () => {
  const orderDetails = vi.fn(async (id: string) =>
    someOrder({ id, walletAddress: nowMs < 200_000 ? null : bitcoinAddress }),
  )
  const complete = reader(orderDetails)
  nowMs = 0
  const found: unknown[] = []
  for (; nowMs < 400_000; nowMs += 10_000) {
    const { orders: completed, areRead } = await complete(orders.slice(0, 1), someCheckout(), someInstructions)
    expect(areRead).toBe(true)
    found.push(completed[0]?.walletAddress)
  }
  expect(found.at(-1)).toBe(bitcoinAddress)
  // After 0, 60, 120 and 240 s.
  expect(orderDetails).toHaveBeenCalledTimes(4)
})

it('does not take an amount of 0 in the details for that of the order', async () => {
  const complete = reader(async (id) => someOrder({ id, sourceAmount: '0', walletAddress: bitcoinAddress }))
  const { orders: found } = await complete(orders.slice(0, 1), someCheckout(), someInstructions)
  expect(found).toMatchObject([{ sourceAmount: '0.00150', walletAddress: bitcoinAddress }])
})

it.each([
  ['those of details with more digits, while the status is the same', 'open', '0.00150000', '0.0015'],
  ['those of the list, where the order was confirmed for less since', 'confirmed', '0.0009', '0.0009'],
  ['those of the details, where the list shows none', 'confirmed', '0.0', '0.0015'],
] as const)('takes of the two amounts %s', async (_, status, listed, taken) => {
  const complete = reader(async (id) => someOrder({ id, walletAddress: bitcoinAddress, sourceAmount: '0.0015' }))
  const search = (order: Parameters<typeof someOrder>[0]) =>
    complete([someOrder({ id: 'order-1', ...order })], someCheckout(), someInstructions)
  await search({})
  const { orders: found } = await search({ status, sourceAmount: listed })
  expect(found).toMatchObject([{ status, sourceAmount: taken, walletAddress: bitcoinAddress }])
})
