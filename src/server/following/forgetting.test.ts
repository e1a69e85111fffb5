/** A checkout that is forgotten while another process changes it. */
import { describe, expect, it } from 'vitest'
import { methodId } from '../offers.ts'
import { someCheckout } from '../records/records.testing.ts'
import { createRepository } from '../records/repository.ts'
import { createTestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { Store } from '../store/store.ts'
import { fillWithUnpaid, payOrder } from '../upstream/backlog.testing.ts'

const dayMs = 24 * 3_600_000
const secret = 'x'.repeat(24)

/**
 * Two servers on one store, one of which also watches; the first call there of this kind, once it
 * is awaited, takes seconds.
 */
function withSlowWorker(method: 'read' | 'replace' | 'remove', isSlow: (key: string) => boolean) {
  const base = createTestShop({ hasCallback: false })
  const store = createMemoryStore(base.clock.now)
  let isAwaited = false
  const pause = async (key: string) => {
    if (!isAwaited || !isSlow(key)) return
    isAwaited = false
    await base.clock.sleep(3_000)
  }
  const slow: Store = {
    ...store,
    read: async (key) => {
      if (method === 'read') await pause(key)
      return store.read(key)
    },
    replace: async (record, version) => {
      const isDone = await store.replace(record, version)
      if (method === 'replace') await pause(record.key)
      return isDone
    },
    remove: async (key, version) => {
      if (method === 'remove') await pause(key)
      return store.remove(key, version)
    },
  }
  const web = createTestShop({ beside: { shop: base, store }, hasCallback: false, webhookSecret: secret })
  const worker = createTestShop({ beside: { shop: base, store: slow } })
  return {
    base,
    store,
    web,
    worker,
    awaitCall: () => {
      isAwaited = true
    },
  }
}

describe('a checkout that is about to be forgotten', () => {
  it.each(['replace', 'read', 'remove'] as const)(
    'is not the one that its payer is shown, who comes back meanwhile (slow %s)',
    async (method) => {
      const { base, web, worker, awaitCall } = withSlowWorker(method, (key) => /^(cart|checkout) /.test(key))
      base.sandbox.faults = ({ method: sent }) => (sent === 'POST' ? { kind: 'status', status: 500 } : undefined)
      await web.send('POST', '/checkouts', { body: { reference: 'cart-42' } })
      await base.pass(30 * dayMs + 1_000)
      base.sandbox.faults = ({ method: sent }) => (sent === 'POST' ? { kind: 'latency', afterMs: 1_000 } : undefined)
      awaitCall()
      const working = worker.paywindow.watchOnce()
      const first = await web.send('POST', '/checkouts', { body: { reference: 'cart-42' } })
      expect([first.status, first.headers.get('retry-after')]).toEqual([503, '1'])
      const shown = await web.open()
      await base.run(working)
      expect(await web.poll(shown)).toMatchObject({ phase: 'waiting', address: shown.address })
      payOrder(base, base.sandbox.orders().find(({ address }) => address === shown.address)?.id ?? '')
      await base.pass(60_000)
      await base.run(worker.paywindow.watchOnce())
      expect(worker.events.map(({ status }) => status)).toEqual(['confirmed'])
      expect(await web.poll(shown)).toMatchObject({ phase: 'paid', cart: 'paid' })
      expect(await web.paywindow.checkouts.list()).toHaveLength(1)
    },
  )

  it('is renewed by another, also on a page that has been open all the while', async () => {
    const shop = createTestShop()
    const first = await shop.open()
    await shop.pass(21 * 60_000)
    const renew = () => shop.send('POST', `/checkouts/${first.id}/renew`, { key: first.key, body: {} })
    shop.sandbox.faults = ({ method }) => (method === 'POST' ? { kind: 'status', status: 500 } : undefined)
    expect((await renew()).status).toBe(503)
    shop.sandbox.faults = undefined
    await shop.pass(29 * dayMs + 60_000)
    expect((await renew()).status).toBe(503)
    const renewed = await renew()
    expect(renewed).toMatchObject({ status: 200, json: { phase: 'waiting', cart: 'open' } })
  })

  it('stays if another process records its payment meanwhile', async () => {
    const { base, store, web, worker, awaitCall } = withSlowWorker('read', (key) => key.startsWith('checkout '))
    const [old] = await fillWithUnpaid(web, store, [90 * dayMs + 60_000], () => base.clock.now() - 1_000)
    awaitCall()
    const working = worker.paywindow.watchOnce()
    await base.pass(500)
    const orderId = old?.binding?.orderId ?? ''
    payOrder(base, orderId)
    const body = JSON.stringify({ data: { order_id: orderId } })
    const hook = new Request(`https://shop.example/hooks/${secret}`, { method: 'POST', body })
    expect((await base.run(web.paywindow.webhook(hook))).status).toBe(204)
    await base.pass(1_500)
    expect(await web.paywindow.checkouts.get(old?.id ?? '')).toMatchObject({ status: 'confirmed' })
    await base.run(working)
    await base.run(worker.paywindow.watchOnce())
    expect(worker.events.map(({ status }) => status)).toEqual(['confirmed'])
    expect(await web.paywindow.checkouts.list({ reference: old?.reference ?? '' })).toHaveLength(1)
  })

  it('leaves a cart of which each version is newer than the one before', async () => {
    const store = createMemoryStore()
    const repository = createRepository(store)
    const { method, terms, createdAtMs } = someCheckout()
    const entry = { method: methodId(method), price: terms.price, createdAtMs, endedAtMs: null, successor: null }
    const add = (id: string) =>
      repository.updateCart('cart-42', (cart) => ({ ...cart, entries: [...cart.entries, { id, ...entry }] }))
    await repository.createCheckout(someCheckout({ id: 'one', reference: 'cart-42' }))
    await add('one')
    const before = await store.read('cart cart-42')
    if (!before) throw new Error('there is no cart')
    await repository.forget(someCheckout({ id: 'one', reference: 'cart-42' }), () => true)
    await add('two')
    // A write that hung all the while.
    const late = { key: before.key, value: before.value, labels: [], due: [] }
    expect(await store.replace(late, before.version)).toBe(false)
  })
})
