import { describe, expect, it } from 'vitest'
import type { KeyedCheckout } from '../../contract/checkout.ts'
import type { Fault } from '../../sandbox/faults.ts'
import type { SandboxOptions } from '../../sandbox/options.ts'
import { createTestShop, type TestShop } from '../shop.testing.ts'

/** A shop with so many open checkouts of different prices, each with its order. */
async function busyShop(count: number, sandbox: SandboxOptions = {}) {
  const asked: string[] = []
  let fault: ((path: string) => Fault | undefined) | undefined
  const shop = createTestShop({ sandbox: { ...sandbox, creationId: true } })
  shop.sandbox.faults = ({ method, url }) => {
    const path = new URL(url).pathname
    if (method === 'GET') asked.push(path)
    return fault?.(path)
  }
  const checkouts: KeyedCheckout[] = []
  for (let at = 0; at < count; at += 1) {
    shop.offer = {
      price: { asset: 'USD', amount: `${at + 1}.5` },
      methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
      merchant: { name: 'Lantern Books' },
    }
    checkouts.push(await shop.open({ reference: `cart-${at}` }))
  }
  await shop.settle()
  await shop.pass(10_000)
  asked.splice(0)
  return { shop, checkouts, asked, fail: (next: typeof fault) => (fault = next) }
}

const pollAll = async (shop: TestShop, checkouts: readonly KeyedCheckout[]) => {
  const phases: string[] = []
  for (const checkout of checkouts) phases.push((await shop.poll(checkout)).phase)
  return phases
}

describe('polls of many checkouts', () => {
  it('are answered from one reading of the list, each with its own status', async () => {
    const { shop, checkouts, asked } = await busyShop(20)
    const { address, sourceAmount } = shop.sandbox.orders()[13] ?? {}
    shop.sandbox.payer.deposit({ address: address ?? '', asset: 'BTC', network: 'bitcoin', amount: sourceAmount ?? '' })
    const phases = await pollAll(shop, checkouts)
    expect(phases).toEqual(checkouts.map((_, at) => (at === 13 ? 'seen' : 'waiting')))
    expect(asked.filter((path) => path.includes('details'))).toHaveLength(3)
    // The first reading finds out whether pages count from 0 or 1.
    expect(asked).toHaveLength(3 + 2)
  })

  it('send single requests while they are few', async () => {
    const { shop, checkouts, asked } = await busyShop(3)
    await pollAll(shop, checkouts)
    expect(asked.filter((path) => path.includes('details'))).toHaveLength(3)
    expect(asked).toHaveLength(3)
  })

  it('update every checkout that a page shows, also those that nobody polls', async () => {
    const { shop, checkouts } = await busyShop(20)
    const { address, sourceAmount } = shop.sandbox.orders()[13] ?? {}
    shop.sandbox.payer.deposit({ address: address ?? '', asset: 'BTC', network: 'bitcoin', amount: sourceAmount ?? '' })
    await pollAll(shop, checkouts.slice(0, 4))
    await shop.settle()
    expect(shop.events.map(({ reference, status }) => [reference, status])).toEqual([['cart-13', 'pending']])
  })

  it('show what changed after the list was read, once that reading is no longer fresh', async () => {
    const { shop, checkouts } = await busyShop(10)
    await pollAll(shop, checkouts)
    const { address, sourceAmount } = shop.sandbox.orders()[7] ?? {}
    shop.sandbox.payer.deposit({ address: address ?? '', asset: 'BTC', network: 'bitcoin', amount: sourceAmount ?? '' })
    await shop.pass(2_500)
    expect((await pollAll(shop, checkouts))[7]).toBe('seen')
  })

  it('send single requests when the list cannot be read, and report it', async () => {
    const { shop, checkouts, asked, fail } = await busyShop(6)
    fail((path) => (path.includes('details') ? undefined : { kind: 'status', status: 500 }))
    await pollAll(shop, checkouts)
    expect(asked.filter((path) => path.includes('details'))).toHaveLength(6)
    expect(shop.errors.map(({ code }) => code)).toEqual(['service_unavailable'])
    expect(shop.errors[0]?.message).toMatch(/^The order list could not be read/)
  })

  it('are answered at once from the previous list while a slow reading continues', async () => {
    const { shop, checkouts, asked, fail } = await busyShop(20)
    await pollAll(shop, checkouts)
    const { address, sourceAmount } = shop.sandbox.orders()[7] ?? {}
    shop.sandbox.payer.deposit({ address: address ?? '', asset: 'BTC', network: 'bitcoin', amount: sourceAmount ?? '' })
    await shop.pass(2_500)
    asked.splice(0)
    fail((path) => (path.includes('details') ? undefined : { kind: 'latency', beforeMs: 3_000 }))
    const few = checkouts.slice(10, 13)
    await pollAll(shop, few)
    const beganMs = shop.sandbox.clock.now()
    expect((await pollAll(shop, checkouts))[7]).toBe('waiting')
    expect(shop.sandbox.clock.now() - beganMs).toBeLessThan(100)
    await shop.pass(6_000)
    await pollAll(shop, few)
    expect((await pollAll(shop, checkouts))[7]).toBe('seen')
    expect(asked.filter((path) => path.includes('details'))).toHaveLength(6)
  })

  it('are answered from the previous list, not one by one, when the list fails for a moment', async () => {
    const { shop, checkouts, asked, fail } = await busyShop(20)
    await pollAll(shop, checkouts)
    await shop.pass(2_500)
    asked.splice(0)
    fail((path) => (path.includes('details') ? undefined : { kind: 'status', status: 500 }))
    await pollAll(shop, checkouts)
    expect(asked.filter((path) => path.includes('details')).length).toBeLessThanOrEqual(3)
  })

  it('do not use an old list when it keeps failing', async () => {
    const { shop, checkouts, asked, fail } = await busyShop(6)
    await pollAll(shop, checkouts)
    fail((path) => (path.includes('details') ? undefined : { kind: 'status', status: 500 }))
    const { address, sourceAmount } = shop.sandbox.orders()[5] ?? {}
    shop.sandbox.payer.deposit({ address: address ?? '', asset: 'BTC', network: 'bitcoin', amount: sourceAmount ?? '' })
    for (let passedMs = 0; passedMs < 70_000; passedMs += 5_000) {
      await shop.pass(5_000)
      await pollAll(shop, checkouts)
    }
    asked.splice(0)
    await shop.pass(5_000)
    expect((await pollAll(shop, checkouts))[5]).toBe('seen')
    expect(asked.filter((path) => path.includes('details'))).toHaveLength(6)
  })

  it('are answered from a reading that took longer than a minute', async () => {
    const { shop, checkouts, asked, fail } = await busyShop(8, { maxPageSize: 1 })
    const { address, sourceAmount } = shop.sandbox.orders()[7] ?? {}
    shop.sandbox.payer.deposit({ address: address ?? '', asset: 'BTC', network: 'bitcoin', amount: sourceAmount ?? '' })
    fail((path) => (path.includes('details') ? undefined : { kind: 'latency', beforeMs: 14_000 }))
    await pollAll(shop, checkouts)
    const beganMs = shop.sandbox.clock.now()
    for (let before = -1; before < asked.length; await shop.pass(16_000)) before = asked.length
    expect(shop.sandbox.clock.now() - beganMs).toBeGreaterThan(90_000)
    fail((path) => (path.includes('details') ? undefined : { kind: 'hang' }))
    asked.splice(0)
    expect((await pollAll(shop, checkouts))[7]).toBe('seen')
    expect(asked.filter((path) => path.includes('details'))).toHaveLength(3)
  })

  it('send single requests for orders older than a quote and the time after it', async () => {
    const { shop, checkouts, asked } = await busyShop(6)
    await shop.pass(35 * 60_000)
    await pollAll(shop, checkouts)
    expect(asked.filter((path) => path.includes('details'))).toHaveLength(6)
    expect(asked).toHaveLength(6)
  })

  it('leave the watcher nothing to do while browsers poll', async () => {
    const { shop, checkouts, asked } = await busyShop(3)
    // Orders that no checkout has are looked for once in five minutes.
    await shop.run(shop.paywindow.watchOnce())
    await pollAll(shop, checkouts)
    asked.splice(0)
    await shop.run(shop.paywindow.watchOnce())
    expect(asked).toEqual([])
    await shop.pass(20_000)
    await shop.run(shop.paywindow.watchOnce())
    expect(asked).toHaveLength(3)
  })

  it("do not change the watcher's pace when there are none", async () => {
    const { shop, asked } = await busyShop(1)
    const watching = shop.paywindow.watch()
    await shop.pass(30_000)
    await shop.run(watching.stop())
    expect(asked.length).toBeGreaterThanOrEqual(4)
  })
})
