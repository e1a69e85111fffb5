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
  const { store, end } = await openStore(options, world)
  try {
    const paywindow = createPaywindow({
      service,
      store,
      offer: () => null,
      onError: ({ code, message }) => world.stderr(`paywindow: ${code}: ${message}\n`),
    })
    await work(paywindow)
    await paywindow.settled()
  } finally {
    await store.close()
    await end()
  }
}

async function openStore(
  { store, postgres, schema }: StoreOptions,
  world: World,
): Promise<{ readonly store: Store; end(): Promise<unknown> }> {
  if (postgres) {
    const url = world.env.DATABASE_URL
    if (!url)
      throw new CommandFailure(exitCodes.usage, 'DATABASE_URL is not set: set it to the address of the database.')
    const { query, end } = await connectPostgres(url, world)
    return { store: createPostgresStore({ query, schema }), end }
  }
  const path = resolve(world.folder, store)
  // Opening it would make a new one.
  if (!existsSync(path))
    throw new CommandFailure(
      exitCodes.usage,
      `There is no store at ${path}: name its file with --store, or use --postgres.`,
    )
  return { store: createSqliteStore(path), end: async () => undefined }
}
