/** A client of the controls of a running sandbox. */
import { type OrderStatus, orderStatuses } from '../contract/checkout.ts'
import { asInteger, asList, asOneOf, asRecord, asText, type JsonRecord, ParseError } from '../contract/parse.ts'
import type { Fault } from '../sandbox/faults.ts'
import type { PayerDeposit } from '../sandbox/payer.ts'
import type { WebhookFault, WebhookReceiver } from '../sandbox/webhook-types.ts'
import { parseExactJson } from '../service/json.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { plainLine } from './text.ts'

/** The default port of `paywindow sandbox`. */
export const defaultSandboxPort = 4300

/** An order as the sandbox's controls show it. Amounts are decimal text. */
export interface ControlledOrder {
  readonly id: string
  readonly status: OrderStatus
  /** The sandbox's workflow, such as `top_up`. */
  readonly workflow: string
  readonly message: string
  readonly asset: string
  readonly amount: string
  /** Digits after the point that a deposit can have. */
  readonly decimals: number
  readonly received: string
  /** Null for a fiat source, like the address. */
  readonly network: string | null
  readonly address: string | null
  readonly tag: string | null
  /** The end of the quote by the sandbox's clock, in milliseconds since the epoch. */
  readonly validUntilMs: number
}

/** What the service's operator can do to an order. */
export type OrderControl = 'confirm' | 'cancel' | 'refund' | 'accept-late'

/** Every function throws CommandFailure when the sandbox refuses or does not answer. */
export interface SandboxControls {
  /** Oldest first. */
  orders(): Promise<readonly ControlledOrder[]>
  deposit(deposit: PayerDeposit): Promise<ControlledOrder>
  act(orderId: string, control: OrderControl): Promise<ControlledOrder>
  /** Moves the clock forward. Resolves with its time in milliseconds since the epoch. */
  advance(ms: number): Promise<number>
  failNextCreation(fault: Fault): Promise<void>
  failNextWebhook(fault: WebhookFault): Promise<void>
  /** The addresses that get webhooks. */
  receivers(): Promise<readonly string[]>
  register(receiver: WebhookReceiver): Promise<void>
  unregister(url: string): Promise<void>
}

/** @param url - The base address of the sandbox. @throws CommandFailure when it is no address. */
export function connectSandbox(url: string, fetch: typeof globalThis.fetch): SandboxControls {
  const base = URL.canParse(url) ? url.replace(/\/+$/, '') : ''
  if (!/^https?:/.test(base))
    throw new CommandFailure(exitCodes.usage, `--sandbox must be the address of a sandbox, not ${plainLine(url)}.`)
  const ask = async <Answer>(operation: string, read: (json: unknown) => Answer, body?: object): Promise<Answer> => {
    const json = await request(fetch, base, operation, body)
    try {
      return read(json)
    } catch (error) {
      if (error instanceof ParseError) throw noSandbox(otherThan(base))
      throw error
    }
  }
  return {
    orders: () => ask('GET /sandbox/orders', (json) => asList(json, 'orders', 100_000).map(readOrder)),
    deposit: (deposit) => ask('POST /sandbox/deposits', readOrder, deposit),
    act: (id, control) => ask(`POST /sandbox/orders/${encodeURIComponent(id)}/${control}`, readOrder),
    advance: (advanceMs) => ask('POST /sandbox/clock', (json) => timeOf(asRecord(json, 'clock'), 'now'), { advanceMs }),
    failNextCreation: (fault) => ask('PUT /sandbox/fault', done, fault),
    failNextWebhook: (fault) => ask('PUT /sandbox/webhooks/fault', done, fault),
    receivers: () => ask('GET /sandbox/webhooks', (json) => asList(json, 'receivers', 1_000).map(readReceiver)),
    register: (receiver) => ask('PUT /sandbox/webhooks', done, receiver),
    unregister: (receiver) => ask('DELETE /sandbox/webhooks', done, { url: receiver }),
  }
}

const done = () => undefined

async function request(
  fetch: typeof globalThis.fetch,
  base: string,
  operation: string,
  body: object | undefined,
): Promise<unknown> {
  const [method = 'GET', path = ''] = operation.split(' ')
  const init = { method, ...(body && { body: JSON.stringify(body) }) }
  const response = await fetch(`${base}${path}`, init).catch(() => null)
  if (response === null) throw noSandbox(`No sandbox answers at ${plainLine(base)}`)
  const json = readJson(await response.text())
  if (response.ok && json !== undefined) return json
  const message = typeof json === 'object' && json !== null && 'message' in json ? json.message : undefined
  if (typeof message !== 'string' || message === 'No such control' || response.status === 401)
    throw noSandbox(otherThan(base))
  throw new CommandFailure(exitCodes.failed, `The sandbox refuses: ${plainLine(message)}.`)
}

function otherThan(base: string): string {
  return `What answers at ${plainLine(base)} is no sandbox of this version`
}

function noSandbox(what: string): CommandFailure {
  return new CommandFailure(
    exitCodes.failed,
    `${what}: start one with “npx paywindow sandbox”, or name its address with --sandbox.`,
  )
}

/** Undefined if the text is no JSON. Numbers become text, digit for digit. */
function readJson(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}

function readReceiver(value: unknown): string {
  return asText(asRecord(value, 'receiver').url, 'url', 2_000)
}

function readOrder(value: unknown): ControlledOrder {
  const order = asRecord(value, 'order')
  const optional = (name: string) => (order[name] === null ? null : asText(order[name], name))
  return {
    id: asText(order.id, 'id'),
    status: asOneOf(order.status, 'status', orderStatuses),
    workflow: asText(order.workflow, 'workflow'),
    message: order.message === '' ? '' : asText(order.message, 'message', 1_000),
    asset: asText(order.source_asset, 'source_asset'),
    amount: asText(order.source_amount, 'source_amount'),
    decimals: asInteger(Number(order.source_decimals), 'source_decimals'),
    received: asText(order.received, 'received'),
    network: optional('network'),
    address: optional('wallet_address'),
    tag: optional('tag'),
    validUntilMs: timeOf(order, 'valid_until'),
  }
}

function timeOf(record: JsonRecord, name: string): number {
  const atMs = Date.parse(asText(record[name], name))
  if (Number.isNaN(atMs)) throw new ParseError(`${name} is not a time`)
  return atMs
}
