/**
 * The operations of the service, and its checks of headers. The reference contradicts itself about
 * the paths of wallets: both variants work.
 */
import type { Json } from './json.ts'
import type { Ledger } from './ledger.ts'
import type { SandboxSettings } from './options.ts'
import type { SandboxOrder } from './order.ts'
import { decodePart, type ListQuery, Refusal, readBody, readListQuery, readNewOrder, requiredText } from './reading.ts'
import type { Wallets } from './wallets.ts'
import { writeDetails, writeInstructions, writeItem, writeWallet } from './writing.ts'

/** The parts of a sandbox that the operations use. */
interface ServiceState {
  readonly settings: SandboxSettings
  readonly ledger: Ledger
  readonly wallets: Wallets
  readonly nowMs: () => number
}

/** Resolves with the JSON of the answer. @throws Refusal when the service refuses. */
export async function serve(request: Request, state: ServiceState): Promise<Json> {
  const { settings, ledger, wallets } = state
  const url = new URL(request.url)
  const operation = `${request.method} ${url.pathname}`
  checkHeaders(request, settings)

  if (operation === 'GET /v1/order') {
    return listOrders(readListQuery(url.searchParams, settings), subAccountOf(request, settings, 'optional'), state)
  }
  const subAccountId = subAccountOf(request, settings, 'required')
  switch (operation) {
    case 'POST /v1/order/exchange': {
      const order = ledger.create(readNewOrder(await readBody(request), subAccountId, settings))
      return writeInstructions(order, settings, url.origin)
    }
    case 'POST /v1/subaccount/wallet-address/external':
    case 'POST /v1/subaccount/wallet-address':
      return writeWallet(wallets.register(await readBody(request), subAccountId), settings)
    case 'DELETE /v1/subaccount/wallet-address':
      return removeWallet(requiredText(await readBody(request), 'wallet_id'), subAccountId, wallets)
  }
  const details = idIn(operation, 'GET /v1/orders/details/')
  if (details !== undefined) return orderDetails(details, subAccountId, state)
  const wallet = idIn(operation, 'DELETE /v1/subaccount/wallet-address/id/')
  if (wallet !== undefined) return removeWallet(wallet, subAccountId, wallets)
  throw new Refusal(404, 'No such operation')
}

function checkHeaders(request: Request, settings: SandboxSettings): void {
  if (request.headers.get('authorization') !== `Bearer ${settings.accessToken}`) {
    throw new Refusal(401, 'The access token is missing, wrong or expired')
  }
  if (!/(^|,)\s*application\/json\b/i.test(request.headers.get('accept') ?? '')) {
    throw new Refusal(400, 'The header accept must be application/json')
  }
}

function subAccountOf(request: Request, settings: SandboxSettings, need: 'required' | 'optional'): string {
  const id = request.headers.get('x-sub-account-id')
  if (!id && need === 'optional') return settings.subAccountIds[0]
  if (!id) throw new Refusal(400, 'The header x-sub-account-id is required')
  if (!settings.subAccountIds.includes(id)) throw new Refusal(403, 'The sub-account is not yours')
  return id
}

function listOrders(query: ListQuery, subAccountId: string, { settings, ledger, nowMs }: ServiceState): Json {
  const hasStatus = (order: SandboxOrder) => query.status === null || order.status === query.status
  const found = ledger
    .all()
    .filter((order) => order.subAccountId === subAccountId && order.appearsAtMs <= nowMs())
    .filter((order) => settings.statusFilter !== 'works' || hasStatus(order))
    .filter((order) => query.search === null || matches(order, query.search))
  // Orders with equal keys keep the order of their creation, in the direction of the list.
  const sorted = found.sort((a, b) => compare(sortKey(a, query), sortKey(b, query)))
  if (settings.direction === 'descending') sorted.reverse()
  const start = (query.page - settings.firstPage) * query.size
  return {
    message: '',
    orders: sorted
      .slice(start, start + query.size)
      .filter((order) => settings.statusFilter !== 'after-paging' || hasStatus(order))
      .map((order) => writeItem(order, settings)),
    page: query.page,
    size: query.size,
    total_pages: Math.ceil(sorted.length / query.size),
  }
}

function orderDetails(id: string, subAccountId: string, { settings, ledger, nowMs }: ServiceState): Json {
  const order = ledger.find(id)
  if (!order || order.subAccountId !== subAccountId || order.appearsAtMs > nowMs()) {
    throw new Refusal(404, 'Order not found')
  }
  return writeDetails(order, settings)
}

function removeWallet(id: string, subAccountId: string, wallets: Wallets): Json {
  wallets.remove(id, subAccountId)
  return { message: 'Wallet address deleted' }
}

function matches(order: SandboxOrder, search: string): boolean {
  const wanted = search.toLowerCase()
  return [order.recipientEmail, order.description].some((text) => text.toLowerCase().includes(wanted))
}

function sortKey(order: SandboxOrder, { orderBy }: ListQuery): string {
  switch (orderBy) {
    case 'id':
      return order.id
    case 'recipient_email':
      return order.recipientEmail
    case 'description':
      return order.description
    case 'created_at':
      return order.createdAt
    case 'status':
      return order.status
  }
}

function compare(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}

function idIn(operation: string, prefix: string): string | undefined {
  return operation.startsWith(prefix) ? decodePart(operation.slice(prefix.length)) : undefined
}
