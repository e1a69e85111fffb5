import { describe, expect, it } from 'vitest'
import type { JsonRecord } from '../../contract/parse.ts'
import { createTestShop, type TestShop } from '../shop.testing.ts'
import { boundTo, mute, orderIdAt, pay } from './binding.testing.ts'

const minuteMs = 60_000

/** A shop whose service writes local times, without a zone or with a wrong one. */
function localShop(aheadMinutes: (atMs: number) => number, sandbox: object = {}, zone = ''): TestShop {
  const local = (text: unknown) => {
    const [, second = '', fraction = ''] = /^(.{19})(\.\d+)?Z$/.exec(String(text)) ?? []
    const atMs = Date.parse(`${second}Z`)
    return second === ''
      ? text
      : `${new Date(atMs + aheadMinutes(atMs) * minuteMs).toISOString().slice(0, 19)}${fraction}${zone}`
  }
  return createTestShop({
    sandbox,
    changeAnswer: (json: JsonRecord) =>
      Object.fromEntries(
        Object.entries(json).map(([name, value]) => [name, /_at$|_time$|_until$/.test(name) ? local(value) : value]),
      ),
  })
}

/** Somebody has made equal orders on this sub-account before. */
async function withEqualsBefore(shop: TestShop): Promise<void> {
  for (let count = 0; count < 5; count++) {
    shop.sandbox.addOrder({ sourceAsset: 'BTC', network: 'bitcoin', targetAsset: 'USD', targetAmount: '49.90' })
    await shop.pass(23 * minuteMs)
  }
}

/** Opens a cart, has it paid after two minutes, and reads it ten minutes later. */
async function sell(shop: TestShop, reference: string) {
  const checkout = await shop.open({ reference })
  await shop.pass(2 * minuteMs)
  pay(shop, checkout.address, checkout.amount)
  await shop.pass(10 * minuteMs)
  const own = orderIdAt(shop, checkout.address)
  const told = shop.events.filter((event) => event.reference === reference).map(({ phase }) => phase)
  return { isOwn: (await boundTo(shop, checkout.id))?.id === own, told }
}

describe('a service that writes local times without a zone', () => {
  it.each([
    [540, 'says when it created an order', {}],
    [-210, 'says when it created an order', {}],
    [345, 'says until when it is valid', { dateTime: 'valid-until' }],
    [840, 'shows addresses', { ...mute, listInstructions: true }],
    [-180, 'names the order', { ...mute, creationId: true }],
    [-720, 'lists the oldest first', { ...mute, direction: 'ascending' }],
    [765, 'lists the oldest first', { ...mute, direction: 'ascending' }],
    [-720, 'says nothing', mute],
    [-30, 'says nothing', mute],
    [0, 'says nothing', mute],
    [330, 'says nothing', mute],
    [840, 'says nothing', mute],
  ])('%i minutes ahead of UTC, is followed where it %s', async (zone, _, sandbox) => {
    const shop = localShop(() => zone, sandbox)
    await withEqualsBefore(shop)
    const watching = shop.paywindow.watch()
    expect(await sell(shop, 'first')).toEqual({ isOwn: true, told: ['paid'] })
    expect(await sell(shop, 'second')).toEqual({ isOwn: true, told: ['paid'] })
    await shop.run(watching.stop())
    expect(shop.errors).toEqual([])
  })

  it.each([
    ['forward', 60, 120],
    ['back', 120, 60],
    ['by half an hour', 630, 660],
  ])('is followed when its clocks are set %s', async (_, before, after) => {
    const shop = localShop((atMs) => (atMs < changeMs ? before : after), mute)
    let changeMs = Number.POSITIVE_INFINITY
    await withEqualsBefore(shop)
    const watching = shop.paywindow.watch()
    expect(await sell(shop, 'before')).toEqual({ isOwn: true, told: ['paid'] })
    const during = await shop.open({ reference: 'during' })
    await shop.pass(30_000)
    changeMs = shop.clock.now()
    expect(await sell(shop, 'after')).toEqual({ isOwn: true, told: ['paid'] })
    pay(shop, during.address, during.amount)
    await shop.pass(5 * minuteMs)
    await shop.run(watching.stop())
    expect((await boundTo(shop, during.id))?.id).toBe(orderIdAt(shop, during.address))
    expect(shop.errors).toEqual([])
  })
})

describe('a service that writes local times as if they were UTC', () => {
  it.each([60, -180, 330])('%i minutes ahead, is followed where it says when it created an order', async (ahead) => {
    const shop = localShop(() => ahead, {}, 'Z')
    await withEqualsBefore(shop)
    const watching = shop.paywindow.watch()
    expect(await sell(shop, 'first')).toEqual({ isOwn: true, told: ['paid'] })
    expect(await sell(shop, 'second')).toEqual({ isOwn: true, told: ['paid'] })
    await shop.run(watching.stop())
    expect(shop.errors).toEqual([])
  })
})
