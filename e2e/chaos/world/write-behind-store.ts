/** A store that acknowledges a write and does it later, as one without synchronisation does: what a server dies with is gone. */
import type { NewRecord, Store } from '../../../src/server/store/store.ts'
import type { Clock } from '../../../src/service/clock.ts'

const behindMs = 4_000

/** Wraps the store for one server. */
export function createWriteBehindStore(base: Store, clock: Clock): Store {
  const waiting = new Map<string, NewRecord & { readonly version: number }>()
  const read: Store['read'] = async (key) => waiting.get(key) ?? base.read(key)

  function accept(record: NewRecord, version: number): true {
    const accepted = { ...record, version }
    waiting.set(record.key, accepted)
    void clock.sleep(behindMs).then(() => write(record.key, accepted))
    return true
  }

  async function write(key: string, accepted: NewRecord & { readonly version: number }): Promise<void> {
    if (waiting.get(key) !== accepted) return
    const stored = await base.read(key)
    const write = stored ? base.replace(accepted, stored.version) : base.create(accepted)
    // Nobody is left to be told that it failed.
    await write.catch(() => false)
    if (waiting.get(key) === accepted) waiting.delete(key)
  }

  return {
    ...base,
    read,
    create: async (record) => !(await read(record.key)) && accept(record, 1),
    replace: async (record, version) => (await read(record.key))?.version === version && accept(record, version + 1),
  }
}
