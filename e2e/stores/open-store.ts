/** The stores of real processes, through the drivers that most have. */
import pg from 'pg'
import { createClient } from 'redis'
import { createSqliteStore } from '../../src/server/node.ts'
import { createPostgresStore } from '../../src/server/store/postgres.ts'
import { createRedisStore } from '../../src/server/store/redis.ts'
import type { Store } from '../../src/server/store/store.ts'

/** Where the store is: a file, or a database that other processes use too. */
export type StorePlace =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string }
  /** `path` of the socket on which it listens. */
  | { readonly kind: 'redis'; readonly path: string }

/**
 * Opens a store.
 *
 * @param run - Sends each statement to Postgres and each command to Redis. SQLite has none: its statements are run in this process.
 */
export async function openStore(
  place: StorePlace,
  run: <Result>(send: () => Promise<Result>) => Promise<Result> = (send) => send(),
): Promise<Store> {
  switch (place.kind) {
    case 'sqlite':
      return createSqliteStore(place.path)
    case 'postgres': {
      const pool = new pg.Pool({ connectionString: place.url })
      // Without a listener, a connection that the database ends while nobody uses it ends the process.
      pool.on('error', (error) => console.error(error))
      return createPostgresStore({ query: (text, values) => run(() => pool.query(text, values)) })
    }
    case 'redis': {
      const client = createClient({ socket: { path: place.path, tls: false } })
      client.on('error', (error) => console.error(error))
      await client.connect()
      return createRedisStore({ command: (parts) => run(() => client.sendCommand(parts)) })
    }
  }
}
