/** Keeps the store's files from the other users of the machine: they hold what opens checkouts. See docs/decisions/026. */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { basename, dirname } from 'node:path'

/**
 * Makes a file and its folder where they are missing, and takes everybody's rights but the owner's from the file and from those that
 * SQLite keeps beside it, also where an older version made them. A folder that was there is the merchant's, with the rights
 * that it has, unless it is `.paywindow`. Windows has no such rights, and nothing is changed there.
 */
export function makePrivate(path: string): void {
  const folder = dirname(path)
  const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined
  if (isNew || basename(folder) === '.paywindow') limit(folder, 0o700)
  create(path)
  for (const file of [path, `${path}-wal`, `${path}-shm`]) limit(file, 0o600)
}

/** SQLite would make it with the rights that are left by the umask. */
function create(path: string): void {
  try {
    // Only a file that is new: to close one that is open elsewhere in this process would end SQLite's locks on it.
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

function limit(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch (error) {
    // A file that is not there needs nothing; one of another user is for that user to limit.
    if (!['ENOENT', 'EPERM', 'ENOTSUP'].includes(codeOf(error))) throw error
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
