/** A test account that was emptied, and numbers its orders from 1 again, under a store that was kept. */
import { describe, expect, it } from 'vitest'
import type { JsonRecord } from '../../contract/parse.ts'
import { createSandbox, type SandboxOptions, seededRandom } from '../../sandbox/index.ts'
import { createTestShop, order, pay, watchFor } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import { mute } from './binding.testing.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The same shop before and after. Equal seeds draw equal ids. */
function shopsOf(sandbox: SandboxOptions) {
  const base = createTestShop({ sandbox })
  const store = createMemoryStore(base.clock.now)
  const emptied = createSandbox({ clock: base.clock, random: seededRandom(1), ...sandbox })
  return {
    before: createTestShop({ beside: { shop: base, store } }),
    after: createTestShop({ beside: { shop: { ...base, sandbox: emptied }, store } }),
  }
}

describe.each<[string, SandboxOptions]>([
  ['by its time', {}],
  ['by counting', mute],
  ['by the address in its details', { ...mute, detailsInstructions: true }],
])('an order that is found %s, with the id of an order from before', (_, sandbox) => {
  it.each([
    ['nobody had paid', false, 40 * minuteMs],
    ['nobody had paid, days ago', false, 50 * hourMs],
    ['was paid', true, 40 * minuteMs],
    ['was paid, days ago', true, 100 * hourMs],
    ['was paid, weeks ago', true, 50 * 24 * hourMs],
  ])('is told for its own cart alone, where that order %s', async (_, isPaid, laterMs) => {
    const { before, after } = shopsOf(sandbox)
    await before.open({ reference: 'old' })
    await before.settle()
    await watchFor(before, 2 * minuteMs)
    if (isPaid) pay(before)
    await watchFor(before, 2 * minuteMs)
    const told = isPaid ? ['old paid'] : []
    expect(before.events.map(({ reference, phase }) => `${reference} ${phase}`)).toEqual(told)
    await after.pass(laterMs)
    const watching = after.paywindow.watch()
    await after.pass(5 * minuteMs)
    const checkout = await after.open({ reference: 'new' })
    await after.pass(3 * minuteMs)
    const [one] = before.sandbox.orders()
    const [two] = after.sandbox.orders()
    expect(two?.id).toBe(one?.id)
    pay(after)
    await after.pass(10 * minuteMs)
    for (let hours = 0; hours < 3; hours++) await after.pass(hourMs)
    await after.run(watching.stop())
    expect(after.events.map(({ reference, phase }) => `${reference} ${phase}`)).toEqual(['new paid'])
    expect((await after.poll(checkout)).phase).toBe('paid')
    const [old] = await after.paywindow.checkouts.list({ reference: 'old' })
    expect(old?.status).toBe(isPaid ? 'confirmed' : 'open')
  })
})

it.each([
  ['waits', false],
  ['is seen', true],
])('a payment of a cart that %s is never lost silently where its order then shows another time', async (_, isSeen) => {
  let isOther = false
  const changeAnswer = (json: JsonRecord) =>
    isOther && 'created_at' in json ? { ...json, created_at: '2026-01-01T00:07:00.123Z' } : json
  const shop = createTestShop({ changeAnswer })
  await shop.open()
  const watching = shop.paywindow.watch()
  await shop.pass(2 * minuteMs)
  const { id, address, sourceAmount } = order(shop)
  if (isSeen) shop.sandbox.payer.deposit({ address: address ?? '', amount: sourceAmount })
  await shop.pass(2 * minuteMs)
  expect(shop.events.map(({ phase }) => phase)).toEqual(isSeen ? ['seen'] : [])
  isOther = true
  if (!isSeen) shop.sandbox.payer.deposit({ address: address ?? '', amount: sourceAmount })
  shop.sandbox.payer.confirm(id)
  await shop.pass(5 * minuteMs)
  await shop.run(watching.stop())
  expect(shop.errors.map(({ code }) => code)).toContain('binding_contradicted')
})
