/**
 * The controls of a sandbox over HTTP, below `/sandbox/`, for the commands and for curl. They play
 * the payer, move the clock, set faults and register webhooks. They need no token: the sandbox is
 * served on a loopback address only. Pages of other sites are refused.
 */
import type { JsonRecord } from '../contract/parse.ts'
import { isTime, type SandboxClock } from './clock.ts'
import type { Fault } from './faults.ts'
import { exactNumber, type Json } from './json.ts'
import type { Ledger } from './ledger.ts'
import type { SandboxOrder } from './order.ts'
import type { Payer, PayerDeposit } from './payer.ts'
import { amountText, decodePart, Refusal, readBody, requiredText } from './reading.ts'
import type { WebhookEvent, WebhookFault } from './webhook-types.ts'
import { statusOfEvent, type Webhooks } from './webhooks.ts'

/** The parts of a sandbox that the controls act on. */
interface Controlled {
  readonly ledger: Ledger
  readonly payer: Payer
  readonly clock: SandboxClock
  readonly webhooks: Webhooks
  /** Uses this fault for the next creation of an order. */
  readonly failNextCreation: (fault: Fault) => void
}

/** Answers a control request. @throws Refusal or PaywindowError when it cannot be done. */
export async function control(request: Request, controlled: Controlled): Promise<Json> {
  const { ledger, payer, clock, webhooks, failNextCreation } = controlled
  refusePages(request)
  const operation = `${request.method} ${new URL(request.url).pathname}`
  switch (operation) {
    case 'GET /sandbox/orders':
      return ledger.all().map(writeOrder)
    case 'POST /sandbox/deposits': {
      const result = payer.deposit(readDeposit(await readBody(request)))
      if (!result.matched) throw new Refusal(404, `The deposit matches no order: ${result.reason}`)
      return writeOrder(result.order)
    }
    case 'POST /sandbox/clock': {
      const { advanceMs } = await readBody(request)
      if (typeof advanceMs !== 'number' || !isTime(clock.now() + advanceMs))
        throw new Refusal(400, 'advanceMs must be a number, and lead to a year before 10000')
      clock.advance(advanceMs)
      return { now: new Date(clock.now()).toISOString() }
    }
    case 'PUT /sandbox/fault':
      failNextCreation(readFault(await readBody(request)))
      return { message: 'The next creation fails' }
    case 'PUT /sandbox/webhooks/fault':
      webhooks.failNext(readWebhookFault(await readBody(request)))
      return { message: 'The next webhook fails' }
  }
  if (operation.endsWith(' /sandbox/webhooks')) return controlReceivers(request, webhooks)
  return controlOrder(operation, payer)
}

/** Browsers name a page's origin with every POST; newer browsers send `sec-fetch-site` always. */
function refusePages({ headers, url }: Request): void {
  const origin = headers.get('origin')
  const isOtherSite = ['cross-site', 'same-site'].includes(headers.get('sec-fetch-site') ?? '')
  if (isOtherSite || (origin !== null && origin !== new URL(url).origin))
    throw new Refusal(403, 'The controls are not for pages of other sites')
}

async function controlReceivers(request: Request, webhooks: Webhooks): Promise<Json> {
  switch (request.method) {
    case 'GET':
      return webhooks.receivers().map(({ url }) => ({ url }))
    case 'PUT': {
      const body = await readBody(request)
      const secret = body.secret === undefined ? {} : { secret: requiredText(body, 'secret') }
      const url = requiredText(body, 'url')
      webhooks.register({ url, ...secret })
      return { url }
    }
    case 'DELETE': {
      const url = requiredText(await readBody(request), 'url')
      if (!webhooks.unregister(url)) throw new Refusal(404, 'Nobody is registered there')
      return { url }
    }
  }
  throw new Refusal(404, 'No such control')
}

function controlOrder(operation: string, payer: Payer): Json {
  const match = /^POST \/sandbox\/orders\/([^/]+)\/(confirm|cancel|refund|accept-late)$/.exec(operation)
  const id = decodePart(match?.[1] ?? '')
  switch (match?.[2]) {
    case 'confirm':
      return writeOrder(payer.confirm(id))
    case 'cancel':
      return writeOrder(payer.cancel(id))
    case 'refund':
      return writeOrder(payer.completeRefund(id))
    case 'accept-late':
      return writeOrder(payer.acceptLate(id))
  }
  throw new Refusal(404, 'No such control')
}

function readDeposit(body: JsonRecord): PayerDeposit {
  const { tag, asset, network, amount } = body
  return {
    address: requiredText(body, 'address'),
    amount: amountText(amount, 'amount'),
    ...(tag === undefined || tag === null ? {} : { tag: String(tag) }),
    ...(asset === undefined ? {} : { asset: requiredText(body, 'asset') }),
    ...(network === undefined ? {} : { network: requiredText(body, 'network') }),
  }
}

function writeOrder(order: SandboxOrder): Json {
  return {
    id: order.id,
    status: order.status,
    workflow: order.workflow,
    message: order.message,
    source_asset: order.sourceAsset,
    source_amount: exactNumber(order.sourceAmount),
    source_decimals: order.sourceDecimals,
    received: exactNumber(order.received),
    target_asset: order.targetAsset,
    target_amount: exactNumber(order.targetAmount),
    network: order.network,
    wallet_address: order.address,
    tag: order.tag,
    created_at: order.createdAt,
    valid_until: order.validUntil,
  }
}

function readFault(body: JsonRecord): Fault {
  const kind = requiredText(body, 'kind')
  const workDone = body.workDone === true
  switch (kind) {
    case 'latency':
      return { kind, beforeMs: optionalNumber(body, 'beforeMs') ?? 0, afterMs: optionalNumber(body, 'afterMs') ?? 0 }
    case 'reset':
    case 'hang':
      return { kind, workDone }
    case 'status': {
      const status = optionalNumber(body, 'status') ?? 0
      if (!Number.isInteger(status) || status < 400 || status > 599) throw new Refusal(400, 'status must be 400 to 599')
      return {
        kind,
        status,
        workDone,
        ...(body.message !== undefined && { message: requiredText(body, 'message') }),
        ...(body.retryAfter !== undefined && { retryAfter: requiredText(body, 'retryAfter') }),
      }
    }
    case 'html':
    case 'truncated':
    case 'duplicated':
    case 'empty':
      return { kind }
  }
  throw new Refusal(400, 'kind is none of latency, reset, hang, status, html, truncated, duplicated, empty')
}

function readWebhookFault(body: JsonRecord): WebhookFault {
  const kind = requiredText(body, 'kind')
  switch (kind) {
    case 'late':
      return { kind, byMs: optionalNumber(body, 'byMs') ?? 0 }
    case 'twice':
    case 'out-of-order':
    case 'lost':
      return { kind }
    case 'forged': {
      const event = requiredText(body, 'event')
      if (isEvent(event)) return { kind, event }
      throw new Refusal(400, `event is none of ${Object.keys(statusOfEvent).join(', ')}`)
    }
  }
  throw new Refusal(400, 'kind is none of late, twice, out-of-order, lost, forged')
}

function isEvent(text: string): text is WebhookEvent {
  return Object.hasOwn(statusOfEvent, text)
}

function optionalNumber(body: JsonRecord, name: string): number | undefined {
  const value = body[name]
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value
  throw new Refusal(400, `${name} must be a number of 0 or more`)
}
