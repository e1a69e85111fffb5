import { describe, expect, it } from 'vitest'
import type { JsonRecord } from '../../contract/parse.ts'
import { createTestShop, type TestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import { boundTo, mute, orderIdAt } from './binding.testing.ts'

const minuteMs = 60_000

/** A shop whose service shows the deposited instead of the requested amount. */
function shopThatShows(received: object, sandbox: object) {
  let depositedAtMs = Number.POSITIVE_INFINITY
  const changeAnswer = (json: JsonRecord, sentAtMs: number) =>
    sentAtMs > depositedAtMs && 'created_at' in json && json.status !== 'open' ? { ...json, ...received } : json
  const store = createMemoryStore()
  const shop = createTestShop({ sandbox, store, changeAnswer })
  const deposit = (at: TestShop, address: string) => {
    depositedAtMs = at.clock.now()
    at.sandbox.payer.deposit({ address, amount: '0.0007' })
  }
  /** Another server on the same store, which has read nothing yet. */
  const other = () => createTestShop({ beside: { shop, store }, changeAnswer })
  return { shop, other, deposit }
}

/** The deposit comes before the list shows the order, which then is bound, and seen. */
async function paidBeforeItIsListed(shown: object, sandbox: object) {
  const { shop, deposit } = shopThatShows(shown, { ...sandbox, appearAfterMs: () => 40_000 })
  const checkout = await shop.open()
  const watching = shop.paywindow.watch()
  await shop.pass(20_000)
  deposit(shop, checkout.address)
  await shop.pass(5 * minuteMs)
  await shop.run(watching.stop())
  expect(await boundTo(shop, checkout.id)).toMatchObject({ id: orderIdAt(shop, checkout.address) })
  expect(shop.events).toMatchObject([{ status: 'pending' }])
  return { shop, checkout }
}

describe('an order that shows another amount before its binding is certain', () => {
  const ways = [
    ['counting', mute],
    ['its address', { ...mute, listInstructions: true }],
    ['the address in its details', { ...mute, detailsInstructions: true }],
    ['its id', { ...mute, creationId: true }],
    ['its time', { dateTime: 'created-seconds', expTime: null, listInstructions: true }],
  ] as const
  const amounts = [
    ['less', { source_amount: 0.0007 }],
    ['more', { source_amount: 0.9 }],
    ['less of both', { source_amount: 0.0007, target_amount: 45.2 }],
  ] as const

  it.each(ways.flatMap(([way, sandbox]) => amounts.map(([what, shown]) => [way, what, sandbox, shown] as const)))(
    "found by %s, stays the checkout's when it shows %s, also for a server that starts then",
    async (_, __, sandbox, shown) => {
      const { shop, other, deposit } = shopThatShows(shown, sandbox)
      const checkout = await shop.open()
      await shop.pass(20_000)
      deposit(shop, checkout.address)
      await shop.run(shop.paywindow.close())
      const later = other()
      const watching = later.paywindow.watch()
      await later.pass(4 * minuteMs)
      later.sandbox.payer.confirm(orderIdAt(shop, checkout.address))
      await later.pass(10 * minuteMs)
      await later.run(watching.stop())
      expect(await boundTo(later, checkout.id)).toMatchObject({ id: orderIdAt(shop, checkout.address) })
      expect(later.events.at(-1)).toMatchObject({ status: 'confirmed' })
      expect(later.errors.map(({ code }) => code)).not.toContain('binding_contradicted')
    },
  )

  it.each([
    ['its address', { ...mute, listInstructions: true }],
    ['the address in its details', { ...mute, detailsInstructions: true }],
    ['its time', { dateTime: 'created', expTime: null }],
  ] as const)('is found by %s when the list shows it after the deposit', async (_, sandbox) => {
    const { shop } = await paidBeforeItIsListed({ source_amount: 0.0007 }, sandbox)
    expect(shop.errors).toEqual([])
  })

  it('is found by its address when it first shows other amounts', async () => {
    const shown = { source_amount: 0.0007, target_amount: 45.2 }
    const { shop, checkout } = await paidBeforeItIsListed(shown, { ...mute, listInstructions: true })
    expect((await shop.poll(checkout)).phase).toBe('seen')
  })

  it('leaves no equal order of a lost request as the only one', async () => {
    let creations = 0
    const { shop, deposit } = shopThatShows(
      { source_amount: 0.0007, target_amount: 45.2 },
      {
        ...mute,
        appearAfterMs: () => 40_000,
        // The order of another cart is made, and its answer is lost.
        faults: ({ method }: Request) =>
          method === 'POST' && ++creations === 1 ? { kind: 'reset', workDone: true } : undefined,
      },
    )
    const watching = shop.paywindow.watch()
    const other = shop.send('POST', '/checkouts', { body: { reference: 'other' } })
    const checkout = await shop.open()
    await other
    expect(creations).toBe(3)
    await shop.pass(20_000)
    deposit(shop, checkout.address)
    await shop.pass(5 * minuteMs)
    await shop.run(watching.stop())
    const { order, candidates } = (await shop.paywindow.checkouts.get(checkout.id)) ?? {}
    expect(order).toBeNull()
    expect(candidates).toContain(orderIdAt(shop, checkout.address))
  })
})
