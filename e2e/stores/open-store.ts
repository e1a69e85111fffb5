/** Stores through common drivers. Each driver is loaded when its database is asked for. */
import { createSqliteStore } from '../../src/server/node.ts'
import { createPostgresStore } from '../../src/server/store/postgres.ts'
import { createRedisStore } from '../../src/server/store/redis.ts'
import type { Store } from '../../src/server/store/store.ts'

/** A store, and how to end its connections. */
export interface OpenStore {
  readonly store: Store
  close(): Promise<void>
}

/** Where the store is: a file, or a database that other processes use too. */
export type StorePlace =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly schema?: string }
  /** `path` of the socket on which it listens. */
  | { readonly kind: 'redis'; readonly path: string; readonly prefix?: string }

/** Opens a store. @param run - Sends each statement to Postgres and each command to Redis. */
export async function openStore(
  place: StorePlace,
  run: <Result>(send: () => Promise<Result>) => Promise<Result> = (send) => send(),
): Promise<OpenStore> {
  switch (place.kind) {
    case 'sqlite': {
      const store = createSqliteStore(place.path)
      return { store, close: store.close }
    }
    case 'postgres': {
      const { default: pg } = await import('pg')
      const pool = new pg.Pool({ connectionString: place.url })
      // Without a listener, an idle connection that the database ends would end the process.
      pool.on('error', () => {})
      const query = (text: string, values: string[]) => run(() => pool.query(text, values))
      const store = createPostgresStore({ ...(place.schema && { schema: place.schema }), query })
      return { store, close: () => pool.end() }
    }
    case 'redis': {
      const { connectNodeRedis } = await import('./redis-clients.ts')
      const { command, close } = await connectNodeRedis({ path: place.path })
      const store = createRedisStore({
        ...(place.prefix && { prefix: place.prefix }),
        command: (...sent) => run(() => command(...sent)),
      })
      return { store, close: async () => close() }
    }
  }
}
