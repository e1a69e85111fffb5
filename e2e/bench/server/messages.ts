/** What the processes of the bench say to each other. */

/** How the service behaves. */
export interface ServiceSetup {
  /** What each request waits before it is answered, in ms. */
  readonly latencyMs: number
  /** Requests a second that are answered; more get 429. Null: no limit. */
  readonly perSecond: number | null
  /** Whether orders show a time that proves whose they are. */
  readonly provesByTime: boolean
}

/** An order that is there when the bench begins. */
export interface SeedOrder {
  readonly id: string
  readonly address: string
  readonly amount: string
  readonly price: string
  readonly createdAtMs: number
}

/** What the service is asked by the bench itself. */
export type ToService =
  | { readonly kind: 'seed'; readonly count: number; readonly spanMs: number }
  | { readonly kind: 'pay'; readonly ids: readonly string[] }
  | { readonly kind: 'count' }

/** Requests of each kind since the last count. */
export interface ServiceCount {
  readonly creations: number
  readonly pages: number
  readonly details: number
  readonly refused: number
}

/** How the merchant's server is started. */
export interface MerchantSetup {
  readonly baseUrl: string
  readonly accessToken: string
  readonly subAccountId: string
  readonly storePath: string
  readonly requestsPerSecond: number
  readonly equalPrices: boolean
}

/** What the merchant's process is asked by the bench. */
export type ToMerchant =
  | { readonly kind: 'seed'; readonly orders: readonly SeedOrder[] }
  | { readonly kind: 'seed finished'; readonly count: number }
  | { readonly kind: 'watch' }
  | { readonly kind: 'count' }
  | { readonly kind: 'unbound' }

/** What it took since the last count. */
export interface MerchantCount {
  readonly stallMs: number
  readonly rssMiB: number
  readonly diskMiB: number
  /** Calls of the store, by name. */
  readonly store: Readonly<Record<string, number>>
  /** When which checkout was first reported as paid, ms since the epoch. */
  readonly paidAtMs: Readonly<Record<string, number>>
  readonly errors: Readonly<Record<string, number>>
}

/** Where the servers listen that the merchant's is measured beside. */
export interface PlainPorts {
  readonly passThrough: number
  readonly smallest: number
}

/** A browser: where it polls, and with what key. */
export interface Browser {
  readonly id: string
  readonly key: string
}
