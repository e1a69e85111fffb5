/**
 * Commits writes in groups. Making sure that a commit is on the disk takes as long for one write as for many, so writes that arrive in
 * the same turn of the event loop share a transaction.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Syncing } from './syncing.ts'

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
