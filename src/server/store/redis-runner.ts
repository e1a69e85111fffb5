/** Runs the script of the Redis store, after a look at the server that it runs on. */
import { sha1 } from '@noble/hashes/legacy.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { PaywindowError } from '../../contract/errors.ts'
import { createPreparing } from './preparing.ts'
import { keysAreNewer, keysOf, layoutVersion, oldestLayoutVersion, script } from './redis-script.ts'
import { refusalOf, warningsOf } from './redis-settings.ts'
import { repeating, wordsOf } from './repeating.ts'
import { checkMayUse } from './versions.ts'

/**
 * Sends one command and resolves with what the client makes of the reply, in which texts are strings. `key` is the one that
 * a cluster finds the server by. Do not send it within MULTI or a pipeline that is sent later. It must not be sent twice: a client that
 * sends again what it had sent when its connection was lost must be told not to.
 *
 * @example
 * ```ts
 * type Client = { sendCommand(parts: string[]): Promise<unknown> }
 * const commandOf = (client: Client): RedisCommand => (parts) => client.sendCommand(parts)
 * ```
 */
export type RedisCommand = (parts: [name: string, ...rest: string[]], key: string) => Promise<unknown>

/** Runs a verb with its values, and resolves with the texts that the script returns. */
type ScriptRunner = (verb: string, ...values: string[]) => Promise<readonly string[]>

/**
 * Makes what runs the script.
 *
 * @param onWarning - Called once with each sentence about what the server may lose.
 */
export function createScriptRunner(
  command: RedisCommand,
  prefix: string,
  onWarning: (message: string) => void,
): ScriptRunner {
  const keys = keysOf(prefix)
  const said = new Set<string>()

  const send = async (name: 'EVAL' | 'EVALSHA', verb: string, values: readonly string[]) =>
    textsOf(
      await command([name, name === 'EVAL' ? script : scriptSha, `${keys.length}`, ...keys, verb, ...values], keys[0]),
    )

  async function prepare(): Promise<void> {
    const [stored = '', info = ''] = await send('EVAL', 'prepare', [`${layoutVersion} ${oldestLayoutVersion}`])
    // The second number came later.
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

  /** Undefined where it is forbidden, as managed services do. */
  const readSetting = (name: string) =>
    command(['CONFIG', 'GET', name], keys[0]).then(
      (reply) => settingIn(reply, name),
      () => undefined,
    )

  const preparing = createPreparing(prepare)

  async function once(verb: string, values: readonly string[]): Promise<readonly string[]> {
    const before = preparing.done()
    await before
    try {
      return await send('EVALSHA', verb, values)
    } catch (error) {
      if (!mustPrepare(error)) throw error
    }
    // It was started again or another has taken over, which may have other settings; or a newer version has changed the keys, which this says.
    preparing.forget(before)
    await preparing.done()
    return send('EVAL', verb, values)
  }

  const leave = createLeaving(command, keys[0])

  return (verb, ...values) =>
    repeating(
      () =>
        once(verb, values).catch(async (error: unknown) => {
          if (isReplica(error)) await leave()
          throw error
        }),
      isPassing,
    ).catch((error: unknown) => {
      throw isReplica(error) ? onlyReads(error) : error
    })
}

/** Not more often than a client takes to connect again. */
const leaveEveryMs = 2_000
const noticesMs = 100

/**
 * Ends the connection to a server that has become a replica, so that the client opens another: after a failover its name leads to the new primary,
 * and the old connection stays where it is.
 */
function createLeaving(command: RedisCommand, key: string): () => Promise<void> {
  let leftAtMs = Number.NEGATIVE_INFINITY
  return async () => {
    if (Date.now() - leftAtMs < leaveEveryMs) return
    leftAtMs = Date.now()
    // Some servers forbid it, and its reply may be lost with the connection: then the error that led here is told.
    const id = await command(['CLIENT', 'ID'], key).catch(() => undefined)
    if (id === undefined) return
    await command(['CLIENT', 'KILL', 'ID', `${id}`, 'SKIPME', 'no'], key).catch(() => undefined)
    // What a client sends before it notices is lost.
    await new Promise((resolve) => setTimeout(resolve, noticesMs))
  }
}

/** The script has done nothing, and may the next time: the server starts, moves a slot, or was a replica. */
function isPassing(error: unknown): boolean {
  return /\b(LOADING|TRYAGAIN|CLUSTERDOWN|MOVED|MASTERDOWN|BUSY|NOREPLICAS)\b/.test(wordsOf(error)) || isReplica(error)
}

function isReplica(error: unknown): boolean {
  return /\bREADONLY\b/.test(wordsOf(error))
}

function onlyReads(cause: unknown): PaywindowError {
  const what =
    'This Redis is a replica and only reads (READONLY): the primary has moved, or the client connects to another one. Connect by a name that leads to the primary, through Sentinel, or with a cluster client'
  return new PaywindowError('internal', what, { cause })
}

const scriptSha = bytesToHex(sha1(utf8ToBytes(script)))

/** @throws PaywindowError `invalid_options`: another client needs another function around it. */
function textsOf(reply: unknown): readonly string[] {
  if (Array.isArray(reply) && reply.every((each) => typeof each === 'string')) return reply
  throw new PaywindowError('invalid_options', 'command must resolve with what Redis has replied, with texts as strings')
}

/** In RESP2 a list of name and value, in RESP3 a map, of which clients make an object or a Map. */
function settingIn(reply: unknown, name: string): string | undefined {
  const pairs: ReadonlyMap<unknown, unknown> =
    reply instanceof Map
      ? reply
      : Array.isArray(reply)
        ? new Map([[reply[0], reply[1]]])
        : new Map(Object.entries(reply ?? {}))
  const value = pairs.get(name)
  return typeof value === 'string' ? value : undefined
}

/** The script has done nothing: the server has never seen it or has forgotten it, or the keys are not those that it looked at. */
function mustPrepare(error: unknown): boolean {
  return wordsOf(error).includes('NOSCRIPT') || wordsOf(error).includes(keysAreNewer)
}
