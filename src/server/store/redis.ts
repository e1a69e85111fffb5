/**
 * A store in Redis or Valkey, for any number of servers. Each verb is one call of one script, through whatever the merchant already talks to
 * Redis with.
 */
import { PaywindowError } from '../../contract/errors.ts'
import { checkNames } from '../../contract/option-names.ts'
import { createScriptRunner, type RedisCommand } from './redis-runner.ts'
import { dueRange, dueText, labelRange, nameText, readRecords, writeValues } from './redis-texts.ts'
import type { Store } from './store.ts'

export type { RedisCommand }

/**
 * What `createRedisStore` is called with.
 *
 * @example
 * ```ts
 * const options: RedisStoreOptions = { command: async () => [], prefix: 'shop', onWarning: (text) => console.warn(text) }
 * ```
 */
export interface RedisStoreOptions {
  /** Sends a command by the client that you have. */
  readonly command: RedisCommand
  /** All keys begin with it, in braces: `{paywindow}:records`. 1 to 100 letters, digits, `_`, `-`, `.` and `:`. Default `paywindow`. */
  readonly prefix?: string
  /** Called once with each sentence about what this Redis may lose, or what of that could not be checked. Default `console.warn`. */
  readonly onWarning?: (message: string) => void
}

/**
 * Creates a store in a Redis, 7 or later, or a Valkey. With its first use, and again when the server has been started again, it tries
 * the commands that it needs and looks at the server's settings. It leaves opening and closing connections to you: `close` does nothing.
 *
 * @throws PaywindowError `invalid_options` when `prefix` cannot be one. With it, every method rejects where the server may evict
 * records (`maxmemory-policy allkeys-…`), where the keys were written by a newer version of Paywindow and do not allow this one, and when
 * `command` does not resolve with texts.
 *
 * @example
 * ```ts
 * function openStore(client: { sendCommand(parts: string[]): Promise<unknown> }): Store {
 *   return createRedisStore({ command: (parts) => client.sendCommand(parts) })
 * }
 * ```
 */
export function createRedisStore(options: RedisStoreOptions): Store {
  checkNames('createRedisStore', options, { command: 0, prefix: 0, onWarning: 0 })
  const { command, prefix = 'paywindow', onWarning = console.warn } = options
  const run = createScriptRunner(command, checkPrefix(prefix), onWarning)

  const change = async (verb: 'write' | 'reschedule' | 'remove', values: string[]) =>
    values.length === 0 ? new Set<string>() : new Set(await run(verb, ...values))
  const read = async (named: readonly string[]) => readRecords(await run('read', ...new Set(named)))

  return {
    create: async (record) => (await change('write', writeValues(record, 'none'))).size > 0,
    read: async (key) => (await read([key]))[0],
    readMany: read,
    replace: async (record, version) => (await change('write', writeValues(record, version))).size > 0,
    replaceMany: async (all) =>
      change(
        'write',
        all.flatMap(({ record, version }) => writeValues(record, version)),
      ),
    reschedule: async (all) =>
      change(
        'reschedule',
        all.flatMap(({ key, version, due }) => [nameText(key), `${version}`, dueText(due)]),
      ),
    remove: async (key, version) => (await change('remove', [nameText(key), `${version}`])).size > 0,
    listDue: async (queue, nowMs, limit) => readRecords(await run('listDue', ...dueRange(queue, nowMs), `${limit}`)),
    list: async (label, { before, limit }) => readRecords(await run('list', ...labelRange(label, before), `${limit}`)),
    lease: async (name, holder, forMs) => (await run('lease', name, holder, `${forMs}`)).length > 0,
    release: async (name, holder) => void (await run('release', name, holder)),
    close: async () => {},
  }
}

function checkPrefix(prefix: string): string {
  if (/^[A-Za-z0-9_.:-]{1,100}$/.test(prefix)) return prefix
  throw new PaywindowError(
    'invalid_options',
    `prefix is ${JSON.stringify(prefix)}: use 1 to 100 letters, digits, _, -, . and :`,
  )
}
