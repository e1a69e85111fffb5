/** A segment's stores: in memory, or in a database that answers while virtual time stands still. */
import { createMemoryStore } from '../../../src/server/store/memory.ts'
import type { NewRecord, Store } from '../../../src/server/store/store.ts'
import { createReplaceableStore, storeAround } from '../../../src/testing/store-around.testing.ts'
import { type OpenStore, openStore, type StorePlace } from '../../stores/open-store.ts'
import type { VirtualTime } from './time.ts'

/** Where the stores of a segment are. */
export interface Stores {
  /** Makes a store with nothing in it. */
  empty(): Promise<Store>
  close(): Promise<void>
}

/**
 * @param place - Where the database is; undefined for stores in memory.
 * @param segment - Segments that run at the same time have stores of their own.
 * @param now - The store's own clock.
 */
export function createStores(
  place: StorePlace | undefined,
  segment: number,
  time: VirtualTime,
  now: () => number,
): Stores {
  if (!place) return { empty: async () => createMemoryStore(now), close: async () => {} }
  const opened: OpenStore[] = []
  return {
    empty: () =>
      time.outside(async () => {
        const real = await openStore(partOf(place, `chaos-${segment}-${opened.length}`))
        opened.push(real)
        return inVirtualTime(real.store, time, now)
      }),
    close: async () => {
      for (const { close } of opened) await close()
    },
  }
}

function partOf(place: StorePlace, name: string): StorePlace {
  switch (place.kind) {
    case 'sqlite':
      return { ...place, path: `${place.path}-${name}` }
    case 'postgres':
      return { ...place, schema: name }
    case 'redis':
      return { ...place, prefix: name }
  }
}

/** Leases are in memory: a database ends them by its own clock, to which days here are seconds. */
function inVirtualTime(real: Store, { outside }: VirtualTime, now: () => number): Store {
  const { lease, release } = createMemoryStore(now)
  return {
    ...storeAround(real, (_, call) => outside(async () => call())),
    lease,
    release,
    close: async () => {},
  }
}

/** The store and its backup. */
export interface Backups {
  readonly store: Store
  /** A record as it was written, with its queues and labels. */
  record(key: string): NewRecord | undefined
  /** Takes a copy; only the first one is kept. */
  take(): void
  /** Replaces the store by the copy, if there is one, without leases. Resolves with its records. */
  restore(): Promise<readonly NewRecord[] | undefined>
}

/** Creates an empty store without a copy. @param empty - Makes one. */
export async function createBackups(empty: () => Promise<Store>): Promise<Backups> {
  const { store, records, become } = createReplaceableStore(await empty(), empty)
  let copy: ReadonlyMap<string, NewRecord> | undefined
  return {
    store,
    record: (key) => records.get(key),
    take: () => {
      copy ??= new Map(records)
    },
    restore: async () => {
      if (!copy) return undefined
      await become(copy.values())
      return [...records.values()]
    },
  }
}
