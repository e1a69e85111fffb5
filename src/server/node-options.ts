/** The options of `createPaywindow` under Node, and the defaults that only Node has. */
import { ownAddress } from './http/clients.ts'
import { publicFetch } from './icons/public-fetch.ts'
import type { PaywindowOptions } from './options.ts'
import { defaultStorePath } from './store/sqlite.ts'
import type { Store } from './store/store.ts'

/**
 * The options of `paywindow/server`, with an optional store.
 *
 * @example
 * ```ts
 * const service = createSandbox().access
 * const options: NodePaywindowOptions = { service, offer: () => null, storePath: ':memory:' }
 * ```
 */
export interface NodePaywindowOptions extends Omit<PaywindowOptions, 'store'> {
  /** Default: SQLite at `storePath`. */
  readonly store?: Store
  /** The SQLite store's file. Default `.paywindow/paywindow.sqlite` below the working directory. */
  readonly storePath?: string
}

/** All options but the store, which `createPaywindow` opens if it is needed. */
export function withNodeDefaults(options: NodePaywindowOptions) {
  return {
    ...options,
    storePath: options.storePath ?? defaultStorePath,
    clientKey: options.clientKey ?? ownAddress,
    iconFetch: options.iconFetch ?? publicFetch,
  }
}
