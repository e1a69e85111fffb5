/** The store as one server sees it: slow or failing. The server may die before or after a write. */
import type { Store } from '../../../src/server/store/store.ts'
import { type Faults, InjectedFailure } from '../world/faults.ts'

/** A server that may die. */
export interface Mortal {
  isAlive(): boolean
  sleep(ms: number): Promise<void>
  /** Resolves when it does not stand still. */
  awake(): Promise<void>
  /** Ends the server. Never resolves. */
  crash(): Promise<never>
}

/** A server gives up a call after 30 seconds. The call may still be done later. */
const givenUpMs = 31_000
const latestMs = 50_000
/** Some answers come later than a creation's lease lasts; their calls are not given up. */
const lateMs = [2_000, 29_500] as const

/** The answer to a dead server, or over a dead connection: a promise that never settles. */
const never = new Promise<never>(() => {})

/** Wraps the store for one server. */
export function createCrashingStore(base: Store, server: Mortal, { strikes, random }: Faults): Store {
  /** Lets some time pass now and then: a race needs time to happen. */
  async function pass(): Promise<void> {
    await server.awake()
    if (!server.isAlive()) return never
    if (random.chance(0.25)) await server.sleep(random.chance(0.02) ? random.between(50, 800) : random.between(1, 8))
  }

  async function late(share: number): Promise<void> {
    if (strikes('server: store answers late', share)) await server.sleep(random.between(...lateMs))
  }

  /** @param share - As with `write`. */
  async function read<Result>(work: () => Promise<Result>, share: number): Promise<Result> {
    await pass()
    if (strikes('server: store never answers', share)) return never
    const result = await work()
    await late(share)
    await server.awake()
    return server.isAlive() ? result : never
  }

  /** @param share - Scales the probability of faults: less than 1 for a write of every second. */
  async function write<Result>(work: () => Promise<Result>, share: number): Promise<Result> {
    await pass()
    if (strikes('server: crash before a store write', share)) return server.crash()
    if (strikes('server: store refuses a write', share)) throw new InjectedFailure('the store is read-only')
    if (strikes('server: store writes after it was given up', share)) {
      void server.sleep(random.between(givenUpMs, latestMs)).then(work)
      return never
    }
    const hangs = strikes('server: store never answers', share)
    if (hangs && random.chance(0.5)) return never
    const result = await work()
    if (hangs) return never
    if (strikes('server: crash after a store write', share)) return server.crash()
    if (strikes('server: store writes, then fails', share)) throw new InjectedFailure('the store has gone away')
    await late(share)
    await pass()
    return server.isAlive() ? result : never
  }

  const shareOf = (lease: string) => (['watch', 'read list'].includes(lease) ? 0.02 : 0.5)
  // Written every second, too.
  const shareOfRecord = (key: string) => (key === 'servers' ? 0.02 : 1)
  return {
    create: (record) => write(() => base.create(record), shareOfRecord(record.key)),
    replace: (record, version) => write(() => base.replace(record, version), shareOfRecord(record.key)),
    replaceMany: (replacements) => write(() => base.replaceMany(replacements), 1),
    reschedule: (reschedulings) => write(() => base.reschedule(reschedulings), 1),
    remove: (key, version) => write(() => base.remove(key, version), 1),
    lease: (name, holder, forMs) => write(() => base.lease(name, holder, forMs), shareOf(name)),
    release: (name, holder) => write(() => base.release(name, holder), shareOf(name)),
    read: (key) => read(() => base.read(key), shareOfRecord(key)),
    readMany: (keys) => read(() => base.readMany(keys), 1),
    listDue: (queue, nowMs, limit) => read(() => base.listDue(queue, nowMs, limit), 0.02),
    list: (label, options) => read(() => base.list(label, options), 1),
    close: () => base.close(),
  }
}
