/** A store in Cloudflare D1, for a Worker in any number of places. Each verb is one batch, which D1 runs as one transaction. */
import { PaywindowError } from '../../contract/errors.ts'
import { checkNames } from '../../contract/option-names.ts'
import { type D1StoreDatabase, type D1StoreStatement, migrate } from './d1-schema.ts'
import { statementsOn } from './d1-statements.ts'
import { dueFromJson } from './due-pairs.ts'
import { repeating, wordsOf } from './repeating.ts'
import type { Store, StoredRecord } from './store.ts'

/**
 * What `createD1Store` is called with.
 *
 * @example
 * ```ts
 * const options = (env: { DB: D1StoreDatabase }): D1StoreOptions => ({ database: env.DB })
 * ```
 */
export interface D1StoreOptions {
  /** The binding itself, `env.DB`. Not a session of it: a session reads from replicas, which may be behind. */
  readonly database: D1StoreDatabase
}

/**
 * Creates a store in a D1 database. With its first use it makes its tables, whose names begin with `paywindow_`, or brings them up to date.
 * Create it once, outside of the handlers: it holds nothing of a request.
 *
 * @throws PaywindowError `invalid_options` when `database` is a session. With it, every method rejects when the tables were made by a newer
 * version of Paywindow and do not allow this one. A record of more than two million bytes is too large for D1: writing it rejects.
 *
 * @example
 * ```ts
 * function openStore(env: { DB: D1StoreDatabase }): Store {
 *   return createD1Store({ database: env.DB })
 * }
 * ```
 */
export function createD1Store(options: D1StoreOptions): Store {
  checkNames('createD1Store', options, { database: 0 })
  const { database } = options
  if ('getBookmark' in database) {
    throw new PaywindowError(
      'invalid_options',
      'database is a D1 session, which may read what is out of date: pass the binding itself, env.DB',
    )
  }
  const statements = statementsOn(database)
  let isReady = false

  async function run(batch: D1StoreStatement[]): Promise<readonly Row[]> {
    // Not one promise for all that ask: in a Worker it would belong to one request, and end with it.
    if (!isReady) await repeating(() => migrate(database), isInterrupted)
    isReady = true
    if (batch.length === 0) return []
    return (await database.batch(batch)).flatMap(({ results }) => results.filter(isRow))
  }

  const write = (batch: D1StoreStatement[]) => repeating(() => run(batch), isNotDone)
  const change = async (batch: D1StoreStatement[]) => new Set((await write(batch)).map(({ key }) => String(key)))
  const isChanged = async (batch: D1StoreStatement[]) => (await write(batch)).length > 0
  const read = async (batch: D1StoreStatement[]) => (await repeating(() => run(batch), isInterrupted)).map(readRow)

  return {
    create: (record) => isChanged(statements.create(record)),
    read: async (key) => (await read(statements.read([key])))[0],
    readMany: (keys) => read(statements.read(keys)),
    replace: (record, version) => isChanged(statements.replace([{ record, version }])),
    replaceMany: (replacements) => change(statements.replace(replacements)),
    reschedule: (reschedulings) => change(statements.reschedule(reschedulings)),
    remove: (key, version) => isChanged(statements.remove(key, version)),
    listDue: (queue, nowMs, limit) => read(statements.listDue(queue, nowMs, limit)),
    list: (label, { before, limit }) => read(statements.list(label, before, limit)),
    lease: (name, holder, forMs) => isChanged(statements.lease(name, holder, forMs)),
    release: async (name, holder) => void (await write(statements.release(name, holder))),
    close: async () => {},
  }
}

/** The batch never ran. See https://developers.cloudflare.com/d1/observability/debug-d1/ */
function isNotDone(error: unknown): boolean {
  return /overloaded|too many requests queued|transient issue|error while starting up|SQLITE_BUSY|database is locked/i.test(
    wordsOf(error),
  )
}

/** The batch did not run, or nobody knows: then only what reads, and what may run any number of times, is sent again. */
function isInterrupted(error: unknown): boolean {
  return (
    isNotDone(error) || /connection lost|object to be reset|reset because its code was updated/i.test(wordsOf(error))
  )
}

type Row = Readonly<Record<string, unknown>>

function isRow(row: unknown): row is Row {
  return typeof row === 'object' && row !== null
}

function readRow({ key, value, version, due }: Row): StoredRecord {
  if (typeof key !== 'string' || typeof value !== 'string' || typeof version !== 'number' || typeof due !== 'string') {
    throw new TypeError('A record of the store has columns of other types than were written')
  }
  return { key, value, version, due: dueFromJson(due) }
}
