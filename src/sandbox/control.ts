/**
 * The sandbox over HTTP, for the commands and for a person with curl: `/sandbox/…` plays the payer, moves the clock, makes things go
 * wrong and says who gets webhooks. It asks for no token, because it belongs on a loopback address and nothing real depends on it.
 * Pages of other sites are refused.
 */
import type { JsonRecord } from '../contract/parse.ts'
import { isTime, type SandboxClock } from './clock.ts'
import { readFault, readWebhookFault } from './fault-reading.ts'
import type { Fault } from './faults.ts'
import { exactNumber, type Json } from './json.ts'
import type { Ledger } from './ledger.ts'
import type { SandboxOrder } from './order.ts'
import type { Payer, PayerDeposit } from './payer.ts'
import { amountText, decodePart, readBody, requiredText } from './reading.ts'
import { Refusal } from './refusal.ts'
import type { Webhooks } from './webhooks.ts'

/** What can be controlled. */
interface Controlled {
  readonly ledger: Ledger
  readonly payer: Payer
  readonly clock: SandboxClock
  readonly webhooks: Webhooks
  /** Lets this go wrong with the next request of this method and path. */
  readonly failNext: (operation: string, fault: Fault) => void
}

const creation = 'POST /v1/order/exchange'

/** Does what a control request asks. @throws Refusal or PaywindowError when it cannot be done. */
export async function control(request: Request, controlled: Controlled): Promise<Json> {
  const { ledger, payer, clock, webhooks, failNext } = controlled
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
      failNext(creation, readFault(await readBody(request)))
      return { message: 'The next creation fails' }
    case 'PUT /sandbox/webhooks/fault':
      webhooks.failNext(readWebhookFault(await readBody(request)))
      return { message: 'The next webhook fails' }
  }
  if (operation.endsWith(' /sandbox/webhooks')) return controlReceivers(request, webhooks)
  return controlOrder(operation, payer)
}

/** Every browser names the page that sends a POST, and newer ones the site of every request. */
function refusePages({ headers, url }: Request): void {
  const origin = headers.get('origin')
  const isOfSite = ['cross-site', 'same-site'].includes(headers.get('sec-fetch-site') ?? '')
  if (isOfSite || (origin !== null && origin !== new URL(url).origin))
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
