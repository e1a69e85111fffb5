/**
 * Several servers on one store and one account, in virtual time, whose browsers come to any of
 * them.
 */
import type { CheckoutRecord } from './core/types.ts'
import { createTestShop, requestOf, type TestShop, type TestShopOptions } from './shop.testing.ts'
import { createMemoryStore } from './store/memory.ts'
import type { Store } from './store/store.ts'
import { fillWithUnpaid, payOrder } from './upstream/backlog.testing.ts'

/** Servers with open checkouts, each bound to its order. */
export interface Servers {
  readonly shops: readonly TestShop[]
  readonly first: TestShop
  readonly checkouts: readonly CheckoutRecord[]
  /** What has reached the service since this was emptied: when, and from which server. */
  readonly requests: { readonly atMs: number; readonly server: number; readonly path: string }[]
  /**
   * Polls each checkout every five seconds for so long, each time at the next of some servers.
   * Default: all.
   */
  browse(forMs: number, at?: readonly TestShop[]): Promise<void>
  /** What a poll at a server says now. */
  phaseAt(shop: TestShop, checkout: CheckoutRecord): Promise<string>
  /** The same, while something else moves time on. */
  poll(shop: TestShop, checkout: CheckoutRecord): Promise<string>
  pay(checkout: CheckoutRecord): void
}

/** @param optionsOf - The options of each server, by its number. */
export async function createServers(
  count: number,
  open: number,
  optionsOf: (server: number, store: Store) => TestShopOptions = () => ({}),
): Promise<Servers> {
  const requests: { atMs: number; server: number; path: string }[] = []
  const store = createMemoryStore(() => first.clock.now())
  const first: TestShop = createTestShop({ store, ...optionsOf(0, store) })
  const others = Array.from({ length: count - 1 }, (_, at) =>
    createTestShop({ ...optionsOf(at + 1, store), beside: { shop: first, store } }),
  )
  const shops = [first, ...others]
  for (const [server, shop] of shops.entries())
    shop.onRequest = (url) => requests.push({ atMs: first.clock.now(), server, path: new URL(url).pathname })
  const ages = Array.from({ length: open }, (_, at) => 18 * 60_000 - Math.round((at * 18 * 60_000) / open))
  const checkouts = await fillWithUnpaid(first, store, ages, (ageMs, at) => {
    return first.clock.now() + ((at * 0.618) % 1) * Math.max(5_000, ageMs / 10)
  })

  async function poll(shop: TestShop, { id, key }: CheckoutRecord): Promise<string> {
    const answer = await shop.paywindow.fetch(requestOf('GET', `/checkouts/${id}`, { key }))
    if (answer.status !== 200) throw new Error(`A poll was answered with ${answer.status}`)
    return ((await answer.json()) as { phase: string }).phase
  }

  return {
    shops,
    first,
    checkouts,
    requests,
    browse: async (forMs, at = shops) => {
      const untilMs = first.clock.now() + forMs
      const visit = async (checkout: CheckoutRecord, place: number) => {
        await first.clock.sleep((place * 5_000) / checkouts.length)
        for (let turn = place; first.clock.now() < untilMs; turn++) {
          await poll(at[turn % at.length] ?? first, checkout)
          await first.clock.sleep(5_000)
        }
      }
      await first.run(Promise.all(checkouts.map(visit)))
    },
    phaseAt: (shop, checkout) => first.run(poll(shop, checkout)),
    poll,
    pay: ({ binding }) => payOrder(first, binding?.orderId ?? ''),
  }
}
