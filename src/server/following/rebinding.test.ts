import { describe, expect, it } from 'vitest'
import { createRepository } from '../records/repository.ts'
import { createTestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { Store, StoredRecord } from '../store/store.ts'
import { boundTo, mute, orderIdAt, pay } from './binding.testing.ts'

describe('a binding based on the absence of other orders', () => {
  it('is undone and reported when another one appears in a delayed list', async () => {
    let delayMs = 0
    const shop = createTestShop({ sandbox: { ...mute, appearAfterMs: () => delayMs } })
    const checkout = await shop.open()
    delayMs = 30_000
    shop.sandbox.addOrder({ sourceAsset: 'BTC', network: 'bitcoin', targetAsset: 'USD', targetAmount: '49.90' })
    await shop.settle()
    expect(await boundTo(shop, checkout.id)).toMatchObject({ evidence: 'only_candidate' })
    await shop.pass(66_000)
    expect((await shop.poll(checkout)).tracked).toBe(false)
    expect(await boundTo(shop, checkout.id)).toBeNull()
    expect(shop.errors.map(({ code }) => code)).toContain('binding_contradicted')
  })

  it('announces no payment until it was checked again', async () => {
    let delayMs = 30_000
    const shop = createTestShop({ sandbox: { ...mute, appearAfterMs: () => delayMs } })
    const opening = shop.open()
    const checkout = await opening
    delayMs = 0
    const foreign = shop.sandbox.addOrder({
      sourceAsset: 'BTC',
      network: 'bitcoin',
      targetAsset: 'USD',
      targetAmount: '49.90',
    })
    await shop.settle()
    expect((await boundTo(shop, checkout.id))?.id).toBe(foreign.id)
    shop.sandbox.payer.deposit({ address: foreign.address ?? '', amount: foreign.sourceAmount })
    await shop.pass(3_000)
    expect((await shop.poll(checkout)).phase).toBe('waiting')
    await shop.pass(65_000)
    expect(await shop.poll(checkout)).toMatchObject({ phase: 'waiting', tracked: false })
    await shop.settle()
    expect(shop.events).toEqual([])
  })

  it('stays when no other order appears', async () => {
    const shop = createTestShop({ sandbox: mute })
    const checkout = await shop.open()
    await shop.settle()
    await shop.pass(66_000)
    await shop.poll(checkout)
    expect(await boundTo(shop, checkout.id)).toMatchObject({ evidence: 'only_candidate' })
    expect(shop.errors).toEqual([])
  })
})

describe('a binding that later evidence contradicts', () => {
  it('is undone and reported, and the right order is found', async () => {
    const store = createMemoryStore()
    const shop = createTestShop({ store, sandbox: { ...mute, detailsInstructions: true } })
    const checkout = await shop.open()
    await shop.settle()
    const foreign = shop.sandbox.addOrder({
      sourceAsset: 'BTC',
      network: 'bitcoin',
      targetAsset: 'USD',
      targetAmount: '49.90',
    })
    await createRepository(store).updateCheckout(checkout.id, (record) => ({
      ...record,
      binding: record.binding && { ...record.binding, orderId: foreign.id },
    }))
    await shop.pass(5_000)
    expect((await shop.poll(checkout)).tracked).toBe(false)
    expect(shop.errors.map(({ code }) => code)).toEqual(['binding_contradicted'])
    await shop.pass(5_000)
    expect((await shop.poll(checkout)).tracked).toBe(true)
    expect((await boundTo(shop, checkout.id))?.id).toBe(orderIdAt(shop, checkout.address))
  })
})

describe('a creation whose answer was lost', () => {
  it.each([
    ['after the work was done', true],
    ['before the work was done', false],
  ])('%s is followed by another, and the payer gets a panel that is tracked', async (_, workDone) => {
    const shop = createTestShop({ sandbox: mute })
    let isFirst = true
    shop.sandbox.faults = (request) => {
      if (request.method !== 'POST' || !isFirst) return undefined
      isFirst = false
      return { kind: 'reset', workDone }
    }
    const checkout = await shop.open()
    await shop.settle()
    expect(shop.sandbox.orders()).toHaveLength(workDone ? 2 : 1)
    expect((await shop.poll(checkout)).tracked).toBe(false)
    pay(shop, checkout.address, checkout.amount)
    // By then the list shows the order of the request that was answered, whatever the lost one did.
    await shop.pass(66_000)
    expect(await shop.poll(checkout)).toMatchObject({ tracked: true, phase: 'paid' })
    expect((await boundTo(shop, checkout.id))?.id).toBe(orderIdAt(shop, checkout.address))
    expect(shop.errors.map(({ code }) => code)).toEqual(['service_unavailable'])
  })

  it('is not shown to anybody when it appears late', async () => {
    let delayMs = 120_000
    const shop = createTestShop({ sandbox: { ...mute, appearAfterMs: () => delayMs } })
    let isFirst = true
    shop.sandbox.faults = (request) => {
      if (request.method !== 'POST' || !isFirst) return undefined
      isFirst = false
      return { kind: 'hang', workDone: true }
    }
    const opening = shop.open()
    const checkout = await opening
    delayMs = 0
    await shop.settle()
    for (let minute = 0; minute < 15; minute++) {
      await shop.pass(60_000)
      await shop.poll(checkout)
      const order = await boundTo(shop, checkout.id)
      expect(order === null || order.id === orderIdAt(shop, checkout.address)).toBe(true)
    }
    expect((await boundTo(shop, checkout.id))?.id).toBe(orderIdAt(shop, checkout.address))
  })
})

describe('a request whose order is identified while the list of equal ones is read', () => {
  it('is counted once: twice, it would leave another one a wrong order', async () => {
    const memory = createMemoryStore()
    let early: StoredRecord | undefined
    const store: Store = {
      ...memory,
      // With the first request as it was before its order was known.
      list: async (label, options) => {
        const records = await memory.list(label, options)
        return early && label.startsWith('intent ') ? [early, ...records] : records
      },
    }
    const names = new Set<string>()
    const shop = createTestShop({
      store,
      // Only the answer to the first request says when its order was made.
      changeAnswer: (json) => {
        if (json.wallet_address === undefined || typeof json.date_time !== 'string') return json
        names.add(json.date_time)
        return names.size === 1 ? { ...json, exp_time: null } : { ...json, exp_time: null, date_time: null }
      },
      sandbox: { detailsInstructions: false },
    })
    const first = await shop.open({ reference: 'first' })
    const unbound = await memory.read(`checkout ${first.id}`)
    await shop.settle()
    expect(await boundTo(shop, first.id)).toMatchObject({ id: orderIdAt(shop, first.address), evidence: 'timestamp' })
    early = unbound
    await shop.pass(200)
    const second = await shop.open({ reference: 'second' })
    shop.sandbox.addOrder({ sourceAsset: 'BTC', network: 'bitcoin', targetAsset: 'USD', targetAmount: '49.90' })
    for (let look = 0; look < 5; look++) {
      await shop.pass(30_000)
      await shop.poll(second)
    }
    expect(await boundTo(shop, second.id)).toBeNull()
  })
})
