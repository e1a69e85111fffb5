/** What the processes of the bench say to each other. */
import type { StorePlace } from '../../stores/open-store.ts'

/** How the service behaves. */
export interface ServiceSetup {
  /** What each request waits before it is answered, in ms. */
  readonly latencyMs: number
  /** Requests a second that are answered; more get 429. Null: no limit. */
  readonly perSecond: number | null
  /** Whether orders show a time that proves whose they are. */
  readonly provesByTime: boolean
}

/** When orders were created: evenly between two times before now. */
export interface Span {
  readonly fromAgoMs: number
  readonly toAgoMs: number
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
  | { readonly kind: 'seed'; readonly count: number; readonly span: Span; readonly isPaid: boolean }
  | { readonly kind: 'pay'; readonly ids: readonly string[] }
  | { readonly kind: 'count' }

/** Requests of each kind since the last count. */
export interface ServiceCount {
  readonly creations: number
  readonly pages: number
  readonly details: number
  readonly refused: number
}

/** What the service says when it listens. */
export interface ServiceAccess {
  readonly baseUrl: string
  readonly accessToken: string
  readonly subAccountId: string
}

/** How the merchant's server is started. */
export interface MerchantSetup extends ServiceAccess {
  readonly store: StorePlace
  readonly requestsPerSecond: number
  readonly equalPrices: boolean
}

/** What the merchant's process says when it listens. */
export interface MerchantReady {
  readonly port: number
  /** Time to load Node and the code, in ms. The bench loads TypeScript, the package has none. */
  readonly loadMs: number
}

/** What the merchant's process is asked by the bench. */
export type ToMerchant =
  | { readonly kind: 'seed'; readonly orders: readonly SeedOrder[]; readonly isPaid: boolean }
  /** Paid checkouts whose orders the service is never asked for again. */
  | { readonly kind: 'seed finished'; readonly count: number; readonly span: Span }
  | { readonly kind: 'watch' }
  | { readonly kind: 'count' }
  /** Which checkouts are not bound to an order: answers with `Unbound`. */
  | { readonly kind: 'unbound' }
  /** Archives everything that is due for it; answers with how many. */
  | { readonly kind: 'archive' }
  /** Writes the log into the file, so that its size can be compared. */
  | { readonly kind: 'empty log' }
  /** Reads so many checkouts page by page, as the sweep does; answers with ms each. */
  | { readonly kind: 'read pages'; readonly count: number }

/** What it took since the last count. */
export interface MerchantCount {
  /** How long the event loop stood still, at most and in the 99th percentile, in ms. */
  readonly stallMs: number
  readonly stall99Ms: number
  /** How long the event loop worked, in ms. */
  readonly busyMs: number
  /** The most memory that the process had, in MB of 1,000,000 bytes. */
  readonly memoryMb: number
  /** The store's file with its log, in MB; 0 where it has none. */
  readonly diskMb: number
  /** Calls of the store, by name. */
  readonly store: Readonly<Record<string, number>>
  /** SQL statements or commands of Redis that were run; transactions that SQLite committed. */
  readonly statements: number
  readonly transactions: number
  /** The longest statement or commit, in ms. */
  readonly longestSqlMs: number
  /** Checkouts that were archived. */
  readonly archived: number
  /** When which checkout was first reported as paid, ms since the epoch. */
  readonly paidAtMs: Readonly<Record<string, number>>
  readonly errors: Readonly<Record<string, number>>
}

/** A browser: where it polls, and with what key. */
export interface Browser {
  readonly id: string
  readonly key: string
}

/** Checkouts that are not bound to an order. */
export interface Unbound {
  readonly count: number
  /** Orders of the same millisecond as another: no time says whose is whose. */
  readonly alike: number
}
