/**
 * The JSON between the merchant server and the browser: the types of what is sent. `parsers.ts`
 * accepts nothing else. What may change without another `v`: docs/decisions/versions.md.
 */
import type { TagWord } from './networks/row.ts'

/** The service's words for an order. */
export const orderStatuses = ['open', 'pending', 'confirmed', 'canceled'] as const

/**
 * What the service says of an order.
 *
 * @example
 * ```ts
 * const status: OrderStatus = 'confirmed'
 * ```
 */
export type OrderStatus = (typeof orderStatuses)[number]

/**
 * Our reading of a status: nothing came yet, a deposit was seen, the order is paid, the order ended
 * without payment.
 */
export const phases = ['waiting', 'seen', 'paid', 'ended'] as const

/**
 * What a status means to the payer; which status is which phase is the merchant's choice
 * (`phases`).
 *
 * @example
 * ```ts
 * const words: Record<Phase, string> = { waiting: 'unpaid', seen: 'on its way', paid: 'paid', ended: 'not paid' }
 * ```
 */
export type Phase = (typeof phases)[number]

/** Whether any checkout of the cart had a deposit seen or was paid. */
export const cartStates = ['open', 'seen', 'paid'] as const

/**
 * Whether any checkout of a cart is paid or has a deposit.
 *
 * @example
 * ```ts
 * const mayShip = (cart: CartState) => cart === 'paid'
 * mayShip('seen') // => false
 * ```
 */
export type CartState = (typeof cartStates)[number]

/**
 * What the merchant receives: `asset` such as `USD`, `amount` as exact decimal text. Your server
 * gets the text back that `offer` gave; a browser gets canonical text, `49.9` for `49.90`.
 *
 * @example
 * ```ts
 * const price: Price = { asset: 'USD', amount: '49.90' }
 * ```
 */
export interface Price {
  readonly asset: string
  readonly amount: string
}

/**
 * What a merchant server sends about a network that it knows; the whole table is too long for a
 * browser.
 */
export interface NetworkInfo {
  /** The one name of it, whatever the service's spelling: `avalanche-c`. */
  readonly kind: string
  /** For the screen: `Avalanche C-Chain`. */
  readonly name: string
  /** Where a withdrawal is made on an exchange: `AVAXC (Avalanche C-Chain)`. */
  readonly exchangeName: string
  /** What its wallets call the tag. */
  readonly tagWord: TagWord
  /** Whether deposits are told apart by a tag. */
  readonly needsTag: boolean
  /** Within how many minutes a deposit is usually confirmed; left out where nobody says so. */
  readonly usualMinutes?: number
  /** A path below the endpoint; the same as its own coin's. */
  readonly icon?: string
}

/**
 * One way to pay. `network` is the service's name of it; `icon` is a path below the endpoint
 * (`icons/…`).
 *
 * @example
 * ```ts
 * const method: Method = { asset: 'USDC', network: 'base', name: 'USD Coin', icon: 'icons/coin-usdc' }
 * ```
 */
export interface Method {
  readonly asset: string
  readonly network: string
  readonly name: string
  readonly icon?: string
  /** Left out of a network that the merchant server does not know. */
  readonly networkInfo?: NetworkInfo
}

/**
 * Who is paid. Both URLs are absolute `http(s)` URLs.
 *
 * @example
 * ```ts
 * const merchant: Merchant = { name: 'Lantern Books', returnUrl: 'https://books.example/orders/7' }
 * ```
 */
export interface Merchant {
  readonly name: string
  readonly returnUrl?: string
  readonly supportUrl?: string
}

/**
 * What a visitor may pay, and with what. Reading it creates nothing.
 *
 * @example
 * ```ts
 * const symbols = ({ methods }: Offer) => methods.map(({ asset, network }) => `${asset} on ${network}`)
 * ```
 */
export interface Offer {
  readonly v: 1
  readonly reference: string
  readonly price: Price
  readonly description?: string
  readonly merchant: Merchant
  readonly methods: readonly Method[]
  readonly cart: CartState
  readonly test: boolean
  /**
   * The checkout with the cart's deposit; without a deposit the current one. Left out where there
   * is none.
   */
  readonly checkout?: Checkout
}

/** What can be known of money that has arrived. */
export const arrivalKinds = ['exact', 'short', 'over', 'other', 'late', 'returning'] as const

/**
 * What is known of the money that arrived for an order, in numbers. `other`: another coin than the
 * one asked for. `late`: after the quote had ended. `returning`: the service sends it back.
 *
 * @example
 * ```ts
 * const missing: Arrival = {
 *   kind: 'short',
 *   received: { asset: 'BTC', amount: '0.001' },
 *   due: { asset: 'BTC', amount: '0.0005' },
 * }
 * ```
 */
export interface Arrival {
  readonly kind: (typeof arrivalKinds)[number]
  readonly received?: Price
  /** What is still missing. */
  readonly due?: Price
  /** What the service sends back. */
  readonly returned?: Price
}

/**
 * How a wallet in a browser can pay: the chain by its id (EIP-155), and the digits after the point
 * of the amount there.
 *
 * @example
 * ```ts
 * const dollars: EvmPayment = { chainId: 8453, decimals: 6, contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }
 * ```
 */
export interface EvmPayment {
  readonly chainId: number
  readonly decimals: number
  /** The token's; left out for the chain's own coin. */
  readonly contract?: string
}

/**
 * One step of a checkout, oldest first.
 *
 * @example
 * ```ts
 * const paidAt = (history: readonly HistoryEntry[]) => history.find(({ phase }) => phase === 'paid')?.at
 * paidAt([{ status: 'confirmed', phase: 'paid', at: '2026-01-01T09:31:00.000Z' }]) // => '2026-01-01T09:31:00.000Z'
 * ```
 */
export interface HistoryEntry {
  readonly status: OrderStatus
  readonly phase: Phase
  readonly at: string
}

/**
 * A checkout: where to send which amount until when, and what is known of the deposit.
 *
 * @example
 * ```ts
 * const inWords = ({ amount, asset, network, address, tag }: Checkout) =>
 *   `${amount} ${asset.symbol} on ${network} to ${address}${tag === null ? '' : `, tag ${tag}`}`
 * ```
 */
export interface Checkout {
  readonly v: 1
  /** Public name of this checkout, for support and logs. Opens nothing. */
  readonly id: string
  /** The merchant's name of the cart; where `viewOnly`, the `id`. */
  readonly reference: string
  /** Never falls; an answer with a lower one is older than what is shown. */
  readonly revision: number
  readonly status: OrderStatus
  readonly phase: Phase
  /**
   * False while the service's order is not known yet: payable, and its status is being looked up.
   */
  readonly tracked: boolean
  readonly cart: CartState
  /** True with the sandbox or a test account: money sent here is lost. */
  readonly test: boolean
  /** Exact amount of the asset to send, canonical decimal text. */
  readonly amount: string
  readonly asset: { readonly symbol: string; readonly name: string; readonly icon?: string }
  readonly network: string
  /** Left out of a network that the merchant server does not know. */
  readonly networkInfo?: NetworkInfo
  readonly address: string
  readonly tag: string | null
  /**
   * Left out of test payments, of other chains, and of tokens whose contract the merchant has not
   * named.
   */
  readonly evm?: EvmPayment
  readonly price: Price
  readonly description?: string
  /** The merchant's number of the order, for people. */
  readonly orderNumber?: string
  readonly merchant: Merchant
  /** How many methods the offer has: with more than one the payer can change. */
  readonly methodCount: number
  /**
   * Where the latest quote of this cart that is over was to be paid: a payment may be on its way
   * there.
   */
  readonly earlier?: string
  /** Left out while nothing is known but that something arrived. */
  readonly arrival?: Arrival
  readonly createdAt: string
  readonly expiresAt: string
  /** Milliseconds the quote has left as this answer is written; zero or less when it is over. */
  readonly expiresInMs: number
  readonly history: readonly HistoryEntry[]
  /** True when it was opened by a handover token: to look at only. */
  readonly viewOnly: boolean
  /** The server's own page, where it can show a payment that was handed over. */
  readonly handoverUrl?: string
}

/**
 * A checkout as its payer gets it: `key` reads, renews and hands over; it is kept in memory and
 * never shown.
 *
 * @example
 * ```ts
 * const headers = ({ key }: KeyedCheckout) => ({ 'paywindow-key': key })
 * ```
 */
export interface KeyedCheckout extends Checkout {
  readonly key: string
}

/**
 * Answer of `POST {endpoint}/checkouts` where there is more than one way to pay and none was
 * chosen: nothing was created.
 */
export interface Choice {
  readonly v: 1
  readonly offer: Offer
}

/**
 * What a server has drawn of a cart, for the widget that takes over: a checkout, or what can be
 * chosen. Without a key.
 *
 * @example
 * ```ts
 * const isPayable = ({ checkout }: Initial) => checkout?.phase === 'waiting'
 * ```
 */
export interface Initial {
  readonly v: 1
  /** When it was written, in milliseconds since 1970 by the server's clock. */
  readonly writtenAtMs: number
  /** Whether it was drawn for a device that is held in the hand. */
  readonly isHeld: boolean
  readonly checkout?: Checkout
  readonly offer?: Offer
}

/** Body of `POST {endpoint}/checkouts`. Asset and network come together or not at all. */
export interface CheckoutRequest {
  readonly reference: string
  readonly asset?: string
  readonly network?: string
}

/** Answer of `POST {endpoint}/checkouts/{id}/handover`. */
export interface Handover {
  readonly v: 1
  readonly token: string
  readonly expiresInMs: number
}

/** Name of the request header that carries a checkout's key or a handover token. */
export const keyHeader = 'paywindow-key'

/**
 * Printable ASCII without spaces and without what would change the meaning of a payment URI; 256
 * characters at most: a unified address of Zcash has 213.
 */
export function isPlainAddress(text: string): boolean {
  return /^[!-~]{1,256}$/.test(text) && !/[?&#%]/.test(text)
}

/**
 * Printable ASCII of 1 to 256 characters, as EOS and Cosmos take them, that neither starts nor ends
 * with a space. `0` is a tag.
 */
export function isPlainTag(text: string): boolean {
  return /^[!-~](?:[ -~]{0,254}[!-~])?$/.test(text)
}
