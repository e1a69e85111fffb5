/**
 * A store in Postgres, for any number of servers. Each method is one statement, so it works behind
 * poolers, over HTTP, and through any driver.
 */
import { PaywindowError } from '../../contract/errors.ts'
import { checkNames } from '../../contract/option-names.ts'
import { wasNeverSent } from '../../service/failures.ts'
import { defaultSchema, newestVersion, postgresSchema, quoteSchema } from './postgres-schema.ts'
import { createPreparing, errorsIn, isObject, repeating, wordsOf } from './repeating.ts'
import { afterAllKeys, readRow } from './sql.ts'
import type { Replacement, Store } from './store.ts'
import { checkMayUse, versionOfRow } from './versions.ts'

/**
 * Runs one statement and resolves with its rows, as objects. `values` are those of `$1`, `$2` …,
 * all text. Do not run it in a transaction: the write must be durable when this resolves.
 *
 * @example
 * ```ts
 * type Pool = { query(text: string, values: string[]): Promise<{ rows: object[] }> }
 * const queryOf = (pool: Pool): PostgresQuery => (text, values) => pool.query(text, values)
 * ```
 */
export type PostgresQuery = (text: string, values: string[]) => Promise<{ readonly rows: readonly unknown[] }>

/**
 * The options of `createPostgresStore`.
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
   * The schema of the tables, whose names begin with `paywindow_`. 1 to 63 letters, digits, `_` and
   * `-`. It is created if missing. Default `paywindow`.
   */
  readonly schema?: string
}

/**
 * Creates a store in a Postgres database, 15 or later. Its first use makes or updates its tables,
 * as `postgresSchema` does by hand. You open and close the connections: `close` does nothing.
 *
 * A statement that a conflict has undone is sent again, so any isolation level serves.
 *
 * @throws PaywindowError `invalid_options` when `schema` cannot be one. Every method rejects with
 *   it when a newer version of Paywindow made the tables and they do not allow this one, when the
 *   database is not in UTF-8, and when `query` does not resolve with rows.
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
  const withAdvice = (error: unknown) => explained(error, schema)
  const send = (text: string, values: string[], mayRepeat = isPassing) =>
    repeating(() => query(text, values), mayRepeat, withAdvice)
  const rows = async (text: string, values: string[]) => rowsOf(await send(text, values))

  async function prepare(): Promise<void> {
    const [settings] = await rows(statements.settings, [])
    if (settings?.replica === 'on') throw onlyReads()
    if (settings?.encoding !== 'UTF8') throw otherEncoding(settings?.encoding)
    await send(postgresSchema(schema), [], isPassingWhileMade)
    const [row] = await rows(statements.version, [])
    checkMayUse(versionOfRow(row), newestVersion, `The tables in ${schema} were made`, 'schema')
  }

  const tables = createPreparing(prepare)

  async function run(text: string, ...values: string[]): Promise<readonly Row[]> {
    await tables.done()
    return rows(text, values)
  }

  const change = async (verb: Verb, changes: readonly object[]) =>
    new Set((await run(statements.change(verb), JSON.stringify(changes))).map(({ key }) => String(key)))
  const versioned = ({ record, version }: Replacement) => ({ ...record, version })
  const changeOne = async (verb: Verb, only: object) => (await change(verb, [only])).size > 0
  const read = async (keys: readonly string[]) => (await run(statements.read, JSON.stringify(keys))).map(readRow)

  return {
    create: (record) => changeOne('create', record),
    read: async (key) => (await read([key]))[0],
    readMany: read,
    replace: (record, version) => changeOne('replace', versioned({ record, version })),
    replaceMany: (replacements) => change('replace', replacements.map(versioned)),
    reschedule: (reschedulings) => change('reschedule', reschedulings),
    remove: (key, version) => changeOne('remove', { key, version }),
    listDue: async (queue, nowMs, limit) =>
      (await run(statements.listDue, queue, String(Math.floor(nowMs)), String(limit))).map(readRow),
    list: async (label, { before = afterAllKeys, limit }) =>
      (await run(statements.list, label, before, String(limit))).map(readRow),
    lease: async (name, holder, forMs) => (await run(statements.lease, name, holder, String(forMs))).length > 0,
    release: async (name, holder) => void (await run(statements.release, name, holder)),
    close: async () => {},
  }
}

type Row = Readonly<Record<string, unknown>>
type Verb = 'create' | 'replace' | 'reschedule' | 'remove'

function onlyReads(cause?: unknown): PaywindowError {
  const what =
    'Postgres says that it only reads (25006): a statement came to a replica, the primary has moved, or your provider has stopped writes because the disk is nearly full. Every statement of Paywindow has to reach the primary, each SELECT, too: switch off what sends them elsewhere, and open the connections anew'
  return new PaywindowError('internal', what, { cause })
}

/** The error, or a clearer error with advice. */
function explained(error: unknown, schema: string): unknown {
  if (codesOf(error).includes('25006') || /in a read-only transaction/.test(wordsOf(error))) return onlyReads(error)
  const refused = errorsIn(error).find(({ code }) => code === '42501')
  if (!refused) return error
  const what = `Postgres forbids it to the role of your servers (42501: ${refused.message}). Run npx paywindow migrate --schema ${schema} with a role that may make tables, then as this role GRANT USAGE ON SCHEMA and ALL ON ALL TABLES IN SCHEMA "${schema}", which may have no row-level security`
  return new PaywindowError('internal', what, { cause: error })
}

function otherEncoding(encoding: unknown): PaywindowError {
  const what = `The encoding of this database is ${encoding}, which has not all letters of names and carts. Use one of UTF-8: CREATE DATABASE shop ENCODING 'UTF8' TEMPLATE template0`
  return new PaywindowError('invalid_options', what)
}

/** @throws PaywindowError `invalid_options`: another driver's result needs another wrapper. */
function rowsOf(result: unknown): readonly Row[] {
  const rows = isObject(result) ? result.rows : undefined
  if (Array.isArray(rows) && rows.every((row) => isObject(row) && !Array.isArray(row))) return rows
  throw new PaywindowError('invalid_options', 'query must resolve with an object that has `rows`, a list of objects')
}

// The statements of the Postgres store, one for each method. All values and all columns of results
// are text, because drivers convert other types differently. `::text::json` keeps drivers that look
// at a parameter's type from encoding it twice.

/** The text of each statement. `s` is the quoted schema. */
function statementsIn(s: string) {
  const columns = `r.key, r.value, r.version::text AS version, (
      SELECT coalesce(json_agg(json_build_array(d.queue, d.at_ms)), '[]')::text FROM ${s}.paywindow_due d WHERE d.key = r.key
    ) AS due`
  return {
    /** The settings that the store needs. Some drivers change names with an underscore. */
    settings: `SELECT current_setting('server_encoding') AS encoding, current_setting('transaction_read_only') AS replica`,
    version: versionStatement(s),
    /**
     * `$1`: a JSON list of changes, of one record or many. Returns the keys of the changed records.
     * Commits to the disk, even if the database's default does not.
     */
    change: (verb: Verb) => `SELECT c.key FROM ${s}.paywindow_${verb}($1::text::json) AS c(key),
      set_config('synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'local'), true)`,
    /** `$1`: a JSON list of keys. */
    read: `SELECT ${columns} FROM ${s}.paywindow_records r
      WHERE r.key = ANY (ARRAY (SELECT json_array_elements_text($1::text::json)))`,
    /** `$1`: the queue, `$2`: the time, `$3`: how many. */
    listDue: `SELECT ${columns} FROM (
        SELECT w.key, w.at_ms FROM ${s}.paywindow_due w WHERE w.queue = $1::text AND w.at_ms <= $2::text::bigint
          ORDER BY w.at_ms, w.key LIMIT $3::text::bigint
      ) waiting JOIN ${s}.paywindow_records r ON r.key = waiting.key ORDER BY waiting.at_ms, waiting.key`,
    /** `$1`: the label, `$2`: a key behind all results, `$3`: how many. */
    list: `SELECT ${columns} FROM (
        SELECT l.key FROM ${s}.paywindow_labels l WHERE l.label = $1::text AND l.key < $2::text
          ORDER BY l.key DESC LIMIT $3::text::bigint
      ) listed JOIN ${s}.paywindow_records r ON r.key = listed.key ORDER BY listed.key DESC`,
    /**
     * By the database's clock, with the rule of `isHeld` in `memory.ts`. `$1`: the name, `$2`: the
     * holder, `$3`: milliseconds.
     */
    lease: `INSERT INTO ${s}.paywindow_leases AS l (name, holder, taken_at, for_ms)
      VALUES ($1::text, $2::text, clock_timestamp(), $3::text::double precision)
      ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, taken_at = clock_timestamp(), for_ms = excluded.for_ms
        WHERE l.holder = excluded.holder OR abs(extract(epoch FROM clock_timestamp() - l.taken_at)) * 1000 >= l.for_ms
      RETURNING l.name`,
    release: `DELETE FROM ${s}.paywindow_leases l WHERE l.name = $1::text AND l.holder = $2::text`,
  }
}

/**
 * Reads the version of the tables: no row if there is none.
 *
 * @param s - The quoted schema.
 */
export const versionStatement = (s: string): string =>
  `SELECT v.version::text AS version, v.oldest::text AS oldest FROM ${s}.paywindow_versions v ORDER BY v.version DESC LIMIT 1`

/**
 * Codes of statements that did nothing: two transactions conflicted, one waited too long, or the
 * server starts, ends, has no connection left or, for postgres.js, does not answer.
 */
const passing = new Set('40001 40P01 55P03 57014 57P01 57P05 57P03 25P04 53300 08001 CONNECT_TIMEOUT'.split(' '))
/** Codes of a table, column, schema, function or catalog row that another server has made. */
const beingMade = new Set(['42P07', '42701', '42P06', '42710', '42723', '23505'])

/**
 * Words of the same conflicts, and of statements that did not reach the server: a pool of pg, or a
 * PgBouncer, has no connection to give.
 */
const passingWords =
  /could not serialize access|deadlock detected|timeout exceeded when trying to connect|due to connection timeout|server login has been failing|query_wait_timeout|no more connections allowed/

/** Whether a statement did nothing, for a reason that passes. */
function isPassing(error: unknown): boolean {
  const isCoded = codesOf(error).some((code) => passing.has(code))
  return isCoded || passingWords.test(wordsOf(error)) || errorsIn(error).some((each) => wasNeverSent(each))
}

/**
 * As `isPassing`, for the statement that makes the tables: two servers that start at once may
 * conflict.
 */
function isPassingWhileMade(error: unknown): boolean {
  return (
    isPassing(error) || codesOf(error).some((code) => beingMade.has(code)) || /tuple concurrently/.test(wordsOf(error))
  )
}

function codesOf(error: unknown): readonly string[] {
  return errorsIn(error).flatMap(({ code }) => (typeof code === 'string' ? code : []))
}
