/**
 * Which versions of this code may use the tables of a store. Beside their own version the tables
 * have the oldest one that may still use them, so that a server of it can start after a newer one
 * has changed them: to go back, after a crash, or while servers are replaced one by one.
 */
import { PaywindowError } from '../../contract/errors.ts'

/** What tables say of themselves. */
export interface TablesVersion {
  /** 0 where there are none. */
  readonly version: number
  /** The oldest version that may use them; their own where they do not say. */
  readonly oldest: number
}

/** Of the tables whose newest row this is. Without a row there are none. */
export function versionOfRow(row: unknown): TablesVersion {
  if (typeof row !== 'object' || row === null || !('version' in row)) return { version: 0, oldest: 0 }
  const version = Number(row.version)
  return { version, oldest: 'oldest' in row && row.oldest !== null ? Number(row.oldest) : version }
}

/** Whether code that knows the tables up to a version may use these. */
export function mayUse({ version, oldest }: TablesVersion, known: number): boolean {
  return version <= known || oldest <= known
}

/**
 * @param made - `The tables in shop were made`.
 * @param place - What else there can be tables in: `schema`.
 * @throws PaywindowError `invalid_options` when code that knows the tables up to a version may not
 *   use these.
 */
export function checkMayUse(found: TablesVersion, known: number, made: string, place: string): void {
  if (mayUse(found, known)) return
  const what = `${made} by a newer version of Paywindow (${found.version}, this one knows ${known}): upgrade, or use another ${place}`
  throw new PaywindowError('invalid_options', what)
}
