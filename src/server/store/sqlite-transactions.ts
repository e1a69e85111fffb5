/** Transactions of one SQLite connection, beside other processes that write to the file. */
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'

/** Writes in a transaction. More would block the event loop. */
const maxTogether = 100
/** How long opening blocks while another process writes. */
export const openMs = 5_000
/** How long a transaction blocks; then the event loop gets its turn. */
const busyMs = 20
const pauseMs = 5

interface Write {
  /** Returns the function that resolves its promise. */
  run(): () => void
  reject(reason: unknown): void
}

/**
 * Writes of the same turn of the event loop share a transaction, because each commit blocks the
 * event loop for the disk. Nothing else may hold a transaction on this connection.
 *
 * @param giveUpAfterMs - How long a write waits in all while another process writes.
 */
export function createWrites(database: DatabaseSync, giveUpAfterMs = 5_000) {
  let waiting: Write[] = []
  let flushing: Promise<void> | undefined

  async function flush(): Promise<void> {
    for (await turn(); waiting.length > 0; await turn()) {
      const together = waiting.slice(0, maxTogether)
      waiting = waiting.slice(maxTogether)
      await settle(together)
    }
    flushing = undefined
  }

  async function settle(together: readonly Write[]): Promise<void> {
    try {
      const resolvers = await untilFree(() => together.map(({ run }) => run()))
      for (const resolve of resolvers) resolve()
    } catch (error) {
      if (together.length === 1 || isBusy(error)) for (const { reject } of together) reject(error)
      // A failing write must not make the others fail.
      else for (const write of together) await settle([write])
    }
  }

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
    /** Runs `work` in a transaction. Rejects with the error of `work` or of the commit. */
    run: <Result>(work: () => Result): Promise<Result> =>
      new Promise((resolve, reject) => {
        const run = () => {
          const result = work()
          return () => resolve(result)
        }
        waiting.push({ run, reject })
        flushing ??= flush()
      }),
    /** Resolves when none is waiting. */
    settled: async () => flushing,
  }
}

/**
 * Runs `work` as one transaction, waiting this long for another process.
 *
 * @throws the error of `work`, after a rollback.
 */
export function inTransaction<Result>(database: DatabaseSync, waitMs: number, work: () => Result): Result {
  database.exec(`PRAGMA busy_timeout = ${waitMs}`)
  try {
    database.exec('BEGIN IMMEDIATE')
  } finally {
    database.exec(`PRAGMA busy_timeout = ${openMs}`)
  }
  return thenEnd(database, 'COMMIT', work)
}

/** Runs `work`, which only reads, in one snapshot. */
export function atOneMoment<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN')
  return thenEnd(database, 'END', work)
}

function thenEnd<Result>(database: DatabaseSync, end: string, work: () => Result): Result {
  try {
    const result = work()
    database.exec(end)
    return result
  } catch (error) {
    undo(database)
    throw error
  }
}

/** On a full disk SQLite has rolled back by itself, and says that there is no transaction. */
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
