/**
 * A store in Postgres, for any number of servers. Each verb is one statement, so it works behind poolers and over HTTP, and through
 * whatever the merchant already talks to the database with.
 */
import { PaywindowError } from '../../contract/errors.ts'
import { checkNames } from '../../contract/option-names.ts'
import { dueFromJson } from './due-pairs.ts'
import { isPassing, isPassingWhileMade, isReadOnly } from './postgres-errors.ts'
import { defaultSchema, newestVersion, postgresSchema, quoteSchema } from './postgres-schema.ts'
import { statementsIn } from './postgres-statements.ts'
import { createPreparing } from './preparing.ts'
import { repeating } from './repeating.ts'
import type { Store, StoredRecord } from './store.ts'
import { checkMayUse, versionOfRow } from './versions.ts'

/**
 * Runs one statement and resolves with its rows, as objects. `values` are those of `$1`, `$2` …, all of them text. Do not run it inside
 * of a transaction: what Paywindow wrote must be there when this resolves.
 *
 * @example
 * ```ts
 * type Pool = { query(text: string, values: string[]): Promise<{ rows: object[] }> }
 * const queryOf = (pool: Pool): PostgresQuery => (text, values) => pool.query(text, values)
 * ```
 */
export type PostgresQuery = (text: string, values: string[]) => Promise<{ readonly rows: readonly unknown[] }>

/**
 * What `createPostgresStore` is called with.
 *
 * @example
 * ```ts
 * const options: PostgresStoreOptions = { query: async () => ({ rows: [] }), schema: 'shop' }
 * ```
 */
export interface PostgresStoreOptions {
  /** Sends a statement by the driver that you have. */
  readonly query: PostgresQuery
  /**
   * Where the tables are, which have names that begin with `paywindow_`. 1 to 63 letters, digits, `_` and `-`. It is created if it does
   * not exist. Default `paywindow`.
   */
  readonly schema?: string
}

/**
 * Creates a store in a Postgres database, 15 or later. With its first use it makes its tables or brings them up to date, as `postgresSchema`
 * does by hand. It leaves opening and closing connections to you: `close` does nothing.
 *
 * A statement that met another one and was undone is sent again, so any isolation level serves.
 *
 * @throws PaywindowError `invalid_options` when `schema` cannot be one. With it, every method rejects when the tables were made by a newer
 * version of Paywindow and do not allow this one, when the database is not in UTF-8, and when `query` does not resolve with rows.
 *
 * @example
 * ```ts
 * function openStore(pool: { query: PostgresQuery }): Store {
 *   return createPostgresStore({ query: (text, values) => pool.query(text, values) })
 * }
 * ```
 */
export function createPostgresStore(options: PostgresStoreOptions): Store {
  checkNames('createPostgresStore', options, { query: 0, schema: 0 })
  const { query, schema = defaultSchema } = options
  const statements = statementsIn(quoteSchema(schema))
  const rows = async (text: string, values: string[]) => {
    try {
      return rowsOf(await repeating(() => query(text, values), isPassing))
    } catch (error) {
      throw isReadOnly(error) ? onlyReads(error) : error
    }
  }

  async function prepare(): Promise<void> {
    const [settings] = await rows(statements.settings, [])
    if (settings?.read_only === 'on') throw onlyReads()
    if (settings?.encoding !== 'UTF8') throw otherEncoding(settings?.encoding)
    await repeating(() => query(postgresSchema(schema), []), isPassingWhileMade)
    const [row] = await rows(statements.version, [])
    checkMayUse(versionOfRow(row), newestVersion, `The tables in ${schema} were made`, 'schema')
  }

  const tables = createPreparing(prepare)

  async function run(text: string, ...values: string[]): Promise<readonly Row[]> {
    await tables.done()
    return rows(text, values)
  }

  const change = async (verb: keyof typeof statements.change, changes: readonly object[]) =>
    new Set((await run(statements.change[verb], JSON.stringify(changes))).map(({ key }) => String(key)))
  const changeOne = async (verb: keyof typeof statements.change, only: object) => (await change(verb, [only])).size > 0
  const read = async (keys: readonly string[]) => (await run(statements.read, JSON.stringify(keys))).map(readRow)

  return {
    create: (record) => changeOne('create', record),
    read: async (key) => (await read([key]))[0],
    readMany: read,
    replace: (record, version) => changeOne('replace', { ...record, version }),
    replaceMany: (replacements) =>
      change(
        'replace',
        replacements.map(({ record, version }) => ({ ...record, version })),
      ),
    reschedule: (reschedulings) => change('reschedule', reschedulings),
    remove: (key, version) => changeOne('remove', { key, version }),
    listDue: async (queue, nowMs, limit) =>
      (await run(statements.listDue, queue, String(Math.floor(nowMs)), String(limit))).map(readRow),
    list: async (label, { before, limit }) => {
      const found =
        before === undefined
          ? await run(statements.list, label, String(limit))
          : await run(statements.listBefore, label, String(limit), before)
      return found.map(readRow)
    },
    lease: async (name, holder, forMs) => (await run(statements.lease, name, holder, String(forMs))).length > 0,
    release: async (name, holder) => void (await run(statements.release, name, holder)),
    close: async () => {},
  }
}

type Row = Readonly<Record<string, unknown>>

function onlyReads(cause?: unknown): PaywindowError {
  const what =
    'Postgres says that it only reads (25006): a statement came to a replica, or the primary has moved. Every statement of Paywindow has to reach the primary, each SELECT, too: switch off what sends them elsewhere, and open the connections anew'
  return new PaywindowError('internal', what, { cause })
}

function otherEncoding(encoding: unknown): PaywindowError {
  const what = `The encoding of this database is ${encoding}, which has not all letters of names and carts. Use one of UTF-8: CREATE DATABASE shop ENCODING 'UTF8' TEMPLATE template0`
  return new PaywindowError('invalid_options', what)
}

/** @throws PaywindowError `invalid_options`: another driver's result needs another function around it. */
function rowsOf(result: unknown): readonly Row[] {
  const rows: unknown = typeof result === 'object' && result !== null && 'rows' in result ? result.rows : undefined
  if (Array.isArray(rows) && rows.every(isRow)) return rows
  throw new PaywindowError('invalid_options', 'query must resolve with an object that has `rows`, a list of objects')
}

function isRow(row: unknown): row is Row {
  return typeof row === 'object' && row !== null && !Array.isArray(row)
}

function readRow({ key, value, version, due }: Row): StoredRecord {
  if (typeof key !== 'string' || typeof value !== 'string' || typeof version !== 'string' || typeof due !== 'string') {
    throw new TypeError('A record of the store has columns of other types than were asked for')
  }
  return { key, value, version: Number(version), due: dueFromJson(due) }
}
