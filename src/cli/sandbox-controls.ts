/** The controls of a running sandbox, over HTTP. */

import type { OrderStatus } from '../contract/checkout.ts'
import { orderStatuses } from '../contract/checkout.ts'
import type { JsonRecord } from '../contract/parse.ts'
import { asInteger, asList, asOneOf, asRecord, asText, ParseError } from '../contract/parse.ts'
import type { Fault } from '../sandbox/faults.ts'
import type { PayerDeposit } from '../sandbox/payer.ts'
import type { WebhookFault, WebhookReceiver } from '../sandbox/webhook-types.ts'
import { parseExactJson } from '../service/json.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { plainLine } from './text.ts'

/** Where `paywindow sandbox` listens if it is not told otherwise. */
export const defaultSandboxPort = 4300

/** An order as the sandbox's controls show it. Amounts are decimal text. */
export interface ControlledOrder {
  readonly id: string
  readonly status: OrderStatus
  /** What is behind the status, such as `top_up`. */
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
  /** When its quote ends, in ms since the epoch by the sandbox's clock. */
  readonly validUntilMs: number
}

/** What can be done to an order by the one who runs the service. */
export type OrderControl = 'confirm' | 'cancel' | 'refund' | 'accept-late'

/** All of them throw CommandFailure when the sandbox refuses, or when there is none. */
export interface SandboxControls {
  /** Oldest first. */
  orders(): Promise<readonly ControlledOrder[]>
  deposit(deposit: PayerDeposit): Promise<ControlledOrder>
  act(orderId: string, control: OrderControl): Promise<ControlledOrder>
  /** Moves the clock forward and resolves with its time, in ms since the epoch. */
  advance(ms: number): Promise<number>
  failNextCreation(fault: Fault): Promise<void>
  failNextWebhook(fault: WebhookFault): Promise<void>
  /** The addresses that get webhooks. */
  receivers(): Promise<readonly string[]>
  register(receiver: WebhookReceiver): Promise<void>
  unregister(url: string): Promise<void>
}

/** @param url - Base address of the sandbox. @throws CommandFailure when it is no address. */
export function connectSandbox(url: string, fetch: typeof globalThis.fetch): SandboxControls {
  const base = URL.canParse(url) ? url.replace(/\/+$/, '') : ''
  if (!/^https?:/.test(base))
    throw new CommandFailure(exitCodes.usage, `--sandbox must be the address of a sandbox, not ${plainLine(url)}.`)
  const ask = (method: string, path: string, body?: object) => request(fetch, base, `${method} /sandbox/${path}`, body)
  const order = async (json: Promise<unknown>) => readOrder(await json)
  return {
    orders: async () => asList(await ask('GET', 'orders'), 'orders', 100_000).map(readOrder),
    deposit: (deposit) => order(ask('POST', 'deposits', deposit)),
    act: (id, control) => order(ask('POST', `orders/${encodeURIComponent(id)}/${control}`)),
    advance: async (advanceMs) => timeOf(asRecord(await ask('POST', 'clock', { advanceMs }), 'clock'), 'now'),
    failNextCreation: async (fault) => void (await ask('PUT', 'fault', fault)),
    failNextWebhook: async (fault) => void (await ask('PUT', 'webhooks/fault', fault)),
    receivers: async () =>
      asList(await ask('GET', 'webhooks'), 'receivers', 1_000).map((each) =>
        asText(asRecord(each, 'receiver').url, 'url', 2_000),
      ),
    register: async (receiver) => void (await ask('PUT', 'webhooks', receiver)),
    unregister: async (receiver) => void (await ask('DELETE', 'webhooks', { url: receiver })),
  }
}

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
    throw noSandbox(`What answers at ${plainLine(base)} is no sandbox of this version`)
  throw new CommandFailure(exitCodes.failed, `The sandbox refuses: ${plainLine(message)}.`)
}

function noSandbox(what: string): CommandFailure {
  return new CommandFailure(
    exitCodes.failed,
    `${what}: start one with “npx paywindow sandbox”, or name its address with --sandbox.`,
  )
}

/** Undefined for what is no JSON. Numbers become text, digit for digit. */
function readJson(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
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
