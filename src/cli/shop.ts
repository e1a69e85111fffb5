/** The merchant's own server and store, opened for one command. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createPaywindow, type PaywindowServer } from '../server/paywindow.ts'
import { createPostgresStore } from '../server/store/postgres.ts'
import { createSqliteStore } from '../server/store/sqlite.ts'
import type { Store } from '../server/store/store.ts'
import { access } from './connect.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { connectPostgres } from './postgres-connection.ts'
import type { World } from './world.ts'

/** Options of all commands that read the store, as the command line gives them. */
export interface StoreOptions {
  /** File of the SQLite store. */
  readonly store: string
  /** Whether to use the Postgres that `DATABASE_URL` names instead. */
  readonly postgres?: boolean
  readonly schema: string
}

/**
 * Runs `work` with a server that follows nothing by itself and delivers nothing: what it changes, the shop's own processes deliver.
 *
 * @throws CommandFailure where there is no such store; PaywindowError as `createPaywindow` does.
 */
export async function withShop(
  options: StoreOptions,
  world: World,
  work: (paywindow: PaywindowServer) => Promise<void>,
): Promise<void> {
  const service = access(world)
  await withStore(options, world, async (store) => {
    const paywindow = createPaywindow({
      service,
      store,
      offer: () => null,
      onError: ({ code, message }) => world.stderr(`paywindow: ${code}: ${message}\n`),
    })
    await work(paywindow)
    await paywindow.settled()
  })
}

/**
 * Runs `work` with the store, which is brought up to date if it is one of an earlier version, and closes it.
 *
 * @throws CommandFailure where there is no such store.
 */
export async function withStore<Result>(
  options: StoreOptions,
  world: World,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const { store, end } = await openStore(options, world)
  try {
    return await work(store)
  } finally {
    await store.close()
    await end()
  }
}

/** An open store; `end` closes its connection. */
interface OpenStore {
  readonly store: Store
  end(): Promise<unknown>
}

async function openStore({ store, postgres, schema }: StoreOptions, world: World): Promise<OpenStore> {
  if (postgres) {
    const { query, end } = await connectPostgres(databaseUrl(world), world)
    return { store: createPostgresStore({ query, schema }), end }
  }
  return { store: createSqliteStore(existingFile(store, world)), end: async () => undefined }
}

/** @throws CommandFailure when it is not set. */
export function databaseUrl({ env }: Pick<World, 'env'>): string {
  const url = env.DATABASE_URL
  if (url) return url
  throw new CommandFailure(exitCodes.usage, 'DATABASE_URL is not set: set it to the address of the database.')
}

/** The path of the SQLite store. @throws CommandFailure when it is not there: opening it would make a new one. */
export function existingFile(store: string, { folder }: Pick<World, 'folder'>): string {
  const path = resolve(folder, store)
  if (existsSync(path)) return path
  throw new CommandFailure(
    exitCodes.usage,
    `There is no store at ${path}: name its file with --store, or use --postgres.`,
  )
}
