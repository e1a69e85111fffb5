import { describe, expect, it } from 'vitest'
import { createRealShop, createTestShop } from '../shop.testing.ts'

const minuteMs = 60_000

/** One payer opens a checkout and leaves; others look at the offer each minute. */
async function visited(shop: ReturnType<typeof createTestShop>, minutes: number, eachMinute = async () => {}) {
  await shop.open()
  await shop.settle()
  for (let minute = 0; minute < minutes; minute++) {
    await shop.pass(minuteMs)
    await shop.readOffer()
    await eachMinute()
    await shop.settle()
  }
  return shop.errors.map(({ code }) => code)
}

describe('orders that nobody follows', () => {
  it('are reported once an hour', async () => {
    const shop = createTestShop()
    expect(await visited(shop, 5)).toEqual([])
    expect(await visited(shop, 3)).toEqual(['nobody_watches'])
    expect(await visited(shop, 50)).toEqual(['nobody_watches'])
    expect(await visited(shop, 20)).toEqual(['nobody_watches', 'nobody_watches'])
  })

  it('are reported after twenty minutes where money is real', async () => {
    const shop = createRealShop()
    expect(await visited(shop, 19)).toEqual([])
    expect(await visited(shop, 5)).toEqual(['nobody_watches'])
    expect(await visited(shop, 50)).toEqual(['nobody_watches'])
    expect(await visited(shop, 20)).toEqual(['nobody_watches', 'nobody_watches'])
  })

  it('are none while a process watches', async () => {
    const shop = createTestShop()
    const watching = shop.paywindow.watch()
    expect(await visited(shop, 90)).toEqual([])
    await shop.run(watching.stop())
  })

  it('are none while a job works each minute', async () => {
    const shop = createTestShop()
    expect(await visited(shop, 90, () => shop.run(shop.paywindow.watchOnce()))).toEqual([])
  })

  it('are none when nobody has bought anything', async () => {
    const shop = createTestShop()
    await shop.readOffer()
    for (let minute = 0; minute < 90; minute++) {
      await shop.pass(minuteMs)
      await shop.readOffer()
    }
    expect(shop.errors).toEqual([])
  })

  it('are not reported again once a process has begun to watch', async () => {
    const shop = createTestShop()
    expect(await visited(shop, 30)).toEqual(['nobody_watches'])
    const watching = shop.paywindow.watch()
    expect(await visited(shop, 90)).toEqual(['nobody_watches'])
    await shop.run(watching.stop())
  })
})
