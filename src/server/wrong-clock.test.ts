/** Servers whose own clock is wrong, by an hour or by years. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KeyedCheckout } from '../contract/checkout.ts'
import { withFraction } from '../service/virtual-clock.testing.ts'
import { inTier } from '../testing/tier.testing.ts'
import { pay } from './following/binding.testing.ts'
import { createTestShop, type TestShop, type TestShopOptions, watchFor } from './shop.testing.ts'
import { createMemoryStore } from './store/memory.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** A server beside another, whose clock is wrong by this much. */
function serverBeside(
  shop: TestShop,
  store: ReturnType<typeof createMemoryStore>,
  wrong: { byMs: number },
  options: TestShopOptions = {},
): TestShop {
  const clock = {
    now: () => shop.clock.now() + wrong.byMs,
    monotonic: () => withFraction(shop.clock.now()),
    sleep: shop.clock.sleep,
  }
  return createTestShop({ beside: { shop, store }, clock, ...options })
}

async function openSome(shop: TestShop): Promise<readonly KeyedCheckout[]> {
  const checkouts: KeyedCheckout[] = []
  for (const reference of ['a', 'b', 'c']) {
    checkouts.push(await shop.open({ reference }))
    await shop.pass(2_000)
  }
  return checkouts
}

function paidIn(shop: TestShop): readonly string[] {
  return shop.events.filter(({ phase }) => phase === 'paid').map(({ reference }) => reference)
}

const wrongByMs = fc.oneof(
  fc.constantFrom(0, hourMs, dayMs, 29 * dayMs, 31 * dayMs, 91 * dayMs, 366 * dayMs),
  fc.integer({ min: 0, max: 3_000 * dayMs }),
)

describe('a server with a wrong clock', () => {
  it('ends no checkout of others while it watches, and puts off no look', async () => {
    await fc.assert(
      fc.asyncProperty(wrongByMs, fc.constantFrom(1, -1), async (ms, sign) => {
        const base = createTestShop()
        const store = createMemoryStore(base.clock.now)
        const right = serverBeside(base, store, { byMs: 0 })
        const checkouts = await openSome(right)
        await right.settle()
        await right.pass(2 * minuteMs)
        const wrong = serverBeside(base, store, { byMs: sign * ms })
        await watchFor(wrong, minuteMs)
        const watch = right.paywindow.watch()
        for (const checkout of checkouts) {
          expect((await right.poll(checkout)).phase).toBe('waiting')
          pay(base, checkout.address, checkout.amount)
        }
        // The sweep corrects due times of a clock that is wrong by a day or less.
        await base.pass(ms > dayMs + hourMs ? 5 * minuteMs : 130 * minuteMs)
        expect([...paidIn(right), ...paidIn(wrong)].toSorted()).toEqual(['a', 'b', 'c'])
        await base.run(watch.stop())
      }),
      { numRuns: inTier(4, 30) },
    )
  })

  it('ends no checkout of its own when it is put right, and is told of payments as soon as others', async () => {
    await fc.assert(
      fc.asyncProperty(wrongByMs, fc.boolean(), async (behindMs, polls) => {
        const base = createTestShop()
        const store = createMemoryStore(base.clock.now)
        const wrong = { byMs: -behindMs }
        const shop = serverBeside(base, store, wrong)
        const watch = shop.paywindow.watch()
        const checkout = await shop.open()
        await base.pass(20_000)
        wrong.byMs = 0
        await base.pass(5 * minuteMs)
        if (polls) expect((await shop.poll(checkout)).phase).toBe('waiting')
        pay(base, checkout.address, checkout.amount)
        await base.pass(3 * minuteMs)
        expect(paidIn(shop)).toEqual(['cart-42'])
        await base.run(watch.stop())
      }),
      { numRuns: inTier(4, 30) },
    )
  })

  it('ends no checkout when it is set ahead while it watches', async () => {
    await fc.assert(
      fc.asyncProperty(wrongByMs, fc.boolean(), async (aheadMs, isSetRight) => {
        const base = createTestShop()
        const store = createMemoryStore(base.clock.now)
        const wrong = { byMs: 0 }
        const [shop, right] = [serverBeside(base, store, wrong), serverBeside(base, store, { byMs: 0 })]
        const watch = shop.paywindow.watch()
        const checkouts = await openSome(shop)
        await base.pass(2 * minuteMs)
        wrong.byMs = aheadMs
        await base.pass(minuteMs)
        if (isSetRight) wrong.byMs = 0
        await base.pass(minuteMs)
        for (const checkout of checkouts) expect((await right.poll(checkout)).status).toBe('open')
        await base.run(watch.stop())
      }),
      { numRuns: inTier(8, 30) },
    )
  })

  it('shows addresses and is told of payments while it is ahead by months', async () => {
    const base = createTestShop()
    const shop = serverBeside(base, createMemoryStore(base.clock.now), { byMs: 40 * dayMs })
    const watch = shop.paywindow.watch()
    for (const { address, amount } of await openSome(shop)) pay(base, address, amount)
    await base.pass(minuteMs)
    expect(paidIn(shop).toSorted()).toEqual(['a', 'b', 'c'])
    expect(shop.errors.map(({ code }) => code)).not.toContain('internal')
    await base.run(watch.stop())
  })

  it.each([
    ['delivers it', { finds: 0, delivers: 10 * dayMs }],
    ['has found it', { finds: -10 * dayMs, delivers: 0 }],
  ])(
    'gives up no payment while the shop is away for a day, where the one that %s is wrong by ten days',
    async (_, byMs) => {
      const base = createTestShop()
      const store = createMemoryStore(base.clock.now)
      const finder = serverBeside(base, store, { byMs: byMs.finds }, { hasCallback: false })
      const told: string[] = []
      let isAway = true
      const teller = serverBeside(
        base,
        store,
        { byMs: byMs.delivers },
        {
          onStatusChange: ({ reference, phase }) => {
            if (isAway) throw new Error('The shop is away')
            told.push(`${reference} ${phase}`)
          },
        },
      )
      const checkout = await finder.open()
      await finder.settle()
      pay(base, checkout.address, checkout.amount)
      await base.pass(minuteMs)
      await finder.poll(checkout)
      await finder.settle()
      for (let hours = 0; hours < 30; hours++) {
        isAway = hours < 26
        await base.pass(hourMs)
        await base.run(teller.paywindow.watchOnce())
      }
      expect(told).toEqual(['cart-42 paid'])
    },
  )

  it('archives nothing before the service has said what time it is', async () => {
    const base = createTestShop()
    const store = createMemoryStore(base.clock.now)
    const right = serverBeside(base, store, { byMs: 0 })
    base.sandbox.faults = ({ method }) => (method === 'POST' ? { kind: 'status', status: 500 } : undefined)
    await right.send('POST', '/checkouts', { body: { reference: 'cart-42' } })
    await right.pass(minuteMs)
    const wrong = serverBeside(base, store, { byMs: 40 * dayMs })
    await base.run(wrong.paywindow.watchOnce())
    expect(await right.paywindow.checkouts.list()).toHaveLength(1)
    base.sandbox.faults = undefined
    await base.run(wrong.paywindow.watchOnce())
    expect(await right.paywindow.checkouts.list()).toHaveLength(1)
  })
})
