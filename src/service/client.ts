/** The five operations of the service, typed. Answers are parsed, never cast. */
import { orderStatuses } from '../contract/checkout.ts'
import { canonicalDecimal } from '../contract/decimal.ts'
import { PaywindowError } from '../contract/errors.ts'
import { ParseError } from '../contract/parse.ts'
import { ServiceError } from './errors.ts'
import { answerError } from './failures.ts'
import { parseExactJson } from './json.ts'
import { checkOptions, type ServiceOptions } from './options.ts'
import {
  isUsableId,
  parseDeletion,
  parseInstructions,
  parseOrderDetails,
  parseOrderList,
  parseWallet,
} from './parse.ts'
import {
  type Answer,
  type Call,
  createTokenSource,
  nameOf,
  type ObservedSettings,
  sendWithRetries,
} from './transport.ts'
import type { OrderQuery, OrderRequest, ServiceClient, WalletRequest } from './types.ts'

/**
 * Creates a client of the exchange service. It holds the access token, so it belongs on a server.
 *
 * @throws PaywindowError `invalid_options` when an option is missing or cannot be used.
 *
 * @example
 * ```ts
 * const client = createServiceClient(createSandbox().access)
 * const instructions = await client.createOrder({
 *   sourceAsset: 'BTC',
 *   network: 'bitcoin',
 *   targetAsset: 'USD',
 *   targetAmount: '49.90',
 * })
 * instructions.tag // => null
 * ```
 */
export function createServiceClient(options: ServiceOptions): ServiceClient {
  return createObservedClient(options, undefined)
}

/**
 * The same client, with a callback for each request that has ended.
 *
 * @throws PaywindowError as `createServiceClient` does.
 */
export function createObservedClient(options: ServiceOptions, onRequest: ObservedSettings['onRequest']): ServiceClient {
  const settings = { ...checkOptions(options), onRequest }
  const tokens = createTokenSource(settings.accessToken)
  const ask = (call: Call) => sendWithRetries(call, settings, tokens)

  return {
    createOrder: async (request) => {
      const call = orderCall(request)
      const answer = await ask(call)
      return { ...read(call, answer, parseInstructions), timing: answer.timing }
    },
    listOrders: async (query) => {
      const call = listCall(query)
      const answer = await ask(call)
      const { timing } = answer
      // The service may answer an empty page with 204, No Content.
      const page = answer.status === 204 ? parseOrderList([]) : read(call, answer, parseOrderList)
      return { ...page, orders: page.orders.map((order) => ({ ...order, timing })), timing }
    },
    orderDetails: async (id) => {
      const call = detailsCall(id)
      const answer = await ask(call)
      return { ...read(call, answer, (json) => parseOrderDetails(json, id)), timing: answer.timing }
    },
    registerWallet: async (request) => {
      const call = walletCall(request)
      return read(call, await ask(call), parseWallet)
    },
    deleteWallet: async (id) => {
      const call = deletionCall(id)
      const answer = await ask(call)
      // A 2xx status is enough: the body may be missing.
      return answer.text.trim() === '' ? null : read(call, answer, parseDeletion)
    },
  }
}

function read<Value>(call: Call, answer: Answer, parse: (json: unknown) => Value): Value {
  try {
    return parse(readJson(call, answer))
  } catch (error) {
    if (error instanceof ParseError) throw answerError(nameOf(call), answer.status, `but ${error.message}`)
    throw error
  }
}

function readJson(call: Call, answer: Answer): unknown {
  try {
    return parseExactJson(answer.text)
  } catch {
    throw answerError(nameOf(call), answer.status, 'but with a body that is not JSON')
  }
}

const orderings = ['id', 'recipient_email', 'description', 'created_at', 'status']

/** Amounts go out as decimal text, as the schema says. @throws ServiceError `invalid_request`. */
function orderCall(request: OrderRequest): Call {
  const { network, poolBalance } = request
  if (request.sourceAmount === undefined && request.targetAmount === undefined) {
    throw invalid('An order needs a source amount or a target amount')
  }
  return {
    method: 'POST',
    ...fixed('/v1/order/exchange'),
    body: {
      source_asset: text('sourceAsset', request.sourceAsset),
      target_asset: text('targetAsset', request.targetAsset),
      ...(network === undefined ? {} : { network: text('network', network) }),
      ...(request.sourceAmount === undefined ? {} : { source_amount: amount('sourceAmount', request.sourceAmount) }),
      ...(request.targetAmount === undefined ? {} : { target_amount: amount('targetAmount', request.targetAmount) }),
      ...(poolBalance === undefined ? {} : { pool_balance: poolBalance }),
    },
  }
}

/** @throws ServiceError `invalid_request`. */
function listCall(query: OrderQuery): Call {
  if (query.status !== undefined && !orderStatuses.includes(query.status)) {
    throw invalid(`status is one of ${orderStatuses.join(', ')}`)
  }
  if (query.orderBy !== undefined && !orderings.includes(query.orderBy)) {
    throw invalid(`orderBy is one of ${orderings.join(', ')}`)
  }
  const parameters = new URLSearchParams({ page: count('page', query.page, 0), size: count('size', query.size, 1) })
  if (query.status !== undefined) parameters.set('status', query.status)
  if (query.search !== undefined) parameters.set('search', text('search', query.search))
  if (query.orderBy !== undefined) parameters.set('order_by', query.orderBy)
  return { method: 'GET', ...fixed('/v1/order'), query: parameters }
}

/** @throws ServiceError `invalid_request`. */
function detailsCall(id: string): Call {
  return { method: 'GET', ...withId('/v1/orders/details/{id}', id) }
}

/** @throws ServiceError `invalid_request`. */
function walletCall(request: WalletRequest): Call {
  return {
    method: 'POST',
    ...fixed('/v1/subaccount/wallet-address/external'),
    body: {
      asset: text('asset', request.asset),
      name: text('name', request.name),
      address: text('address', request.address),
      network: text('network', request.network),
    },
  }
}

/** @throws ServiceError `invalid_request`. */
function deletionCall(id: string): Call {
  return { method: 'DELETE', ...withId('/v1/subaccount/wallet-address/id/{id}', id) }
}

function fixed(path: string): Pick<Call, 'path' | 'route'> {
  return { path, route: path }
}

function withId(route: string, id: string): Pick<Call, 'path' | 'route'> {
  return { path: route.replace('{id}', () => idPart(id)), route }
}

/**
 * An id as a path segment. Refuses `.` and `..`, which URLs drop even if encoded, and an empty id,
 * which would address the collection.
 */
function idPart(id: string): string {
  if (!isUsableId(id)) throw invalid('id is empty, too long or not an id')
  return encodeURIComponent(id)
}

function text(name: string, value: string): string {
  if (typeof value !== 'string' || value.trim() === '' || value.length > 500) {
    throw invalid(`${name} is empty, too long or not a text`)
  }
  return value
}

function amount(name: string, value: string): string {
  try {
    const decimal = canonicalDecimal(value)
    if (decimal !== '0') return decimal
  } catch (error) {
    if (!(error instanceof PaywindowError)) throw error
  }
  throw invalid(`${name} is not an amount above zero`)
}

function count(name: string, value: number, least: number): string {
  if (!Number.isSafeInteger(value) || value < least) throw invalid(`${name} is a whole number from ${least}`)
  return String(value)
}

function invalid(message: string): ServiceError {
  return new ServiceError('invalid_request', message, { outcome: 'not_done' })
}
