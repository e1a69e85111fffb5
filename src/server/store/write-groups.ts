/**
 * Commits writes in groups. Making sure that a commit is on the disk takes as long for one write as for many, so writes that arrive in
 * the same turn of the event loop share a transaction.
 */
import { closeSync, fdatasync, fstatSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

/** Records per transaction, where one write has not more. More would keep the event loop from its other work. */
const maxInGroup = 100
/** How long a commit waits in place for another process that writes. After that, the event loop gets its turn. */
const busyMs = 20
const pauseMs = 5

/** Runs writes, each as a whole or not at all. */
export interface WriteGroups {
  /**
   * Resolves with the result of `work` when it is on the disk. Rejects with what `work` throws, or why it could not be committed.
   *
   * @param records - How many records it writes. Default 1.
   */
  add<Result>(work: () => Result, records?: number): Promise<Result>
}

interface Write {
  readonly records: number
  /** Returns the function that resolves its promise. */
  run(): () => void
  reject(reason: unknown): void
}

/**
 * Nothing else may hold a transaction on this connection.
 *
 * @param syncing - Told of each commit. Its writes resolve when it is on the disk.
 * @param giveUpAfterMs - How long writes wait in all for another process that writes.
 */
export function createWriteGroups(
  database: DatabaseSync,
  syncing: Pick<Syncing, 'committed'>,
  giveUpAfterMs = 5_000,
): WriteGroups {
  let waiting: Write[] = []
  let busySince: number | undefined

  function flush(): void {
    const group = firstGroup(waiting)
    if (group.length === 0) return
    try {
      const resolvers = inTransaction(database, busyMs, () => group.map(({ run }) => run()))
      waiting = waiting.slice(group.length)
      settle(group, resolvers)
    } catch (error) {
      if (isBusy(error) && mayWait()) {
        setTimeout(flush, pauseMs)
        return
      }
      waiting = waiting.slice(group.length)
      if (group.length === 1 || isBusy(error)) for (const { reject } of group) reject(error)
      // One write that fails must not make the others fail.
      else for (const write of group) alone(write)
    }
    busySince = undefined
    if (waiting.length > 0) setImmediate(flush)
  }

  function alone(write: Write): void {
    try {
      settle([write], [inTransaction(database, busyMs, write.run)])
    } catch (error) {
      write.reject(error)
    }
  }

  function settle(group: readonly Write[], resolvers: readonly (() => void)[]): void {
    syncing.committed().then(
      () => {
        for (const resolve of resolvers) resolve()
      },
      (error: unknown) => {
        for (const { reject } of group) reject(error)
      },
    )
  }

  function mayWait(): boolean {
    busySince ??= performance.now()
    return performance.now() - busySince < giveUpAfterMs
  }

  return {
    add: (work, records = 1) =>
      new Promise((resolve, reject) => {
        const run = () => {
          const result = work()
          return () => resolve(result)
        }
        waiting.push({ records, run, reject })
        if (waiting.length === 1) setImmediate(flush)
      }),
  }
}

/** As many of the writes as have no more than a group's records, and at least one. */
function firstGroup(waiting: readonly Write[]): Write[] {
  let records = 0
  const end = waiting.findIndex((write, at) => {
    records += write.records
    return at > 0 && records > maxInGroup
  })
  return waiting.slice(0, end < 0 ? waiting.length : end)
}

/** Runs `work` as one transaction, waiting for another process for so long. @throws what `work` throws, after undoing it. */
export function inTransaction<Result>(database: DatabaseSync, waitMs: number, work: () => Result): Result {
  database.exec(`PRAGMA busy_timeout = ${waitMs}`)
  try {
    database.exec('BEGIN IMMEDIATE')
  } finally {
    database.exec('PRAGMA busy_timeout = 5000')
  }
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    undo(database)
    throw error
  }
}

/** Where there is no room on the disk, SQLite has undone it by itself, and says that there is nothing to undo. */
function undo(database: DatabaseSync): void {
  try {
    database.exec('ROLLBACK')
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error
  }
}

/** Another process writes. @see https://sqlite.org/rescode.html#busy */
function isBusy(error: unknown): boolean {
  return (
    error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5
  )
}

// Makes sure that commits are on the disk, without holding up the event loop: SQLite appends a commit to the write-ahead log, and the log is
// synchronised by a thread of Node's own. Commits that come meanwhile share the next synchronisation.

/** Makes what was written to a file survive a power failure. */
type Synchronise = () => Promise<void>

/** Commits of one connection. */
export interface Syncing {
  /** To be called after each commit. Resolves when it is on the disk. Rejects when that cannot be made sure. */
  committed(): Promise<void>
  /**
   * To be called after each read. Resolves when everything that it may have seen is on the disk. Rejects when that cannot be made sure.
   *
   * @param version - Of the data, as it was after the read or later.
   */
  seen(version: number): Promise<void>
  /** Whether another process removed the log of this open connection, so that nothing that is written lasts. */
  isLost(): boolean
  close(): void
}

/** Where SQLite itself synchronises what it commits, or there is nothing that could last. */
const alreadySynced: Syncing = {
  committed: async () => undefined,
  seen: async () => undefined,
  isLost: () => false,
  close: () => undefined,
}

/**
 * Has the commits of this connection synchronised here, if its log can be: `synchronous = NORMAL` leaves that to us, and still synchronises
 * log and file around each checkpoint.
 *
 * @param path - Of the database.
 * @param version - Of its data. Changes with the commits of other connections alone.
 * @see https://sqlite.org/pragma.html#pragma_synchronous
 */
export function syncCommits(database: DatabaseSync, path: string, version: number): Syncing {
  const mode = database.prepare('PRAGMA journal_mode').get()?.journal_mode
  if (mode !== 'wal') return alreadySynced
  database.exec('PRAGMA synchronous = NORMAL')
  // It exists while a connection is open. Windows synchronises only what may be written.
  const log = openSync(`${path}-wal`, 'r+')
  const syncing = createSyncing(
    () => new Promise((resolve, reject) => fdatasync(log, (error) => (error ? reject(error) : resolve()))),
    version,
  )
  const namesOf = () => fstatSync(log).nlink
  // Some file systems do not count names.
  const areCounted = namesOf() > 0
  let isOpen = true
  return {
    ...syncing,
    isLost: () => isOpen && areCounted && namesOf() === 0,
    close: () => {
      isOpen = false
      closeSync(log)
    },
  }
}

/**
 * @param synchronise - Synchronises what was written before the call.
 * @param version - Of the data. Changes whenever another connection has committed.
 */
export function createSyncing(synchronise: Synchronise, version: number): Omit<Syncing, 'close' | 'isLost'> {
  /** Commits that were made, and how many of them are on the disk. */
  let made = 0
  let synced = 0
  let known = version
  let running: { readonly upTo: number; readonly done: Promise<void> } | undefined
  let next: Promise<void> | undefined

  function begin(): Promise<void> {
    next = undefined
    const upTo = made
    const done = synchronise()
      .then(() => {
        synced = upTo
      })
      .finally(() => {
        running = undefined
      })
    running = { upTo, done }
    return done
  }

  /** Commits that were made before a synchronisation began are in it; the others share the next. */
  function untilSynced(): Promise<void> {
    if (running?.upTo === made) return running.done
    next ??= (running?.done ?? Promise.resolve()).catch(() => undefined).then(begin)
    return next
  }

  return {
    committed: () => {
      made += 1
      return untilSynced()
    },
    seen: async (now) => {
      if (now !== known) made += 1
      known = now
      if (synced < made) await untilSynced()
    },
  }
}
