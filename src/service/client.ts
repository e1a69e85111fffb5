/** The five operations of the service, typed. Requests go out as documented; answers are parsed, never cast. */
import { ParseError } from '../contract/parse.ts'
import { answerError } from './failures.ts'
import { parseExactJson } from './json.ts'
import { checkOptions, type ServiceOptions } from './options.ts'
import { parseInstructions } from './parse-instructions.ts'
import { parseOrderDetails, parseOrderList } from './parse-order.ts'
import { parseDeletion, parseWallet } from './parse-wallet.ts'
import { deletionCall, detailsCall, listCall, orderCall, walletCall } from './requests.ts'
import { sendWithRetries } from './retry.ts'
import { createTokenSource } from './token.ts'
import { type Answer, type Call, nameOf, type ObservedSettings } from './transport.ts'
import type { ServiceClient } from './types.ts'

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

/** The same client, for a server that tells of each request when it has ended. @throws PaywindowError as `createServiceClient` does. */
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
      // A page without orders may be answered as having no content.
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
      // The status alone says that it was deleted, even if the body is missing.
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
