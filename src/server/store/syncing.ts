/**
 * Makes sure that commits are on the disk, without holding up the event loop: SQLite appends a commit to the write-ahead log, and the log is
 * synchronised by a thread of Node's own. Commits that come meanwhile share the next synchronisation.
 */
import { closeSync, fdatasync, fstatSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

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
