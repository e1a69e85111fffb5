/**
 * The types of the upstream interface: names in camel case, absent and empty fields as null,
 * numbers as the digits that were sent, because an amount with 18 decimals does not fit a double.
 */
import type { OrderStatus } from '../contract/checkout.ts'
import type { ServiceErrorCode } from './errors.ts'

/**
 * The arguments of `POST /v1/order/exchange`. Amounts are decimal text; one of the two is enough.
 *
 * @example
 * ```ts
 * const request: OrderRequest = { sourceAsset: 'BTC', network: 'bitcoin', targetAsset: 'USD', targetAmount: '49.90' }
 * ```
 */
export interface OrderRequest {
  readonly sourceAsset: string
  readonly targetAsset: string
  readonly network?: string
  readonly sourceAmount?: string
  readonly targetAmount?: string
  /** Sent only when set: the interface does not say what it means. */
  readonly poolBalance?: boolean
}

/**
 * An asset as the service describes it.
 *
 * @example
 * ```ts
 * const label = ({ name, symbol }: AssetDescriptor) => `${name ?? symbol}`
 * ```
 */
export interface AssetDescriptor {
  readonly symbol: string | null
  readonly name: string | null
  readonly type: string | null
  readonly smallImageUrl: string | null
  readonly mediumImageUrl: string | null
  readonly largeImageUrl: string | null
}

/**
 * The times of a request, in ms since the epoch: when it was sent, by our clock; when it was
 * answered; the answer's `Date` header. The duration is measured by the monotonic clock, so
 * `answeredAtMs` is right even if our clock was set meanwhile.
 *
 * @example
 * ```ts
 * const tookMs = ({ sentAtMs, answeredAtMs }: Timing) => answeredAtMs - sentAtMs
 * tookMs({ sentAtMs: 1_000, answeredAtMs: 1_250, serviceDateMs: null }) // => 250
 * ```
 */
export interface Timing {
  readonly sentAtMs: number
  readonly answeredAtMs: number
  readonly serviceDateMs: number | null
}

/**
 * The deposit instructions. Only the types of the fields are checked: check the rest before you
 * show them.
 *
 * @example
 * ```ts
 * const complete = ({ walletAddress, amount }: DepositInstructions) => walletAddress !== null && amount !== null
 * ```
 */
export interface DepositInstructions {
  /** The order's id, where the service sends one. The interface does not document it. */
  readonly orderId: string | null
  readonly amount: string | null
  readonly asset: AssetDescriptor | null
  readonly dateTime: string | null
  readonly deposit: boolean | null
  readonly expTime: string | null
  readonly message: string | null
  readonly network: string | null
  readonly tag: string | null
  readonly walletAddress: string | null
  readonly timing: Timing
}

/**
 * An order of the list or the details.
 *
 * @example
 * ```ts
 * const isPaid = ({ status }: Pick<Order, 'status'>) => status === 'confirmed'
 * isPaid({ status: null }) // => false
 * ```
 */
export interface Order {
  /** Which answer shows it: the list may show less than the details. */
  readonly from: 'list' | 'details'
  readonly id: string
  /** True for details that write no id: they may be those of another order. */
  readonly isUnnamed?: true
  /** Null for an unknown status: see `statusText`. `cancelled` becomes `canceled`. */
  readonly status: OrderStatus | null
  readonly statusText: string | null
  readonly subAccountId: string | null
  readonly recipientEmail: string | null
  readonly description: string | null
  readonly sourceAsset: string | null
  readonly sourceAmount: string | null
  readonly targetAsset: string | null
  readonly targetAmount: string | null
  readonly network: string | null
  readonly walletAddress: string | null
  readonly tag: string | null
  readonly message: string | null
  /** As sent, to its last digit, to be compared with the answer to the creation. */
  readonly createdAt: string | null
  readonly validUntil: string | null
  /** The times of the answer with this order, because answers may arrive out of order. */
  readonly timing: Timing
}

/**
 * Which page of the list.
 *
 * @example
 * ```ts
 * const query: OrderQuery = { page: 1, size: 20, status: 'open', orderBy: 'created_at' }
 * ```
 */
export interface OrderQuery {
  readonly status?: OrderStatus
  /** Matches the e-mail or the order description. */
  readonly search?: string
  readonly orderBy?: 'id' | 'recipient_email' | 'description' | 'created_at' | 'status'
  /** The number of the page. The interface does not say whether the first page is 0 or 1. */
  readonly page: number
  readonly size: number
}

/**
 * One page of the list.
 *
 * @example
 * ```ts
 * const isLast = ({ page, totalPages }: Pick<OrderPage, 'page' | 'totalPages'>) => page !== null && page === totalPages
 * isLast({ page: 3, totalPages: 3 }) // => true
 * ```
 */
export interface OrderPage {
  readonly orders: readonly Order[]
  /** The number of items that could not be read as an order. */
  readonly unreadable: number
  readonly page: number | null
  readonly size: number | null
  readonly totalPages: number | null
  readonly timing: Timing
}

/**
 * An external wallet address to register.
 *
 * @example
 * ```ts
 * const request: WalletRequest = { asset: 'BTC', network: 'bitcoin', address: 'bc1q…', name: 'Cold store' }
 * ```
 */
export interface WalletRequest {
  readonly asset: string
  readonly name: string
  readonly address: string
  readonly network: string
}

/**
 * A registered external wallet address. `deletedAt` is null when it is not deleted.
 *
 * @example
 * ```ts
 * const isActive = ({ deletedAt }: Pick<Wallet, 'deletedAt'>) => deletedAt === null
 * isActive({ deletedAt: null }) // => true
 * ```
 */
export interface Wallet {
  readonly id: string
  readonly name: string | null
  readonly address: string | null
  readonly asset: string | null
  readonly network: string | null
  readonly walletType: string | null
  readonly message: string | null
  readonly createdAt: string | null
  readonly updatedAt: string | null
  readonly deletedAt: string | null
}

/**
 * An HTTP request to the service that has ended.
 *
 * @example
 * ```ts
 * const hasFailed = ({ errorCode }: Pick<RequestReport, 'errorCode'>) => errorCode !== null
 * hasFailed({ errorCode: null }) // => false
 * ```
 */
export interface RequestReport {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The path as the interface writes it, with `{id}` in place of an id. */
  readonly route: string
  /** The whole address without its query, which may contain an e-mail address. */
  readonly url: string
  /** The HTTP status; null where no answer came. */
  readonly status: number | null
  /** Null where a whole 2xx answer came. */
  readonly errorCode: ServiceErrorCode | null
  /** Ms since the epoch. */
  readonly sentAtMs: number
  /** Milliseconds until the answer was read to its end, or the request was given up. */
  readonly tookMs: number
}

/**
 * The five operations of the service. Each may reject with a `ServiceError`.
 *
 * @example
 * ```ts
 * const client: ServiceClient = createServiceClient(createSandbox().access)
 * const { orders } = await client.listOrders({ page: 1, size: 20 })
 * orders // => []
 * ```
 */
export interface ServiceClient {
  createOrder(request: OrderRequest): Promise<DepositInstructions>
  listOrders(query: OrderQuery): Promise<OrderPage>
  orderDetails(id: string): Promise<Order>
  registerWallet(request: WalletRequest): Promise<Wallet>
  /** Resolves with the service's message, or null. */
  deleteWallet(id: string): Promise<string | null>
}
