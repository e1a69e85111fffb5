/**
 * Which versions of this code may use the tables of a store. The tables name their own version and
 * the oldest that may still use them. So an older server can start after a newer one has changed
 * them: after a rollback or a crash, or while servers are replaced one by one.
 */
import { PaywindowError } from '../../contract/errors.ts'

/** The versions that tables name. */
export interface TablesVersion {
  /** 0 without tables. */
  readonly version: number
  /** The oldest version that may use them. Default: their own. */
  readonly oldest: number
}

/** The versions in the tables' newest row. Without a row there are no tables. */
export function versionOfRow(row: unknown): TablesVersion {
  if (typeof row !== 'object' || row === null || !('version' in row)) return { version: 0, oldest: 0 }
  const version = Number(row.version)
  return { version, oldest: 'oldest' in row && row.oldest !== null ? Number(row.oldest) : version }
}

/** Whether code that knows versions up to `known` may use these tables. */
export function mayUse({ version, oldest }: TablesVersion, known: number): boolean {
  return version <= known || oldest <= known
}

/**
 * @param made - `The tables in shop were made`.
 * @param place - The other place to use: `schema`.
 * @throws PaywindowError `invalid_options` when code that knows versions up to `known` may not use
 *   them.
 */
export function checkMayUse(found: TablesVersion, known: number, made: string, place: string): void {
  if (mayUse(found, known)) return
  const what = `${made} by a newer version of Paywindow (${found.version}, this one knows ${known}): upgrade, or use another ${place}`
  throw new PaywindowError('invalid_options', what)
}
