/** The merchant's own server and store, opened for one command. */
import { createPaywindow, type PaywindowServer } from '../server/paywindow.ts'
import { createPostgresStore } from '../server/store/postgres.ts'
import { createSqliteStore } from '../server/store/sqlite.ts'
import type { Store } from '../server/store/store.ts'
import { access } from './connect.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { databaseUrl, existingFile, type StoreOptions } from './on-store.ts'
import { connectPostgres } from './postgres-connection.ts'
import { readStoreVersion, whyNotOpened } from './store-version.ts'
import type { World } from './world.ts'

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
 * Runs `work` with the store, and closes it. Opening one of an earlier version would bring it up to date, under servers that may not know that version.
 *
 * @throws CommandFailure where there is no such store, or it is one of another version that cannot be opened as it is.
 */
export async function withStore<Result>(
  options: StoreOptions,
  world: World,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const why = whyNotOpened(await readStoreVersion(options, world), options)
  if (why !== undefined) throw new CommandFailure(exitCodes.usage, why)
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
