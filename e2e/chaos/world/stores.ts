/** The stores of a segment: in memory, or in a real database, which answers while virtual time stands still. */
import { createMemoryStore } from '../../../src/server/store/memory.ts'
import type { Store } from '../../../src/server/store/store.ts'
import { type OpenStore, openStore, type StorePlace } from '../../stores/open-store.ts'
import type { VirtualTime } from './time.ts'

/** Where the stores of a segment are. */
export interface Stores {
  /** Makes a store with nothing in it. */
  empty(): Promise<Store>
  close(): Promise<void>
}

/**
 * @param place - Where the real ones are; undefined for stores in memory.
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

/** Leases are in memory: those of a database end by its own clock, to which the days of a segment are seconds. */
function inVirtualTime(real: Store, { outside }: VirtualTime, now: () => number): Store {
  const { lease, release } = createMemoryStore(now)
  return {
    create: (record) => outside(() => real.create(record)),
    replace: (record, version) => outside(() => real.replace(record, version)),
    replaceMany: (replacements) => outside(() => real.replaceMany(replacements)),
    reschedule: (reschedulings) => outside(() => real.reschedule(reschedulings)),
    remove: (key, version) => outside(() => real.remove(key, version)),
    read: (key) => outside(() => real.read(key)),
    readMany: (keys) => outside(() => real.readMany(keys)),
    listDue: (queue, nowMs, limit) => outside(() => real.listDue(queue, nowMs, limit)),
    list: (label, options) => outside(() => real.list(label, options)),
    lease,
    release,
    close: async () => {},
  }
}
