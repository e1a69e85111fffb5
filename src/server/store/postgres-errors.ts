/** What errors of Postgres mean for a store, whichever driver passes them on. See https://www.postgresql.org/docs/current/errcodes-appendix.html */
import { errorsIn, wordsOf } from './repeating.ts'

/** Two transactions were in each other's way, or the server starts or has no connection left: the statement did nothing. */
const passing = new Set(['40001', '40P01', '55P03', '57P03', '53300'])
/** Another server made the same table, column, schema or function, or a row for it in the catalog. */
const beingMade = new Set(['42P07', '42701', '42P06', '42710', '42723', '23505'])

/** Whether a statement did nothing, for a reason that passes. */
export function isPassing(error: unknown): boolean {
  return (
    codesOf(error).some((code) => passing.has(code)) ||
    /could not serialize access|deadlock detected/.test(wordsOf(error))
  )
}

/** The same, of the statement that makes the tables: two servers that start at once may be in each other's way. */
export function isPassingWhileMade(error: unknown): boolean {
  return (
    isPassing(error) || codesOf(error).some((code) => beingMade.has(code)) || /tuple concurrently/.test(wordsOf(error))
  )
}

/** Whether the server that the statement came to only reads. */
export function isReadOnly(error: unknown): boolean {
  return codesOf(error).includes('25006') || /in a read-only transaction/.test(wordsOf(error))
}

function codesOf(error: unknown): readonly string[] {
  return errorsIn(error).flatMap(({ code }) => (typeof code === 'string' ? code : []))
}
