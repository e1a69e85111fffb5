/** `paywindow/server/node`: the merchant server, with a durable store and a listener. */
import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { PaywindowError } from '../contract/errors.ts'
import { checkNames } from '../contract/option-names.ts'
import { type Listening, listen, toNodeListener } from './http/listen.ts'
import { type NodePaywindowOptions, withNodeDefaults } from './node-options.ts'
import { createReporting } from './observing/reporting.ts'
import { checkOptions, optionNames, type PaywindowOptions } from './options.ts'
import { createPaywindow as createServer, type PaywindowServer } from './paywindow.ts'
import { createMemoryStore } from './store/memory.ts'
import { createSqliteStore } from './store/sqlite.ts'

export * from './index.ts'
export { createSqliteStore, type Listening, listen, type NodePaywindowOptions, toNodeListener }

/**
 * Creates the merchant server on a SQLite store, with limits by the socket's address.
 *
 * @throws PaywindowError `invalid_options` naming what is missing or wrong.
 *
 * @example
 * ```ts
 * const service = createSandbox().access
 * const paywindow = createPaywindow({ service, offer: () => null, storePath: ':memory:' })
 * const listener = toNodeListener(paywindow)
 * await paywindow.close() // => []
 * ```
 */
export function createPaywindow(options: NodePaywindowOptions): PaywindowServer {
  const { storePath, ...rest } = withNodeDefaults({ ...options })
  checkNames('createPaywindow', rest, { ...optionNames, storePath: 0 })
  // Refused options make no file.
  checkOptions({ ...rest, store: rest.store ?? createMemoryStore() })
  const isNew = rest.store === undefined && mayBeElsewhere(storePath)
  const server = createServer({ ...rest, store: rest.store ?? createSqliteStore(storePath) })
  // The merchant's onError may use the server, which does not exist before.
  if (isNew) queueMicrotask(() => reportNew(storePath, rest))
  return server
}

/** Whether there is no store here, but another working directory may have one. */
function mayBeElsewhere(storePath: string): boolean {
  return storePath !== ':memory:' && !isAbsolute(storePath) && !existsSync(storePath)
}

function reportNew(storePath: string, options: Pick<PaywindowOptions, 'onError' | 'logger'>): void {
  const what = `There was no store at ${resolve(storePath)}, so an empty one was made. If this shop has one already, this process is in another folder and sees none of its checkouts: set storePath to one whole path for all of them`
  createReporting(options).report(new PaywindowError('invalid_options', what), {})
}
