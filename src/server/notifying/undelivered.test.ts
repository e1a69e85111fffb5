import { expect, it } from 'vitest'
import { createRealShop, createTestShop, pay } from '../shop.testing.ts'

it('changes that nobody delivers are reported after five minutes where money is real', async () => {
  const shop = createRealShop({ hasCallback: false })
  const checkout = await shop.open()
  await shop.settle()
  pay(shop)
  const told = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      await shop.pass(60_000)
      await shop.poll(checkout)
    }
    await shop.settle()
    return shop.errors.map(({ code }) => code)
  }
  expect(await told(4)).toEqual([])
  expect(await told(4)).toEqual(['events_waiting'])
})

it('a process that watches without a callback says so at the first request in test mode, and its page hears it', async () => {
  const shop = createTestShop({ hasCallback: false })
  const watching = shop.paywindow.watch()
  await shop.open()
  await shop.settle()
  expect(shop.errors.map(({ code }) => code)).toEqual(['events_waiting'])
  const { headers } = await shop.send('GET', '/offer?reference=cart-42')
  expect(headers.get('paywindow-notes')).toMatch('watch() runs in a process without onStatusChange')
  await shop.run(watching.stop())
})

it('whoever tries out a server that has no callback and does not watch hears it with the next page', async () => {
  const shop = createTestShop({ hasCallback: false })
  const checkout = await shop.open()
  await shop.settle()
  pay(shop)
  await shop.pass(15_000)
  await shop.poll(checkout)
  await shop.settle()
  expect(shop.errors).toEqual([])
  await shop.pass(90_000)
  await shop.readOffer()
  await shop.settle()
  expect(shop.errors.map(({ code }) => code)).toEqual(['events_waiting'])
})
