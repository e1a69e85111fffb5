import { describe, expect, it } from 'vitest'
import { boundTo, mute, orderIdAt } from '../following/binding.testing.ts'
import { createTestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { Store } from '../store/store.ts'

/** A store that fails once: at the first write of a record that is meant. */
function failingOnce(isMeant: (key: string, value: string) => boolean) {
  const base = createMemoryStore()
  const state = { failed: 0 }
  const failing = <Write extends 'create' | 'replace'>(name: Write): Store[Write] =>
    (async (record: Parameters<Store[Write]>[0], version: number) => {
      if (state.failed > 0 || !isMeant(record.key, record.value)) return base[name](record, version)
      state.failed += 1
      throw new Error('The database is gone')
    }) as Store[Write]
  return { state, store: { ...base, create: failing('create'), replace: failing('replace') } }
}

describe('an order that the answer to a creation names', () => {
  it.each([
    ['its claim', (key: string) => key.startsWith('order ')],
    ['the binding', (_: string, value: string) => value.includes('"evidence":"response_id"')],
  ])('is bound by a later look where %s could not be written', async (_, isMeant) => {
    const { state, store } = failingOnce(isMeant)
    const shop = createTestShop({ store, sandbox: { ...mute, creationId: true } })
    const body = { reference: 'cart-42' }
    expect((await shop.send('POST', '/checkouts', { body })).status).toBe(500)
    // The list does not show which of the two it is.
    shop.sandbox.addOrder({ sourceAsset: 'BTC', network: 'bitcoin', targetAsset: 'USD', targetAmount: '49.90' })
    const checkout = await shop.open(body)
    await shop.pass(5_000)
    await shop.poll(checkout)
    expect(await boundTo(shop, checkout.id)).toEqual({
      id: orderIdAt(shop, checkout.address),
      evidence: 'response_id',
    })
    expect(state.failed).toBe(1)
    expect(shop.creations()).toBe(1)
  })

  it('is not bound again once it was released', async () => {
    const { store } = failingOnce((key) => key.startsWith('order '))
    const shop = createTestShop({
      store,
      sandbox: { ...mute, creationId: true },
      changeAnswer: (json) =>
        'wallet_address' in json && !('status' in json)
          ? { ...json, id: 'b6a4e2f0-0000-4000-8000-000000000000' }
          : json,
    })
    const body = { reference: 'cart-42' }
    await shop.send('POST', '/checkouts', { body })
    const checkout = await shop.open(body)
    const seen = new Set<string | undefined>()
    for (let passed = 0; passed < 240_000; passed += 5_000) {
      await shop.pass(5_000)
      await shop.poll(checkout)
      seen.add((await boundTo(shop, checkout.id))?.evidence)
    }
    expect(seen).toContain('response_id')
    expect(await boundTo(shop, checkout.id)).toEqual({
      id: orderIdAt(shop, checkout.address),
      evidence: 'only_candidate',
    })
    expect(shop.errors.filter(({ code }) => code === 'binding_contradicted')).toHaveLength(1)
  })
})
