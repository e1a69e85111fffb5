import { describe, expect, it } from 'vitest'
import { createTestShop, deposit, pay } from '../shop.testing.ts'

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
      if (at === 1) pay(shop, at)
      else deposit(shop, at)
      await shop.pass(2 * minuteMs)
    }
    await shop.run(watching.stop())
    expect(shop.errors.map(({ code }) => code)).toContain('callback_failed')
    expect(told).toEqual(['cart-42 confirmed'])
  })
})
