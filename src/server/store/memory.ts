/** A store that forgets: for tests and for trying things out. Never for a server that takes money. */
import type { NewRecord, Store, StoredRecord } from './store.ts'

interface Entry extends NewRecord {
  readonly version: number
}

/** Creates an empty store in memory. Several servers may share the object. */
export function createMemoryStore(): Store {
  const entries = new Map<string, Entry>()
  const leases = new Map<string, { holder: string; untilMs: number }>()

  return {
    create: async (record) => {
      if (entries.has(record.key)) return false
      entries.set(record.key, { ...record, version: 1 })
      return true
    },
    read: async (key) => {
      const entry = entries.get(key)
      return entry && stored(entry)
    },
    replace: async (record, version) => {
      if (entries.get(record.key)?.version !== version) return false
      entries.set(record.key, { ...record, version: version + 1 })
      return true
    },
    remove: async (key, version) => entries.get(key)?.version === version && entries.delete(key),
    listDue: async (nowMs, limit) =>
      [...entries.values()]
        .filter((entry) => entry.dueAtMs !== null && entry.dueAtMs <= nowMs)
        .sort((a, b) => (a.dueAtMs ?? 0) - (b.dueAtMs ?? 0) || compare(a.key, b.key))
        .slice(0, limit)
        .map(stored),
    list: async (label, { before, limit }) =>
      [...entries.values()]
        .filter((entry) => entry.labels.includes(label) && (before === undefined || entry.key < before))
        .sort((a, b) => compare(b.key, a.key))
        .slice(0, limit)
        .map(stored),
    lease: async (name, holder, nowMs, untilMs) => {
      const lease = leases.get(name)
      if (lease && lease.holder !== holder && lease.untilMs > nowMs) return false
      leases.set(name, { holder, untilMs })
      return true
    },
    release: async (name, holder) => {
      if (leases.get(name)?.holder === holder) leases.delete(name)
    },
    close: async () => {},
  }
}

function stored({ key, value, version }: Entry): StoredRecord {
  return { key, value, version }
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
