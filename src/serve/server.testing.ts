/** For tests: a server with the two shops of `wholeFile` on one sandbox. */
import { onTestFinished } from 'vitest'
import { createSandbox } from '../sandbox/sandbox.ts'
import { listen } from '../server/http/listen.ts'
import { createMemoryStore } from '../server/store/memory.ts'
import type { Store } from '../server/store/store.ts'
import { secrets, wholeFile } from './config.testing.ts'
import { readConfig } from './config.ts'
import { createServer, openShop } from './server.ts'

/** The address of the server for payers. */
export const publicUrl = 'http://localhost:4000'

/** How the server is started. */
export interface ServerSetup {
  /** Where the shop `books` is told of payments. */
  readonly events?: string
  /** Variables besides `secrets`. */
  readonly env?: Readonly<Record<string, string>>
  /** Of the files of browsers, as a URL. */
  readonly folder?: string
}

/** A server that listens on this machine. */
export type TestServer = Awaited<ReturnType<typeof startServer>>

/** Starts the server, which ends with the running test. */
export async function startServer({ events, env, folder = 'file:///nowhere/' }: ServerSetup = {}) {
  const sandbox = createSandbox({ subAccountIds: ['books', 'tea-house'] })
  const file = structuredClone(wholeFile) as unknown as { shops: { books: Record<string, unknown> } }
  Object.assign(file.shops.books, {
    service: 'sandbox',
    test: true,
    events: events === undefined ? undefined : { url: events, allowPrivate: true },
  })
  const config = readConfig(JSON.stringify({ ...file, publicUrl }), { ...secrets, ...env })
  const log: string[] = []
  const stores: Record<string, Store> = {}
  const shops = config.shops.map((shop) => {
    const store = createMemoryStore()
    stores[shop.name] = store
    const service = { ...sandbox.access, subAccountId: shop.name }
    return openShop(shop, config, { store, service, telemetry: undefined, log: (line) => log.push(line) })
  })
  const [books] = shops
  if (!books) throw new Error('the file has no shop')
  const listening = await listen(createServer(shops, folder), { port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    await listening.close()
    for (const { paywindow } of shops) await paywindow.close()
  })
  return {
    sandbox,
    books,
    stores,
    log,
    port: listening.port,
    origin: `http://127.0.0.1:${listening.port}`,
  }
}
