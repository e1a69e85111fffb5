/** For tests of commands: a shop on their sandbox, with open checkouts. */
import { join } from 'node:path'
import { parseKeyedCheckout } from '../contract/parsers.ts'
import type { PaywindowOptions } from '../server/options.ts'
import { createPaywindow } from '../server/paywindow.ts'
import { cartOffer, requestOf } from '../server/shop.testing.ts'
import { createSqliteStore } from '../server/store/sqlite.ts'
import type { Store } from '../server/store/store.ts'
import { setUp } from './world.testing.ts'

/** The store that commands find in a folder. */
export function createStoreIn(folder: string): Store {
  return createSqliteStore(join(folder, '.paywindow/paywindow.sqlite'))
}

/**
 * A server and the commands on one sandbox. Close the server before its store is deleted.
 *
 * @param baseUrl - Where the server finds the sandbox. Default: the sandbox's own.
 */
export function createCommandShop(
  store: Store,
  folder: string,
  { baseUrl, ...options }: Partial<PaywindowOptions> & { readonly baseUrl?: string } = {},
) {
  const { sandbox, command } = setUp()
  const paywindow = createPaywindow({
    service: { ...sandbox.access, ...(baseUrl !== undefined && { baseUrl }) },
    store,
    offer: () => cartOffer,
    test: true,
    ...options,
  })
  return {
    sandbox,
    paywindow,
    /** Opens a checkout. Resolves with its id when its order is known. */
    open: async (reference: string) => {
      const answer = await paywindow.fetch(requestOf('POST', '/checkouts', { body: { reference } }))
      const { id } = parseKeyedCheckout(await answer.json())
      await paywindow.settled()
      return id
    },
    run: (...line: string[]) => command(line, {}, undefined, folder),
    runWith: (environment: Readonly<Record<string, string | undefined>>, ...line: string[]) =>
      command(line, environment, undefined, folder),
  }
}
