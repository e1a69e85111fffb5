/**
 * Stores that break the contract, each in one way, and the sentence of the suite that has to
 * notice.
 */
import { createMemoryStore } from '../server/store/memory.ts'
import { oneByOne } from '../server/store/one-by-one.testing.ts'
import type { NewRecord, Store } from '../server/store/store.ts'
import type { OpenStore } from './index.ts'

/** Opens stores that share their data by place, as `createMemoryStore` alone cannot. */
export function sharedStores(
  change: (store: Store) => Store = (store) => store,
  nowMs: () => number = () => performance.now(),
): OpenStore {
  const places = new Map<string, Store>()
  return (place) => {
    const store = places.get(place) ?? change(createMemoryStore(nowMs))
    places.set(place, store)
    return store
  }
}

/** Lets others have their turn. */
const pause = () => new Promise((resolve) => setImmediate(resolve))

/** Every text of a record, changed. */
function written(record: NewRecord, change: (text: string) => string): NewRecord {
  return { ...record, value: change(record.value) }
}

/** By what is wrong: how to open such stores, and a part of the sentence. */
export const brokenStores: Readonly<Record<string, readonly [open: OpenStore, sentence: string]>> = {
  'creates again': [
    sharedStores((store) => ({ ...store, create: (record) => store.create(record).then(() => true) })),
    'creates a record once',
  ],
  'looks, and creates later': [
    sharedStores((store) => {
      const entries = new Map<string, boolean>()
      const create = async (record: NewRecord) => {
        if (entries.has(record.key)) return false
        await pause()
        entries.set(record.key, true)
        await store.create(record)
        return true
      }
      return { ...store, create }
    }),
    'lets one of many that create the same record win',
  ],
  'takes any version': [
    sharedStores((store) => ({
      ...store,
      replace: async (record) => store.replace(record, (await store.read(record.key))?.version ?? 0),
    })),
    'replaces only the version that was read',
  ],
  'says yes to a replacement that is repeated': [
    sharedStores((store) => ({
      ...store,
      replaceMany: (all) => store.replaceMany(all).then(() => new Set(all.map(({ record }) => record.key))),
    })),
    'says no to a replacement that is repeated',
  ],
  'replaces one by one': [
    sharedStores((store) =>
      oneByOne({
        ...store,
        replace: async (record, version) => {
          await pause()
          return store.replace(record, version)
        },
      }),
    ),
    'never shows a batch that is half stored',
  ],
  'counts putting off as a version': [
    sharedStores((store) => ({
      ...store,
      reschedule: async (all) => {
        const found = await store.readMany(all.map(({ key }) => key))
        const changed = all.flatMap(({ key, due, version }) => {
          const stored = found.find((each) => each.key === key)
          return stored ? [{ record: { key, value: stored.value, labels: [], due }, version }] : []
        })
        return store.replaceMany(changed)
      },
    })),
    'changes the queues of those of many',
  ],
  'leaves lists as they are when it removes': [
    sharedStores((store) => {
      const listed = new Set<string>()
      return {
        ...store,
        remove: async (key, version) => {
          const found = await store.read(key)
          if (found?.version !== version || listed.has(key)) return false
          listed.add(key)
          return true
        },
        read: async (key) => (listed.has(key) ? undefined : store.read(key)),
      }
    }),
    'removes only the version that was read',
  ],
  'forgets where a page begins': [
    sharedStores((store) => ({ ...store, list: (label, { limit }) => store.list(label, { limit }) })),
    'lists by label, newest key first',
  ],
  'sorts as people do': [
    sharedStores((store) => ({
      ...store,
      list: async (label, options) =>
        [...(await store.list(label, options))].sort((a, b) => b.key.localeCompare(a.key, 'en')),
    })),
    'sorts keys by their characters',
  ],
  'lists what is not due yet': [
    sharedStores((store) => ({ ...store, listDue: (queue, nowMs, limit) => store.listDue(queue, nowMs + 1, limit) })),
    'lists what is due, the longest due first',
  ],
  'never ends a lease': [
    sharedStores((store) => ({ ...store, lease: (name, holder) => store.lease(name, holder, 9e9) })),
    'ends a lease after its duration, and not before',
  ],
  'ends a lease early': [
    sharedStores((store) => ({ ...store, lease: (name, holder, forMs) => store.lease(name, holder, forMs / 20) })),
    'ends a lease after its duration, and not before',
  ],
  'refuses a holder that asks again': [
    sharedStores((store) => {
      const held = new Set<string>()
      return {
        ...store,
        lease: async (name, holder, forMs) => {
          if (held.has(name)) return false
          held.add(name)
          return store.lease(name, holder, forMs)
        },
        release: (name, holder) => {
          held.delete(name)
          return store.release(name, holder)
        },
      }
    }),
    'says yes to the holder of a lease who asks again',
  ],
  'lets anybody release': [
    sharedStores((store) => {
      const holders = new Map<string, string>()
      return {
        ...store,
        lease: async (name, holder, forMs) => {
          const isTaken = await store.lease(name, holder, forMs)
          if (isTaken) holders.set(name, holder)
          return isTaken
        },
        release: (name) => store.release(name, holders.get(name) ?? ''),
      }
    }),
    'does no harm when a release arrives late',
  ],
  'leases by the time of who asks': [
    sharedStores(undefined, () => Date.now()),
    'respects a lease whatever the time is',
  ],
  'forgets all when it is opened again': [() => createMemoryStore(), 'has everything after a restart'],
  'normalises texts': [
    sharedStores((store) => ({
      ...store,
      create: (record) => store.create(written(record, (text) => text.normalize())),
    })),
    'stores odd texts as they are',
  ],
  'cuts long values': [
    sharedStores((store) => ({
      ...store,
      create: (record) => store.create(written(record, (text) => text.slice(0, 65_535))),
    })),
    'stores a value of a million characters',
  ],
}
