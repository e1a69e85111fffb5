/** Keeps other users of the machine from the store's files, which contain the keys of checkouts. See docs/decisions/keys.md. */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { basename, dirname } from 'node:path'

/**
 * Creates a file and its folder if they are missing, and restricts the file, and those that SQLite keeps beside it, to their owner,
 * also where an older version created them. A folder that existed before belongs to the merchant and keeps its permissions,
 * unless it is called `.paywindow`. Windows has no such permissions, so nothing changes there.
 */
export function makePrivate(path: string): void {
  const folder = dirname(path)
  const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined
  if (isNew || basename(folder) === '.paywindow') limit(folder, 0o700)
  create(path)
  for (const file of [path, `${path}-wal`, `${path}-shm`]) limit(file, 0o600)
}

/** SQLite would create it with the permissions that the umask leaves. */
function create(path: string): void {
  try {
    // Only a new file: closing one that is open elsewhere in this process would release SQLite's locks on it.
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

function limit(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch (error) {
    // A missing file needs nothing; another user's file is for that user to restrict.
    if (!['ENOENT', 'EPERM', 'ENOTSUP'].includes(codeOf(error))) throw error
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
