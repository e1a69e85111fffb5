/** Starts the store that was asked for. */
import type { StoreKind } from '../../../stores/start-store.ts'
import { postgresStore } from './postgres.ts'
import { redisStore } from './redis.ts'
import { sqliteStore } from './sqlite.ts'
import type { CrashStore } from './store.ts'

/** @param folder - Of the test. @throws Error with what the database said when it does not start. */
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
