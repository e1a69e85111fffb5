/** One call of the store never ends, as after a dead connection, while all others are answered. */
import { describe, expect, it } from 'vitest'
import { storeAround } from '../testing/store-around.testing.ts'
import { someOf } from '../testing/tier.testing.ts'
import { createTestShop, pay } from './shop.testing.ts'
import { createMemoryStore } from './store/memory.ts'
import type { Store } from './store/store.ts'

/** All but `remove`, which only forgetting uses, and `close`. */
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

interface Hanging {
  readonly method: keyof Store
  /** Which of its calls, counted from 0 when the payers pay. */
  readonly nth: number
}

/** The store, of which one call hangs; and how often each method was called since `isCounting`. */
function hangingOnce(store: Store, { method, nth }: Partial<Hanging>) {
  const state = { isCounting: false, calls: new Map<string, number>(), hung: 0 }
  const hanging = storeAround(store, (name, call) => {
    const at = state.calls.get(name) ?? 0
    if (state.isCounting) state.calls.set(name, at + 1)
    if (!state.isCounting || name !== method || at !== nth) return call()
    state.hung += 1
    return new Promise(() => undefined)
  })
  return { state, store: hanging }
}

/** Twelve payers pay, and another comes, while a worker watches whose store hangs once. */
async function run(hanging: Partial<Hanging>) {
  const web = createTestShop({ hasCallback: false })
  const { state, store } = hangingOnce(createMemoryStore(web.clock.now), hanging)
  const worker = createTestShop({ beside: { shop: web, store } })
  // More than `poll.mostDetails`: those beyond are written together.
  const carts = Array.from({ length: 12 }, (_, at) => `cart-${at}`)
  for (const reference of carts) await worker.open({ reference })
  const watching = worker.paywindow.watch()
  await worker.pass(90_000)
  state.isCounting = true
  for (const at of carts.keys()) pay(worker, at)
  // The request that meets it fails, and the browser sends it again.
  const open = () => worker.open({ reference: 'another' })
  const opened = await open().catch(open)
  await worker.pass(90_000)
  const calls = new Map(state.calls)
  await worker.run(watching.stop())
  // Told again under the same id where the store does not say that it was told.
  const paid = new Set(worker.events.filter(({ phase }) => phase === 'paid').map(({ eventId }) => eventId))
  return { calls, hung: state.hung, opened, paid: paid.size }
}

const undisturbed = run({})

describe.each(methods)('a store that never answers one call of %s', (method) => {
  // All four in `npm run test:money`; the first call and the one in the middle in `npm test`.
  it.each(someOf([0, 0.25, 0.5, 0.75], 2))('is no loss, when %d of its calls have come before', async (share) => {
    const count = (await undisturbed).calls.get(method) ?? 0
    const { hung, paid, opened } = await run({ method, nth: Math.floor(count * share) })
    expect({ hung, paid, opened: opened.reference }).toEqual({ hung: 1, paid: 12, opened: 'another' })
  })
})
