/** Starts the databases that stores are in. */
import { join } from 'node:path'
import { noPostgres } from '../../src/server/store/postgres-programs.testing.ts'
import { startPostgres } from '../../src/server/store/postgres-server.testing.ts'
import { findRedis, noRedisAdvice, startRedis } from '../../src/server/store/redis-server.testing.ts'
import type { StorePlace } from './open-store.ts'

/** What a store can be in. */
export type StoreKind = StorePlace['kind']

/** Why this machine cannot start one, or undefined. */
export function whyMissing(kind: StoreKind): string | undefined {
  if (kind === 'postgres') return noPostgres
  return kind === 'redis' && findRedis().length === 0 ? noRedisAdvice : undefined
}

/** Starts one. @param folder - For the file of SQLite. @throws Error with what the database said when it does not start. */
export async function startStore(
  kind: StoreKind,
  folder: string,
): Promise<{ readonly place: StorePlace; stop(): Promise<void> }> {
  switch (kind) {
    case 'sqlite':
      return { place: { kind, path: join(folder, 'store.sqlite') }, stop: async () => {} }
    case 'postgres': {
      const postgres = await startPostgres('fsync=on')
      return { place: { kind, url: postgres.url }, stop: postgres.stop }
    }
    case 'redis': {
      const redis = await startRedis(findRedis()[0] ?? 'redis-server')
      return { place: { kind, path: redis.path }, stop: redis.stop }
    }
  }
}
