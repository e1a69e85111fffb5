/**
 * The durable store of Node: one SQLite file through `node:sqlite`, shared by the processes of one machine.
 * What a method has resolved, a read as well as a write, survives a killed process and a power failure.
 */
import { createKeptRecords, type SeenRecords } from './kept-records.ts'
import { DatabaseSync } from './node-sqlite.ts'
import { makePrivate } from './private-file.ts'
import { type Connection, createReopening } from './reopening.ts'
import { leaseStatements } from './sqlite-leases.ts'
import { prepareChanges, prepareReads } from './sqlite-records.ts'
import { migrate, openMs, prepareDataVersion } from './sqlite-schema.ts'
import type { Store, StoredRecord } from './store.ts'
import { syncCommits } from './syncing.ts'
import { createWriteGroups } from './write-groups.ts'

/** Where the store of a server on Node is, below the working directory, if nothing else is said. */
export const defaultStorePath = '.paywindow/paywindow.sqlite'

/**
 * Opens the store, and makes the file and its folder when they are missing: 0600 and 0700, for this user alone.
 *
 * @param path - A file path; `':memory:'` for a store that is gone with the process.
 * @param now - The clock that leases run by, ms since the epoch. Default: the machine's, which its processes share.
 * @throws PaywindowError `invalid_options` when the file was written by a newer version of Paywindow and does not allow this one. If that happens
 * later, every method rejects with it.
 *
 * @example
 * ```ts
 * const store = createSqliteStore(':memory:')
 * await store.create({ key: 'a', value: '{}', labels: [], due: [] })
 * await store.read('a') // => { key: 'a', value: '{}', version: 1, due: [] }
 * await store.close()
 * ```
 */
export function createSqliteStore(path: string, now: () => number = Date.now): Store {
  if (path === ':memory:') return connect(path, now).store
  return createReopening(path, () => {
    makePrivate(path)
    return connect(path, now)
  })
}

function connect(path: string, now: () => number): Connection {
  const database = new DatabaseSync(path)
  // First: each of the others may meet a process that has the file to itself, to make it or to recover it after a crash.
  database.exec(`PRAGMA busy_timeout = ${openMs}`)
  // Only a new file takes this on: what is archived or forgotten then makes the file smaller.
  database.exec('PRAGMA auto_vacuum = INCREMENTAL')
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  migrate(database, path)
  const version = prepareDataVersion(database, path)
  const syncing = syncCommits(database, path, version())
  const groups = createWriteGroups(database, syncing)

  const leases = prepareLeases(database, now)
  const reads = prepareReads(database)
  const kept = createKeptRecords({ many: reads.many, version })
  const changes = prepareChanges(database, kept.changes)
  /** Reads look at the version by themselves. */
  const write = <Result>(work: () => Result, records?: number): Promise<Result> =>
    groups.add(() => {
      version()
      return work()
    }, records)
  async function seen({ records, version }: SeenRecords): Promise<readonly StoredRecord[]> {
    await syncing.seen(version)
    return records
  }

  const store: Store = {
    create: (record) => write(() => changes.create(record)),
    read: async (key) => (await seen(kept.many([key])))[0],
    readMany: async (keys) => seen(kept.many(keys)),
    replace: (record, version) => write(() => changes.replace({ record, version })),
    replaceMany: (replacements) =>
      write(() => new Set(replacements.filter(changes.replace).map(({ record }) => record.key)), replacements.length),
    reschedule: (reschedulings) =>
      write(() => new Set(reschedulings.filter(changes.reschedule).map(({ key }) => key)), reschedulings.length),
    remove: (key, version) => write(() => changes.remove(key, version)),
    listDue: async (queue, nowMs, limit) => seen(kept.listed(reads.due(queue, nowMs, limit))),
    list: async (name, { before, limit }) => {
      const list = reads.labelled(name, before, limit)
      // Who reads on page by page reads each record once.
      return seen(before === undefined ? kept.listed(list) : { records: list.records(), version: version() })
    },
    lease: (name, holder, forMs) => write(() => leases.take(name, holder, forMs)),
    release: (name, holder) => write(() => leases.release(name, holder)),
    close: async () => {
      // Writes that were started before are finished first.
      await groups.add(() => undefined)
      end()
    },
  }
  let isAbandoned = false
  function end(): void {
    syncing.close()
    database.close()
  }
  return {
    store,
    isLost: () => isAbandoned || syncing.isLost(),
    abandon: () => {
      if (!isAbandoned) end()
      isAbandoned = true
    },
  }
}

function prepareLeases(database: DatabaseSync, now: () => number) {
  const terms = { name: ':name', holder: ':holder', nowMs: ':now', forMs: ':for' }
  const statements = leaseStatements('leases', terms)
  const take = database.prepare(statements.take)
  const release = database.prepare(statements.release)
  return {
    take: (name: string, holder: string, forMs: number) =>
      take.run({ name, holder, now: now(), for: forMs }).changes !== 0,
    release: (name: string, holder: string) => void release.run({ name, holder }),
  }
}
