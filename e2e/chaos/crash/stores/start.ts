/** Starts the store that was asked for. */
import type { StorePlace } from '../../../stores/open-store.ts'
import { postgresStore } from './postgres.ts'
import { redisStore } from './redis.ts'
import { sqliteStore } from './sqlite.ts'
import type { CrashStore } from './store.ts'

/** Stores that the crash test knows. */
export const storeKinds = ['sqlite', 'postgres', 'redis'] as const satisfies readonly StorePlace['kind'][]

/** @param folder - Of the test. @throws Error with what the database said when it does not start. */
export async function startCrashStore(kind: (typeof storeKinds)[number], folder: string): Promise<CrashStore> {
  switch (kind) {
    case 'sqlite':
      return sqliteStore(folder)
    case 'postgres':
      return postgresStore()
    case 'redis':
      return redisStore()
  }
}
