/** A store that an older copy replaces while servers use it: a lagging replica, or a backup. */
import { createReplaceableStore } from '../../testing/store-around.testing.ts'
import { createMemoryStore } from './memory.ts'
import type { NewRecord, Store } from './store.ts'

/** A store, and what can be lost of it. */
export interface LaggingStore extends Store {
  /** Loses the writes of the last `lagMs`; infinite: all. */
  failOver(lagMs: number): Promise<void>
  /** Loses records, by their keys, as a database without memory does. */
  evict(isLost: (key: string) => boolean): Promise<void>
}

/** @param now - The clock of the store. */
export function createLaggingStore(now: () => number): LaggingStore {
  const empty = () => createMemoryStore(now)
  /** Each record as it was from a time on; undefined: not there. */
  const states: { readonly atMs: number; readonly key: string; readonly record: NewRecord | undefined }[] = []
  const { store, records, become } = createReplaceableStore(empty(), empty, (key, record) =>
    states.push({ atMs: now(), key, record }),
  )

  /** The records as they were at a time. */
  function asOf(atMs: number): readonly NewRecord[] {
    const then = new Map(states.filter((state) => state.atMs <= atMs).map(({ key, record }) => [key, record]))
    return [...then.values()].filter((record) => record !== undefined)
  }

  return {
    ...store,
    failOver: (lagMs) => become(asOf(now() - lagMs)),
    evict: (isLost) => become([...records.values()].filter(({ key }) => !isLost(key))),
  }
}
