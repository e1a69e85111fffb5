/** Starts the databases of stores, with settings that lose nothing. */
import { join } from 'node:path'
import type { StorePlace } from './open-store.ts'
import { noPostgres } from './postgres-programs.ts'
import { startPostgres } from './postgres-server.ts'
import { findRedis, noRedisAdvice, startRedis } from './redis-server.ts'

/** What a store can be in. */
export const storeKinds = ['sqlite', 'postgres', 'redis'] as const satisfies readonly StorePlace['kind'][]
/** One of them. */
export type StoreKind = (typeof storeKinds)[number]

type PlaceOf<Kind extends StoreKind> = Extract<StorePlace, { readonly kind: Kind }>

/** A store that outlives every server. */
export interface StartedStore<Place extends StorePlace = StorePlace> {
  readonly place: Place
  /** Kills the database and starts it again. SQLite has none: it dies with each server. */
  readonly crash?: () => Promise<void>
  stop(): Promise<void>
}

/** Why this machine cannot start one, or undefined. */
export function whyMissing(kind: StoreKind): string | undefined {
  if (kind === 'postgres') return noPostgres
  return kind === 'redis' && findRedis().length === 0 ? noRedisAdvice : undefined
}

/** @param folder - For the file, which the first server makes. */
export function sqliteIn(folder: string): StartedStore<PlaceOf<'sqlite'>> {
  return { place: { kind: 'sqlite', path: join(folder, 'store.sqlite') }, stop: async () => {} }
}

/** @throws Error with what Postgres said when it does not start. */
export async function postgresStarted(): Promise<StartedStore<PlaceOf<'postgres'>>> {
  const { url, crash, stop } = await startPostgres('fsync=on')
  return { place: { kind: 'postgres', url }, crash, stop }
}

/** @throws Error with what to do where there is no Redis, or with what Redis said. */
export async function redisStarted(): Promise<StartedStore<PlaceOf<'redis'>>> {
  const [program] = findRedis()
  if (program === undefined) throw new Error(noRedisAdvice)
  const { path, restart, stop } = await startRedis(program)
  return { place: { kind: 'redis', path }, crash: () => restart(), stop }
}

/**
 * Starts one. @param folder - For the file of SQLite. @throws Error with what the database said.
 */
export async function startStore(kind: StoreKind, folder: string): Promise<StartedStore> {
  switch (kind) {
    case 'sqlite':
      return sqliteIn(folder)
    case 'postgres':
      return postgresStarted()
    case 'redis':
      return redisStarted()
  }
}
