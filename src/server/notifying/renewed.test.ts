import { describe, expect, it } from 'vitest'
import { createTestShop, order } from '../shop.testing.ts'

const minuteMs = 60_000

describe('a cart whose payer renewed', () => {
  it('is notified of the payment although an event of its earlier checkout cannot be delivered', async () => {
    const told: string[] = []
    const first = { id: '' }
    const shop = createTestShop({
      onStatusChange: ({ checkout, reference, status }) => {
        if (checkout.id === first.id) throw new Error('The shop refuses this event')
        told.push(`${reference} ${status}`)
      },
    })
    const { id, key } = await shop.open()
    first.id = id
    await shop.settle()
    const watching = shop.paywindow.watch()
    await shop.pass(25 * minuteMs)
    expect((await shop.send('POST', `/checkouts/${id}/renew`, { key, body: {} })).status).toBe(200)
    await shop.settle()
    for (const at of [0, 1]) {
      const { id: orderId, address, sourceAmount } = order(shop, at)
      shop.sandbox.payer.deposit({ address: address ?? '', asset: 'BTC', network: 'bitcoin', amount: sourceAmount })
      if (at === 1) shop.sandbox.payer.confirm(orderId)
      await shop.pass(2 * minuteMs)
    }
    await shop.run(watching.stop())
    expect(shop.errors.map(({ code }) => code)).toContain('callback_failed')
    expect(told).toEqual(['cart-42 confirmed'])
  })
})
