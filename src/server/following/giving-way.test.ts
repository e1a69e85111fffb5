/** Processes that watch, and of which one watches in vain. */
import { expect, it } from 'vitest'
import { withFraction } from '../../service/virtual-clock.testing.ts'
import { createTestShop, type TestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import { mute, pay } from './binding.testing.ts'

const minuteMs = 60_000

/** The first of two processes watches; payers come to the other, and close the page. */
async function paidBeside(begin: (shop: TestShop) => void, aheadMs = 0) {
  const base = createTestShop({ sandbox: mute })
  const store = createMemoryStore(base.clock.now)
  const clock = {
    now: () => base.clock.now() + aheadMs,
    monotonic: () => withFraction(base.clock.now()),
    sleep: base.clock.sleep,
  }
  const [first, second] = [
    createTestShop({ beside: { shop: base, store }, clock }),
    createTestShop({ beside: { shop: base, store } }),
  ]
  const watches = [first.paywindow.watch()]
  await base.pass(5_000)
  watches.push(second.paywindow.watch())
  await base.pass(minuteMs)
  begin(first)
  const checkouts = []
  for (const reference of ['a', 'b', 'c', 'd']) {
    checkouts.push(await second.open({ reference }))
    await base.pass(20_000)
  }
  await base.pass(3 * minuteMs)
  for (const { address, amount } of checkouts) pay(base, address, amount)
  await base.pass(3 * minuteMs)
  const told = [first, second].flatMap(({ events }) => events.map(({ reference, phase }) => `${reference} ${phase}`))
  await base.run(Promise.all(watches.map((watch) => watch.stop())))
  return told.toSorted()
}

const allPaid = ['a paid', 'b paid', 'c paid', 'd paid']

it('a process that cannot reach the service lets another watch', async () => {
  const cutOff = (shop: TestShop) => {
    shop.onRequest = () => {
      throw new TypeError('fetch failed')
    }
  }
  expect(await paidBeside(cutOff)).toEqual(allPaid)
})

it.each([24, 1])('a process whose clock is %i hours behind lets another watch', async (hours) => {
  expect(await paidBeside(() => {}, -hours * 60 * minuteMs)).toEqual(allPaid)
})
