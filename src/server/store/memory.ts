/** A store in memory, for tests and trials. Never for a server that takes money. */
import type { NewRecord, Replacement, Rescheduling, Store, StoredRecord } from './store.ts'

type Entry = NewRecord & { readonly version: number }

/**
 * Creates an empty store in memory. Several servers may share the object.
 *
 * @param now - The clock that leases run by, ms since the epoch. Default: the machine's.
 *
 * @example
 * ```ts
 * const store = createMemoryStore()
 * await store.create({ key: 'a', value: '{}', labels: [], due: [] }) // => true
 * await store.create({ key: 'a', value: '{}', labels: [], due: [] }) // => false
 * ```
 */
export function createMemoryStore(now: () => number = Date.now): Store {
  const entries = new Map<string, Entry>()
  const leases = new Map<string, Lease>()

  const read = (keys: readonly string[]) => [...new Set(keys)].flatMap((key) => entries.get(key) ?? []).map(stored)

  function replace({ record, version }: Replacement): boolean {
    if (entries.get(record.key)?.version !== version) return false
    entries.set(record.key, { ...record, version: version + 1 })
    return true
  }

  function reschedule({ key, due, version }: Rescheduling): boolean {
    const entry = entries.get(key)
    if (entry?.version !== version) return false
    entries.set(key, { ...entry, due })
    return true
  }

  return {
    create: async (record) => {
      if (entries.has(record.key)) return false
      entries.set(record.key, { ...record, version: 1 })
      return true
    },
    read: async (key) => read([key])[0],
    readMany: async (keys) => read(keys),
    replace: async (record, version) => replace({ record, version }),
    replaceMany: async (replacements) => new Set(replacements.filter(replace).map(({ record }) => record.key)),
    reschedule: async (reschedulings) => new Set(reschedulings.filter(reschedule).map(({ key }) => key)),
    remove: async (key, version) => entries.get(key)?.version === version && entries.delete(key),
    listDue: async (queue, nowMs, limit) => {
      const found: { entry: Entry; atMs: number }[] = []
      for (const entry of entries.values())
        for (const due of entry.due) if (due.queue === queue && due.atMs <= nowMs) found.push({ entry, atMs: due.atMs })
      return found
        .sort((a, b) => a.atMs - b.atMs || compare(a.entry.key, b.entry.key))
        .slice(0, limit)
        .map(({ entry }) => stored(entry))
    },
    list: async (label, { before, limit }) =>
      [...entries.values()]
        .filter((entry) => entry.labels.includes(label) && (before === undefined || entry.key < before))
        .sort((a, b) => compare(b.key, a.key))
        .slice(0, limit)
        .map(stored),
    lease: async (name, holder, forMs) => {
      const lease = leases.get(name)
      if (lease && lease.holder !== holder && isHeld(lease, now())) return false
      leases.set(name, { holder, takenAtMs: now(), forMs })
      return true
    },
    release: async (name, holder) => {
      if (leases.get(name)?.holder === holder) leases.delete(name)
    },
    close: async () => {},
  }
}

function stored({ key, value, version, due }: Entry): StoredRecord {
  return { key, value, version, due }
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** The holder, the start and the duration of a lease. */
interface Lease {
  readonly holder: string
  /** By the store's clock, ms since the epoch. */
  readonly takenAtMs: number
  readonly forMs: number
}

/**
 * Whether a lease has not run out. A lease that begins in the future comes from a wrong clock. It
 * holds only from `forMs` before its beginning: a clock a day ahead cannot hold it for a day.
 */
function isHeld({ takenAtMs, forMs }: Lease, nowMs: number): boolean {
  return Math.abs(nowMs - takenAtMs) < forMs
}
