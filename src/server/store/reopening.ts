/**
 * Opens a SQLite file again after another process removed its log. SQLite's locks belong to the
 * process: other code in it that reads and closes the file releases them, such as a bundler that
 * watches the folder. Another process may then take itself for the last one and remove the log.
 * Later writes of this process would be lost. See https://sqlite.org/howtocorrupt.html, 2.2, and
 * docs/decisions/stores.md.
 */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { PaywindowError } from '../../contract/errors.ts'
import type { Store } from './store.ts'
import { eachCall } from './store-calls.ts'

/** A store on one connection. */
export interface Connection {
  readonly store: Store
  /** Whether its log was removed, or `abandon` was called. */
  isLost(): boolean
  /** Closes it at once, if that was not done before. */
  abandon(): void
}

const shared: { [name: symbol]: Map<string, Set<Connection>> | undefined } = Object(globalThis)
const name = Symbol.for('paywindow.sqlite')
/**
 * The connections of this process by file, shared by all copies of this code: a development server
 * loads a new copy after each edit.
 */
const connections = shared[name] ?? new Map<string, Set<Connection>>()
shared[name] = connections

/** Closes the connection of a store that nobody holds any more. */
const forgotten = new FinalizationRegistry<() => void>((close) => close())

/**
 * A store that opens a new connection if the log of the last one was removed. While its path leads
 * to no file or to another file, every call rejects, because other processes would have another
 * store.
 */
export function createReopening(path: string, connect: () => Connection): Store {
  const file = resolve(path)
  const ofFile = connections.get(file) ?? new Set()
  connections.set(file, ofFile)
  const open = () => {
    try {
      return opened(ofFile, connect)
    } catch (error) {
      throw ofStore(file, error)
    }
  }
  const held = { connection: open(), isClosed: false }
  const identity = identityOf(file)

  async function use<Result>(work: (store: Store) => Promise<Result>): Promise<Result> {
    if (held.isClosed) return work(held.connection.store)
    try {
      if (identityOf(file) !== identity) throw new Error(moved)
      if (held.connection.isLost()) held.connection = open()
      const { connection } = held
      const result = await work(connection.store)
      if (connection.isLost()) throw new Error(unlogged)
      return result
    } catch (error) {
      throw ofStore(file, error)
    }
  }

  const store: Store = {
    ...eachCall((_, work) => use(work)),
    close: async () => {
      held.isClosed = true
      ofFile.delete(held.connection)
      forgotten.unregister(held)
      if (held.connection.isLost()) held.connection.abandon()
      else await held.connection.store.close()
    },
  }
  forgotten.register(store, () => abandon(ofFile, held.connection), held)
  return store
}

const unlogged =
  "another process removed its log, so this may not have been written. Something in this process reads the file, which releases SQLite's locks: keep it from there"
const moved =
  'it is no longer the file that this process opened, but was moved, deleted or replaced. Put it back, or start the process again'

/** The identity of a file, whatever its name. */
function identityOf(file: string): string {
  const { dev, ino } = statSync(file, { throwIfNoEntry: false }) ?? {}
  return `${dev} ${ino}`
}

/** The error with the file's whole path: a job may run in another folder than the server. */
function ofStore(file: string, error: unknown): PaywindowError {
  if (error instanceof PaywindowError) return error
  const words = error instanceof Error ? error.message : String(error)
  return new PaywindowError('internal', `The store ${file} cannot be used: ${words}`, { cause: error })
}

/** Closes lost connections first: a new connection would share SQLite's view of their log. */
function opened(ofFile: Set<Connection>, connect: () => Connection): Connection {
  for (const connection of ofFile) if (connection.isLost()) abandon(ofFile, connection)
  const connection = connect()
  ofFile.add(connection)
  return connection
}

function abandon(ofFile: Set<Connection>, connection: Connection): void {
  if (ofFile.delete(connection)) connection.abandon()
}

/**
 * Returns a function that says whether another process removed the log of an open database, so that
 * writes are lost.
 */
export function watchLog(path: string): () => boolean {
  const opened = identityOf(`${path}-wal`)
  return () => identityOf(`${path}-wal`) !== opened
}
