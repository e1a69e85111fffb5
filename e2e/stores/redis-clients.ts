/** Clients of a Redis, as merchants have them, and stores through them. */
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { createRedisStore, type RedisCommand, type RedisStoreOptions } from '../../src/server/store/redis.ts'
import type { Store } from '../../src/server/store/store.ts'

/** A client that is connected. */
export interface TestClient {
  readonly command: RedisCommand
  /** For the tests' own commands. */
  send(...parts: [name: string, ...rest: string[]]): Promise<unknown>
  close(): void
}

/** Where a server is: a path, or a port of 127.0.0.1. */
type Place = { readonly path: string } | { readonly port: number }

/** The official client. @param login - `user:password`. */
export async function connectNodeRedis(place: Place, login?: string): Promise<TestClient> {
  const socket = 'path' in place ? { ...place, tls: false as const } : { host: '127.0.0.1', ...place }
  const [username, password] = login?.split(':') ?? []
  const client = createClient({ socket, ...(username && password && { username, password }) })
  // A server that is being started again.
  client.on('error', () => {})
  await client.connect()
  const command: RedisCommand = (parts) => client.sendCommand(parts)
  return { command, send: (...parts) => command(parts, ''), close: () => client.destroy() }
}

/** The other one that many have. */
export function connectIoredis(place: Place): TestClient {
  // Otherwise it repeats unanswered commands when a connection was lost.
  const client = new Redis({ ...place, maxRetriesPerRequest: 0 })
  client.on('error', () => {})
  const command: RedisCommand = ([name, ...rest]) => client.call(name, ...rest)
  return { command, send: (...parts) => command(parts, ''), close: () => client.disconnect() }
}

/** A store whose warnings go nowhere unless a test listens. */
export function storeOn({ command }: TestClient, options: Partial<RedisStoreOptions> = {}): Store {
  return createRedisStore({ command, onWarning: () => {}, ...options })
}
