/** Counts the SQL statements of this process, whichever code prepared them. */
import { DatabaseSync, StatementSync } from 'node:sqlite'

/** What was counted since the last reset. */
export interface StatementCount {
  readonly statements: number
  readonly transactions: number
}

/** A counter that is already at work. */
export interface Statements {
  count(): StatementCount
  reset(): void
  /** Does work whose statements are not counted. They have to be run before `work` returns. */
  uncounted<Result>(work: () => Result): Result
}

/** Patches `node:sqlite`: call it once, in a process that only measures. */
export function countStatements(): Statements {
  let isCounting = true
  let [statements, transactions] = [0, 0]
  for (const name of ['run', 'get', 'all', 'iterate'] as const) {
    patch(StatementSync.prototype, name, () => {
      if (isCounting) statements += 1
    })
  }
  patch(DatabaseSync.prototype, 'exec', (sql) => {
    if (isCounting && sql === 'COMMIT') transactions += 1
  })
  return {
    count: () => ({ statements, transactions }),
    reset: () => {
      statements = 0
      transactions = 0
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

/** Calls `before` with the first argument of each call of a method. */
function patch<Name extends string>(
  prototype: Record<Name, unknown>,
  name: Name,
  before: (argument: unknown) => void,
): void {
  const method = prototype[name] as (this: unknown, ...values: unknown[]) => unknown
  prototype[name] = function (this: unknown, ...values: unknown[]) {
    before(values[0])
    return method.apply(this, values)
  }
}
