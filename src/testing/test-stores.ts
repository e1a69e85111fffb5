/** The stores of one test: any number of servers on data that no other test has. */
import type { Store } from '../server/store/store.ts'
import type { OpenStore } from './index.ts'

/** What a rule is checked with. */
interface TestStores {
  /** The first server. */
  readonly store: Store
  /** Opens the same data once more, as another server does. */
  another(): Promise<Store>
  /** Closes one of them: a server ends. */
  end(store: Store): Promise<void>
  /** Closes all that are open, and opens the data again. */
  restart(): Promise<Store>
}

/** One sentence of the contract, as code. Rejects where the store does not keep it. */
export type Rule = (stores: TestStores) => Promise<void>

/** Rules by their sentences. */
export type Rules = Readonly<Record<string, Rule>>

/** Checks a rule at a place of its own, and closes what it opened. */
export async function onOwnData(open: OpenStore, check: Rule): Promise<void> {
  const place = `paywindow_test_${crypto.randomUUID().replaceAll('-', '').slice(0, 17)}`
  let opened: Store[] = []
  const another = async () => {
    const store = await open(place)
    opened.push(store)
    return store
  }
  const end = async (store: Store) => {
    opened = opened.filter((each) => each !== store)
    await store.close()
  }
  const closeAll = async () => {
    for (const store of new Set(opened)) await end(store)
  }
  try {
    await check({
      store: await another(),
      another,
      end,
      restart: async () => {
        await closeAll()
        return another()
      },
    })
  } finally {
    await closeAll()
  }
}
