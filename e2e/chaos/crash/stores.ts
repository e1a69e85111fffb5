/** The stores of the crash test, which can be copied, restored and killed. */
import { copyFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CheckoutRecord } from '../../../src/server/core/types.ts'
import { checkoutKind } from '../../../src/server/records/record-kinds.ts'
import { keysOf } from '../../../src/server/store/redis-script.ts'
import { openStore, type StorePlace } from '../../stores/open-store.ts'
import { runOn } from '../../stores/postgres-server.ts'
import { connectNodeRedis } from '../../stores/redis-clients.ts'
import { postgresStarted, redisStarted, type StartedStore, type StoreKind, sqliteIn } from '../../stores/start-store.ts'

/** A store that can be copied and restored. */
export interface CrashStore extends StartedStore {
  /** Copies it. Servers may write to it meanwhile. */
  backUp(): Promise<void>
  /** Replaces it by the copy. No server may be running. */
  restore(): Promise<void>
  /** What others than its owner can read, in words. */
  readableByOthers(): readonly string[]
}

/** All checkouts of a store, by id. */
export async function checkoutsIn(place: StorePlace): Promise<ReadonlyMap<string, CheckoutRecord>> {
  const { store, close } = await openStore(place)
  const records = await store.list('all', { limit: 1_000_000 })
  await close()
  return new Map(records.map(checkoutKind.parse).map((checkout) => [checkout.id, checkout]))
}

/** Starts one. @param folder - Of the test. @throws Error with what the database said otherwise. */
export async function startCrashStore(kind: StoreKind, folder: string): Promise<CrashStore> {
  switch (kind) {
    case 'sqlite':
      return sqliteStore(folder)
    case 'postgres':
      return postgresStore()
    case 'redis':
      return redisStore()
  }
}

/** @param folder - Of the test. The first server makes a folder for the store in it. */
function sqliteStore(folder: string): CrashStore {
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
 * Checks the store's files, and the folder that the server made for them. SQLite leaves some files
 * when its process is killed. Windows has no such permissions.
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

const tables = ['records', 'labels', 'due', 'leases'].map((name) => `paywindow_${name}`)

/** `crash` ends it as `pg_ctl stop -m immediate` does. */
async function postgresStore(): Promise<CrashStore> {
  const started = await postgresStarted()
  // A copy of one moment.
  const run = (statements: readonly string[]) =>
    runOn(started.place.url, ['BEGIN ISOLATION LEVEL REPEATABLE READ', ...statements, 'COMMIT'])
  return {
    ...started,
    backUp: () =>
      run(['CREATE SCHEMA copy', ...tables.map((each) => `CREATE TABLE copy.${each} AS TABLE paywindow.${each}`)]),
    restore: () =>
      run(
        tables.flatMap((each) => [
          `TRUNCATE paywindow.${each}`,
          `INSERT INTO paywindow.${each} SELECT * FROM copy.${each}`,
        ]),
      ),
    readableByOthers: () => [],
  }
}

const keys = keysOf('paywindow')
/** Copies each key of the first half to its place in the other half, or removes it there. */
const copy = `
for at = 1, #KEYS / 2 do
  redis.call('DEL', KEYS[at + #KEYS / 2])
  redis.call('COPY', KEYS[at], KEYS[at + #KEYS / 2])
end`
const copies = keys.map((key) => `copy:${key}`)

/** It writes to the disk before it replies; `crash` kills it. */
async function redisStore(): Promise<CrashStore> {
  const started = await redisStarted()
  const copyAll = async (from: readonly string[], to: readonly string[]) => {
    const client = await connectNodeRedis({ path: started.place.path })
    await client.send('EVAL', copy, `${from.length + to.length}`, ...from, ...to)
    client.close()
  }
  return {
    ...started,
    backUp: () => copyAll(keys, copies),
    restore: () => copyAll(copies, keys),
    readableByOthers: () => [],
  }
}
