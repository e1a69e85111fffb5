/** Counts the statements of this process, of SQLite and of other databases. */
import { DatabaseSync, StatementSync } from 'node:sqlite'

/** What was counted since the last reset. */
interface StatementCount {
  readonly statements: number
  readonly transactions: number
  /** The longest statement or commit, in ms, with the time that it waits for disk or processor. */
  readonly longestSqlMs: number
}

/** A counter that is already at work. */
export interface Statements {
  count(): StatementCount
  /** Runs a statement of another database. */
  counted<Result>(run: () => Promise<Result>): Promise<Result>
  reset(): void
  /** Does work whose statements are not counted. They have to be run before `work` returns. */
  uncounted<Result>(work: () => Result): Result
}

/** Patches `node:sqlite`: call it once, in a process that only measures. */
export function countStatements(): Statements {
  let isCounting = true
  let [statements, transactions, longestSqlMs] = [0, 0, 0]
  const took = (ms: number) => {
    if (isCounting) longestSqlMs = Math.max(longestSqlMs, ms)
  }
  for (const name of ['run', 'get', 'all', 'iterate'] as const) {
    patch(StatementSync.prototype, name, (_, ms) => {
      took(ms)
      if (isCounting) statements += 1
    })
  }
  patch(DatabaseSync.prototype, 'exec', (sql, ms) => {
    took(ms)
    if (isCounting && sql === 'COMMIT') transactions += 1
  })
  return {
    counted: async (run) => {
      const isCounted = isCounting
      const beganAt = performance.now()
      const result = await run()
      if (!isCounted) return result
      statements += 1
      longestSqlMs = Math.max(longestSqlMs, performance.now() - beganAt)
      return result
    },
    count: () => ({ statements, transactions, longestSqlMs }),
    reset: () => {
      statements = 0
      transactions = 0
      longestSqlMs = 0
    },
    uncounted: (work) => {
      isCounting = false
      try {
        return work()
      } finally {
        isCounting = true
      }
    },
  }
}

/** Calls `after` with the first argument of each call of a method, and with how long it took. */
function patch<Name extends string>(
  prototype: Record<Name, unknown>,
  name: Name,
  after: (argument: unknown, ms: number) => void,
): void {
  const method = prototype[name] as (this: unknown, ...values: unknown[]) => unknown
  prototype[name] = function (this: unknown, ...values: unknown[]) {
    const beganAt = performance.now()
    try {
      return method.apply(this, values)
    } finally {
      after(values[0], performance.now() - beganAt)
    }
  }
}
