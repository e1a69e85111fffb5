/**
 * `paywindow listen`: forwards the sandbox's webhooks to the merchant's server, and prints each
 * answer. The sandbox gets the same answer, so it repeats webhooks that were not accepted.
 */
import { randomUUID } from 'node:crypto'
import { asRecord, asText, ParseError } from '../contract/parse.ts'
import { systemClock } from '../service/clock.ts'
import { endsWithin } from '../service/within.ts'
import { CommandFailure } from './failure.ts'
import { listen } from './listen.ts'
import { webAddress } from './option-values.ts'
import { connectSandbox } from './sandbox-controls.ts'
import { plainLine } from './text.ts'
import { untilStopped, type World } from './world.ts'

/** Options of `paywindow listen`. */
export interface ListenOptions {
  /** The address of the webhook on the merchant's server. */
  readonly forwardTo: string
  /** Sent as `Authorization: Bearer`. */
  readonly secret?: string
  /** Base address of the sandbox. */
  readonly sandbox: string
}

/** How often the receiver is registered again: a restarted sandbox has forgotten it. */
const renewEveryMs = 5_000

/** Forwards until `world.stop` aborts. @throws CommandFailure when there is no sandbox. */
export async function forwardWebhooks(options: ListenOptions, world: World, everyMs = renewEveryMs): Promise<void> {
  const { forwardTo } = options
  const { origin } = webAddress(forwardTo, '--forward-to')
  const sandbox = connectSandbox(options.sandbox, world.fetch)
  // Nobody can guess the path: every request to it is forwarded with the secret.
  const path = `/${randomUUID()}`
  const server = await listen((request) => forward(request, path, options, world), 0)
  const url = `http://127.0.0.1:${server.port}${path}`
  try {
    await sandbox.register({ url })
    world.stdout(`Webhooks of ${plainLine(options.sandbox)} go to ${plainLine(origin)}. Ctrl+C ends it.\n`)
    await stayRegistered(() => sandbox.register({ url }), everyMs, world)
    // The sandbox may have ended before.
    await failureOf(sandbox.unregister(url))
  } finally {
    await server.close()
  }
}

async function stayRegistered(register: () => Promise<void>, everyMs: number, world: World): Promise<void> {
  const stopped = untilStopped(world)
  let isThere = true
  while (!(await endsWithin(systemClock, everyMs, stopped))) {
    const failure = await failureOf(register())
    if (isThere && failure) world.stderr(`paywindow: ${failure.message} Waiting for it.\n`)
    if (!isThere && !failure) world.stdout('The sandbox is there again.\n')
    isThere = !failure
  }
}

/** Resolves with the failure of a request to the sandbox; undefined if it succeeded. */
async function failureOf(request: Promise<void>): Promise<CommandFailure | undefined> {
  try {
    await request
    return undefined
  } catch (error) {
    if (error instanceof CommandFailure) return error
    throw error
  }
}

async function forward(request: Request, path: string, options: ListenOptions, world: World): Promise<Response> {
  if (request.method !== 'POST' || new URL(request.url).pathname !== path) return new Response(null, { status: 404 })
  const body = await request.text()
  const status = await post(body, options, world, request.signal)
  const at = new Date().toISOString().replace(/\.\d+/, '')
  world.stdout(`${at}  ${eventIn(body)}  ${answerIn(status)}\n`)
  return new Response(null, { status: status ?? 502 })
}

/** Resolves with the HTTP status; null if nothing answers. */
async function post(
  body: string,
  { forwardTo, secret }: ListenOptions,
  { fetch }: World,
  signal: AbortSignal,
): Promise<number | null> {
  const headers = {
    'content-type': 'application/json',
    ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
  }
  try {
    const response = await fetch(forwardTo, { method: 'POST', headers, body, redirect: 'manual', signal })
    await response.body?.cancel()
    return response.status
  } catch {
    // Refused, reset or too late.
    return null
  }
}

function eventIn(body: string): string {
  try {
    const { event, data } = asRecord(JSON.parse(body), 'webhook')
    const { order_id: id, status } = asRecord(data, 'data')
    return [asText(event, 'event'), asText(id, 'order_id'), asText(status, 'status')]
      .map((text) => plainLine(text))
      .join('  ')
  } catch (error) {
    if (error instanceof ParseError || error instanceof SyntaxError) return 'a webhook that cannot be read'
    throw error
  }
}

function answerIn(status: number | null): string {
  switch (status) {
    case null:
      return 'no answer: does your server run at that address?'
    case 401:
      return '401: compare --secret with webhookSecret'
    case 404:
      return '404: check the path, and the secret against webhookSecret'
    default:
      return String(status)
  }
}
