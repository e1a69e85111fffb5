/** A store that acknowledges writes early, as one without synchronisation does. Writes that wait when a server dies are lost. */
import { oneByOne } from '../../../src/server/store/one-by-one.testing.ts'
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
    // The caller has already been answered, so there is nobody to pass a failure to.
    await write.catch(() => false)
    if (waiting.get(key) === accepted) waiting.delete(key)
  }

  return oneByOne({
    ...base,
    read,
    reschedule: async (reschedulings) => {
      const done = new Set<string>()
      for (const { key, due, version } of reschedulings) {
        const record = waiting.get(key)
        if (record?.version === version) accept({ ...record, due }, version)
        else if (record || !(await base.reschedule([{ key, due, version }])).has(key)) continue
        done.add(key)
      }
      return done
    },
    create: async (record) => !(await read(record.key)) && accept(record, 1),
    replace: async (record, version) => (await read(record.key))?.version === version && accept(record, version + 1),
  })
}
