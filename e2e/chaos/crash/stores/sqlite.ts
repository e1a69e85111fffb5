/** A file that the servers make. */
import { copyFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqliteIn } from '../../../stores/start-store.ts'
import type { CrashStore } from './store.ts'

/** @param folder - Of the test. The store is in a folder of its own, which the first server makes. */
export function sqliteStore(folder: string): CrashStore {
  const started = sqliteIn(join(folder, 'shop'))
  const { path } = started.place
  const copyPath = join(folder, 'backup.sqlite')
  return {
    ...started,
    backUp: async () => {
      const database = new DatabaseSync(path)
      database.exec('PRAGMA busy_timeout = 5000')
      database.prepare('VACUUM INTO ?').run(copyPath)
      database.close()
    },
    restore: async () => {
      for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
      copyFileSync(copyPath, path)
    },
    readableByOthers: () => readableByOthers(path),
  }
}

/**
 * The store's files, those that SQLite left beside it when its process was killed included, and the folder that the server made for them.
 * Windows has no such permissions.
 */
function readableByOthers(path: string): readonly string[] {
  if (process.platform === 'win32') return []
  const folder = dirname(path)
  const files = readdirSync(folder).map((name) => join(folder, name))
  if (!files.includes(path)) return [`there is no file ${path}`]
  return [[folder, '700'] as const, ...files.map((file) => [file, '600'] as const)].flatMap(([each, mode]) => {
    const found = (statSync(each).mode & 0o777).toString(8)
    return found === mode ? [] : [`${each} has ${found}, not ${mode}`]
  })
}
