/** One call of the store never ends, as that of a driver whose connection has died, while all others are answered. */
import { describe, expect, it } from 'vitest'
import { createTestShop, pay } from './shop.testing.ts'
import { createMemoryStore } from './store/memory.ts'
import type { Store } from './store/store.ts'

const methods = [
  'create',
  'read',
  'readMany',
  'replace',
  'replaceMany',
  'reschedule',
  'listDue',
  'list',
  'lease',
  'release',
] as const satisfies readonly (keyof Store)[]

/** Hangs in the call of this method that comes as `nth`, counted from 0, from when it is armed. */
function hangingOnce(store: Store, method: keyof Store, nth: number) {
  const state = { isArmed: false, calls: 0, hung: 0 }
  const hanging = new Proxy(store, {
    get: (target, name) => {
      const call = Reflect.get(target, name)
      if (name !== method) return call
      return (...args: readonly unknown[]) => {
        if (!state.isArmed || state.calls++ !== nth) return Reflect.apply(call, target, args)
        state.hung += 1
        return new Promise(() => undefined)
      }
    },
  })
  return { state, store: hanging }
}

describe.each(methods)('a store that never answers one call of %s', (method) => {
  it.each([0, 1, 2, 5, 11, 23])('although it is call %i, costs a minute, and no payment', async (nth) => {
    const web = createTestShop({ hasCallback: false })
    const { state, store } = hangingOnce(createMemoryStore(web.clock.now), method, nth)
    const worker = createTestShop({ beside: { shop: web, store } })
    const checkout = await worker.open()
    const watching = worker.paywindow.watch()
    await worker.pass(90_000)
    state.isArmed = true
    await worker.pass(30_000)
    pay(worker)
    await worker.pass(180_000)
    expect(worker.events.map(({ phase }) => phase)).toContain('paid')
    // The request that meets it fails, and the browser sends it again.
    const open = () => worker.open({ reference: 'cart-43' })
    expect((await open().catch(open)).reference).toBe('cart-43')
    const poll = () => worker.poll(checkout)
    expect((await poll().catch(poll)).phase).toBe('paid')
    await worker.run(watching.stop())
  })
})
