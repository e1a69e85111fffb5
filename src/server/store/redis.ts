/**
 * A store in Redis or Valkey, for any number of servers. Each method is one call of one script,
 * through any client.
 */
import { sha1 } from '@noble/hashes/legacy.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { PaywindowError } from '../../contract/errors.ts'
import { checkNames } from '../../contract/option-names.ts'
import { keysAreNewer, keysOf, layoutVersion, oldestLayoutVersion, script } from './redis-script.ts'
import { createPreparing, isObject, repeating, wordsOf } from './repeating.ts'
import type { Due, NewRecord, Rescheduling, Store, StoredRecord } from './store.ts'
import { checkMayUse } from './versions.ts'

/**
 * The options of `createRedisStore`.
 *
 * @example
 * ```ts
 * const options: RedisStoreOptions = { command: async () => [], prefix: 'shop', onWarning: (text) => console.warn(text) }
 * ```
 */
export interface RedisStoreOptions {
  /** Sends a command by the client that you have. */
  readonly command: RedisCommand
  /**
   * All keys begin with it, in braces: `{paywindow}:records`. 1 to 100 letters, digits, `_`, `-`,
   * `.` and `:`. Default `paywindow`.
   */
  readonly prefix?: string
  /**
   * Called once with each sentence about what this Redis may lose, or about a setting that could
   * not be read. Default `console.warn`.
   */
  readonly onWarning?: (message: string) => void
}

/**
 * Creates a store in a Redis, 7 or later, or a Valkey. At its first use, after a restart of the
 * server and every five minutes, it tries its commands and checks the server's settings. You open
 * and close the connections: `close` does nothing.
 *
 * @throws PaywindowError `invalid_options` when `prefix` cannot be one. Every method rejects with
 *   it when the server may evict records (`maxmemory-policy allkeys-…`), when a newer version of
 *   Paywindow wrote the keys and they do not allow this one, and when `command` does not resolve
 *   with texts.
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
    create: async (record) => (await change('write', writeValues({ record, version: 'none' }))).size > 0,
    read: async (key) => (await read([key]))[0],
    readMany: read,
    replace: async (record, version) => (await change('write', writeValues({ record, version }))).size > 0,
    replaceMany: async (all) => change('write', all.flatMap(writeValues)),
    reschedule: async (all) => change('reschedule', all.flatMap(rescheduleValues)),
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
  const what = `prefix is ${JSON.stringify(prefix)}: use 1 to 100 letters, digits, _, -, . and :`
  throw new PaywindowError('invalid_options', what)
}

/**
 * Sends one command and resolves with the client's reply, in which texts are strings. A cluster
 * client finds the server by `key`. Send it at once, not within MULTI or a later pipeline, and
 * never twice: switch off a client's repetition of commands after a lost connection.
 *
 * @example
 * ```ts
 * type Client = { sendCommand(parts: string[]): Promise<unknown> }
 * const commandOf = (client: Client): RedisCommand => (parts) => client.sendCommand(parts)
 * ```
 */
export type RedisCommand = (parts: [name: string, ...rest: string[]], key: string) => Promise<unknown>

/**
 * Returns a function that runs a verb with its values, and resolves with the texts that the script
 * returns.
 *
 * @param onWarning - Called once with each sentence about what the server may lose.
 */
function createScriptRunner(command: RedisCommand, prefix: string, onWarning: (message: string) => void) {
  const keys = keysOf(prefix)
  const said = new Set<string>()

  const send = async (name: 'EVAL' | 'EVALSHA', verb: string, values: readonly string[]) =>
    textsOf(
      await command([name, name === 'EVAL' ? script : scriptSha, `${keys.length}`, ...keys, verb, ...values], keys[0]),
    )

  async function prepare(): Promise<void> {
    const [stored = '', info = ''] = await send('EVAL', 'prepare', [`${layoutVersion} ${oldestLayoutVersion}`])
    // Earlier versions wrote only the first number.
    const [version = 0, oldest = version] = stored.split(' ').map(Number)
    checkMayUse({ version, oldest }, layoutVersion, `The keys of {${prefix}} were written`, 'prefix')
    const [appendfsync, save] = [await readSetting('appendfsync'), await readSetting('save')]
    const settings = { info, appendfsync, save }
    const refusal = refusalOf(settings)
    if (refusal !== undefined) throw new PaywindowError('invalid_options', refusal)
    for (const warning of warningsOf(settings).filter((text) => !said.has(text))) {
      said.add(warning)
      onWarning(`paywindow: ${warning}`)
    }
  }

  /** Undefined where a managed service forbids it. */
  const readSetting = (name: string) =>
    command(['CONFIG', 'GET', name], keys[0]).then(
      (reply) => settingIn(reply, name),
      () => undefined,
    )

  const preparing = createPreparing(prepare, looksEveryMs)

  async function once(verb: string, values: readonly string[]): Promise<readonly string[]> {
    const before = preparing.done()
    await before
    try {
      return await send('EVALSHA', verb, values)
    } catch (error) {
      if (!mustPrepare(error)) throw error
    }
    // The server was restarted or replaced, perhaps with other settings, or a newer version has
    // changed the keys: then `prepare` throws.
    preparing.forget(before)
    await preparing.done()
    return send('EVAL', verb, values)
  }

  const leave = createLeaving(command, keys[0])

  return (verb: string, ...values: string[]) =>
    repeating(
      () =>
        once(verb, values).catch(async (error: unknown) => {
          if (isReplica(error)) await leave()
          throw error
        }),
      (error) => passing.test(wordsOf(error)),
      explained,
    )
}

/** Somebody may change the settings of a running server. */
const looksEveryMs = 300_000
/** Longer than a client takes to connect again. */
const leaveEveryMs = 2_000
const noticesMs = 100

/**
 * Ends the connection to a server that has become a replica, so that the client opens another:
 * after a failover its name leads to the new primary, and the old connection stays where it is.
 */
function createLeaving(command: RedisCommand, key: string): () => Promise<void> {
  let leftAtMs = Number.NEGATIVE_INFINITY
  return async () => {
    if (Date.now() - leftAtMs < leaveEveryMs) return
    leftAtMs = Date.now()
    // Failures do not matter: some servers forbid these commands, and a reply may be lost.
    const id = await command(['CLIENT', 'ID'], key).catch(() => undefined)
    if (id === undefined) return
    await command(['CLIENT', 'KILL', 'ID', `${id}`, 'SKIPME', 'no'], key).catch(() => undefined)
    // Commands that a client sends before it notices are lost.
    await new Promise((resolve) => setTimeout(resolve, noticesMs))
  }
}

/**
 * The script has done nothing, but may next time: the server starts, moves a slot or was a replica,
 * or the client connects again and, by its options, keeps no commands.
 */
const passing =
  /\b(LOADING|TRYAGAIN|CLUSTERDOWN|MOVED|MASTERDOWN|BUSY|NOREPLICAS|READONLY|The client is offline|enableOfflineQueue options is false)\b/

function isReplica(error: unknown): boolean {
  return /\bREADONLY\b/.test(wordsOf(error))
}

/** An error with the reply of Redis, such as that its memory is full; other errors as they are. */
function explained(error: unknown): unknown {
  const [reply] = /^[A-Z]{3,} .*/m.exec(wordsOf(error)) ?? []
  const what = isReplica(error)
    ? 'This Redis is a replica and only reads (READONLY): the primary has moved, or the client connects to another one. Connect by a name that leads to the primary, through Sentinel, or with a cluster client'
    : reply && `Redis has refused a command: ${reply}`
  return what && !(error instanceof PaywindowError) ? new PaywindowError('internal', what, { cause: error }) : error
}

const scriptSha = bytesToHex(sha1(utf8ToBytes(script)))

/** @throws PaywindowError `invalid_options`: another client needs another wrapper. */
function textsOf(reply: unknown): readonly string[] {
  if (Array.isArray(reply) && reply.every((each) => typeof each === 'string')) return reply
  throw new PaywindowError('invalid_options', 'command must resolve with what Redis has replied, with texts as strings')
}

/** RESP2 has a list of name and value, RESP3 a map, which clients turn into an object or a Map. */
function settingIn(reply: unknown, name: string): string | undefined {
  const values: unknown = reply instanceof Map ? Object.fromEntries(reply) : reply
  const value = Array.isArray(values) ? values[1] : isObject(values) ? values[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** The script has done nothing: the server does not know it, or the keys have another version. */
function mustPrepare(error: unknown): boolean {
  return wordsOf(error).includes('NOSCRIPT') || wordsOf(error).includes(keysAreNewer)
}

/** Added to times, so that none is negative: texts of one length then sort as their numbers. */
const beginning = 2n ** 53n

/**
 * The values of a change, in the order in which the script takes them. `version` is 'none' for a
 * record that is created.
 */
function writeValues({ record, version }: { readonly record: NewRecord; readonly version: number | 'none' }): string[] {
  const { key, value, labels, due } = record
  if (!value.isWellFormed()) throw unfit('A value')
  return [nameText(key), String(version), value, labels.map((label) => `${nameText(label)}\0`).join(''), dueText(due)]
}

function rescheduleValues({ key, version, due }: Rescheduling): string[] {
  return [nameText(key), `${version}`, dueText(due)]
}

/** The queues of a record. */
function dueText(due: readonly Due[]): string {
  return due.map(({ queue, atMs }) => `${nameText(queue)}\0${timeText(atMs)}\0`).join('')
}

/**
 * A key, a label, or a name of a queue. @throws TypeError when it cannot be one: NUL ends a text in
 * the lists.
 */
function nameText(name: string): string {
  if (!name.isWellFormed() || name.includes('\0')) throw unfit('A key or name')
  return name
}

/** The due part of one queue: its first and last members. */
function dueRange(queue: string, nowMs: number): [first: string, last: string] {
  const latestMs = Math.min(Math.floor(nowMs), Number.MAX_SAFE_INTEGER)
  return [`[${nameText(queue)}\0`, `(${queue}\0${timeText(latestMs)}\x01`]
}

/** One list up to the key `before`: its last and first members. */
function labelRange(label: string, before?: string): [last: string, first: string] {
  return [`(${nameText(label)}${before === undefined ? '\x01' : `\0${nameText(before)}`}`, `[${label}\0`]
}

/** Records from the script's reply: key, version with value, and queues of each. */
function readRecords(texts: readonly string[]): StoredRecord[] {
  return Array.from({ length: texts.length / 3 }, (_, at) => {
    const [key = '', stored = '', due = ''] = texts.slice(3 * at, 3 * at + 3)
    const end = stored.indexOf(' ')
    return { key, value: stored.slice(end + 1), version: Number(stored.slice(0, end)), due: readDue(due) }
  })
}

function readDue(text: string): Due[] {
  const parts = text.split('\0')
  return Array.from({ length: Math.floor(parts.length / 2) }, (_, at) => {
    const [queue = '', time = ''] = parts.slice(2 * at, 2 * at + 2)
    return { queue, atMs: Number(BigInt(time) - beginning) }
  })
}

function timeText(atMs: number): string {
  if (!Number.isSafeInteger(atMs)) throw new TypeError(`A time is ${atMs}, and has to be whole milliseconds`)
  return String(BigInt(atMs) + beginning).padStart(17, '0')
}

function unfit(what: string): TypeError {
  return new TypeError(`${what} has a character that the store cannot keep`)
}

/** The readable settings: managed services forbid some. */
export interface RedisSettings {
  /** The text of INFO, empty where it could not be read. */
  readonly info: string
  /** Of `appendfsync` and `save`; undefined where CONFIG could not be read. */
  readonly appendfsync: string | undefined
  readonly save: string | undefined
}

const advice = 'Set appendonly yes and appendfsync always.'
const unread =
  'INFO may not be read in this Redis. See to it yourself that its maxmemory-policy is noeviction or volatile-….'
const lagging =
  'This Redis has replicas, which follow it a moment later. A failover loses what has not reached the one that takes over.'

/**
 * Why this Redis may hold no store, or undefined. Only `allkeys-…` evicts keys without an expiry,
 * as ours are.
 */
export function refusalOf({ info }: RedisSettings): string | undefined {
  const policy = readInfo(info).get('maxmemory_policy')
  if (!policy?.startsWith('allkeys-')) return undefined
  return (
    `maxmemory-policy of this Redis is ${policy}: when its memory is full it deletes records, and with them what was paid. ` +
    'Set it to noeviction, or use a Redis that is not a cache'
  )
}

/** Possible losses, in sentences; empty if all settings are readable and right. */
export function warningsOf({ info, appendfsync, save }: RedisSettings): string[] {
  const read = readInfo(info)
  const isAppending = read.get('aof_enabled')
  const hasReplicas = Number(read.get('connected_slaves') ?? 0) > 0
  return [
    ...(read.has('maxmemory_policy') ? [] : [unread]),
    ...(isAppending === undefined ? [`It could not be checked what a crash of this Redis loses. ${advice}`] : []),
    ...(isAppending === '1' ? ofAppending(appendfsync) : []),
    ...(isAppending === '0' ? [ofSnapshots(save)] : []),
    ...(hasReplicas ? [lagging] : []),
  ]
}

function ofAppending(appendfsync: string | undefined): string[] {
  if (appendfsync === 'always') return []
  const lost = { everysec: 'the last second or two', no: 'the last half minute or so' }
  return appendfsync === 'everysec' || appendfsync === 'no'
    ? [`appendfsync is ${appendfsync}: a crash of the machine loses ${lost[appendfsync]}. Set it to always.`]
    : [
        `CONFIG may not be read in this Redis, so appendfsync could not be checked. A crash of the machine loses nothing with always, ${lost.everysec} with everysec, and ${lost.no} with no.`,
      ]
}

function ofSnapshots(save: string | undefined): string {
  if (save === undefined)
    return (
      'appendonly is no: a crash loses all since the last snapshot, or everything if none are made. CONFIG may not be read in this ' +
      `Redis, so that could not be checked. ${advice}`
    )
  return save === ''
    ? `appendonly is no, and no snapshots are made: everything is lost when this Redis ends. ${advice}`
    : `appendonly is no: a crash loses all since the last snapshot, of which this Redis makes one by save ${save}. ${advice}`
}

function readInfo(info: string): ReadonlyMap<string, string> {
  return new Map(
    info.split(/\r?\n/).flatMap((line) => {
      const end = line.indexOf(':')
      return end < 0 ? [] : [[line.slice(0, end), line.slice(end + 1)] as const]
    }),
  )
}
