/** Transactions of one SQLite connection, beside other processes that write to the file. */

import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long opening the file waits in place for another process that writes. */
export const openMs = 5_000
/** How long a write waits in place. After that, the event loop gets its turn. */
const busyMs = 20
const pauseMs = 5

/** Writes of a connection. */
export interface Writes {
  /** Runs `work` as one transaction. Rejects with what `work` throws, or why it could not be committed: then nothing was done. */
  run<Result>(work: () => Result): Promise<Result>
  /** Resolves when none waits any longer. */
  settled(): Promise<unknown>
}

/**
 * Nothing else may hold a transaction on this connection.
 *
 * @param giveUpAfterMs - How long a write waits in all for another process that writes.
 */
export function createWrites(database: DatabaseSync, giveUpAfterMs = 5_000): Writes {
  const waiting = new Set<Promise<unknown>>()

  async function untilFree<Result>(work: () => Result): Promise<Result> {
    const untilMs = performance.now() + giveUpAfterMs
    for (;;) {
      try {
        return inTransaction(database, busyMs, work)
      } catch (error) {
        if (!isBusy(error) || performance.now() > untilMs) throw error
      }
      await sleep(pauseMs)
    }
  }

  return {
    run: async (work) => {
      const written = untilFree(work)
      waiting.add(written)
      try {
        return await written
      } finally {
        waiting.delete(written)
      }
    },
    settled: () => Promise.allSettled(waiting),
  }
}

/** Runs `work` as one transaction, waiting for another process for so long. @throws what `work` throws, after undoing it. */
export function inTransaction<Result>(database: DatabaseSync, waitMs: number, work: () => Result): Result {
  database.exec(`PRAGMA busy_timeout = ${waitMs}`)
  try {
    database.exec('BEGIN IMMEDIATE')
  } finally {
    database.exec(`PRAGMA busy_timeout = ${openMs}`)
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
