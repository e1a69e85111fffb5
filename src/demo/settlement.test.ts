import type { StatusEvent } from 'paywindow/server'
import { beforeEach, describe, expect, it } from 'vitest'
import { someMerchantCheckout } from '../server/views/merchant.testing.ts'
import { type Orders, openOrders } from './orders.ts'
import { settle } from './settlement.ts'

let orders: Orders
let lines: string[]

beforeEach(() => {
  orders = openOrders(':memory:')
  orders.start('a visitor')
  lines = []
})

function tell(event: Partial<StatusEvent>): void {
  const checkout = someMerchantCheckout({ reference: 'order-1042', test: true })
  const confirmed = { status: 'confirmed', previousStatus: 'pending', phase: 'paid' } as const
  settle(
    orders,
    {
      eventId: 'e1',
      reference: 'order-1042',
      price: checkout.price,
      checkout,
      at: checkout.createdAt,
      alsoPaid: [],
      ...confirmed,
      ...event,
    },
    (line) => lines.push(line),
  )
}

const state = () => orders.byReference('order-1042')?.state

describe('settle', () => {
  it('marks an order as paid and says which', () => {
    tell({})
    expect(state()).toBe('paid')
    expect(lines).toEqual(['order 1042 is paid (49.90 USD, checkout c1)'])
  })

  it('changes nothing more when the same event is delivered again', () => {
    tell({})
    tell({})
    expect(state()).toBe('paid')
  })

  it('does not take a payment of another price for the order', () => {
    tell({ price: { asset: 'USD', amount: '4.99' } })
    expect(state()).toBe('review')
  })

  it('does not take a payment in another asset for the order', () => {
    tell({ price: { asset: 'MXN', amount: '49.90' } })
    expect(state()).toBe('review')
  })

  it('asks a person when the payer paid twice', () => {
    tell({ alsoPaid: ['c0'] })
    expect(state()).toBe('review')
  })

  it('keeps the cart while a deposit is being confirmed, and gives it back when that came to nothing', () => {
    tell({ status: 'pending', previousStatus: 'open', phase: 'seen' })
    expect(state()).toBe('seen')
    tell({ status: 'canceled', previousStatus: 'pending', phase: 'ended' })
    expect(state()).toBe('open')
  })

  it('is not moved by another checkout of the order that ends', () => {
    tell({})
    tell({ status: 'canceled', previousStatus: 'open', phase: 'ended' })
    expect(state()).toBe('paid')
  })

  it('asks a person when a payment is taken back', () => {
    tell({})
    tell({ status: 'canceled', previousStatus: 'confirmed', phase: 'ended' })
    expect(state()).toBe('review')
  })

  it('says so when there is no such order', () => {
    tell({ reference: 'order-7' })
    expect(lines).toEqual(['order-7: a payment for an order that does not exist; please check it'])
  })
})
