/**
 * `node:sqlite`, or an error that says which Node has it. An `import` would fail with
 * ERR_UNKNOWN_BUILTIN_MODULE before our code runs. Loading the entry checks it, also for shops with
 * another store: nothing is tested on an older Node.
 */
import process from 'node:process'
import type * as Sqlite from 'node:sqlite'

/** The part of Node's `process` that the check uses. The oldest versions lack the function. */
interface NodeLike {
  readonly version: string
  readonly getBuiltinModule?: (name: 'node:sqlite') => typeof Sqlite | undefined
}

/** @throws Error naming the Node that is needed. */
export function sqliteOf(node: NodeLike): typeof Sqlite {
  const sqlite = node.getBuiltinModule?.('node:sqlite')
  if (sqlite) return sqlite
  throw new Error(
    `Paywindow's server needs Node 22.13 or later, because it keeps its records in SQLite (node:sqlite). This is Node ${node.version}, without it. See https://nodejs.org/`,
  )
}

/** Node's class of a database. */
export type DatabaseSync = Sqlite.DatabaseSync
/** The same, to open one. */
export const { DatabaseSync } = sqliteOf(process)
