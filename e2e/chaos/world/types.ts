/** What a segment consists of. Its parts know each other only through these types. */
import type { AsyncLocalStorage } from 'node:async_hooks'
import type { OrderStatus, Price } from '../../../src/contract/checkout.ts'
import type { PaywindowError } from '../../../src/contract/errors.ts'
import type { Sandbox, SandboxAccess } from '../../../src/sandbox/index.ts'
import type { CartRecord, CheckoutRecord } from '../../../src/server/core/types.ts'
import type { ErrorContext } from '../../../src/server/observing/occurrence.ts'
import type { LogMethod } from '../../../src/server/observing/reporting.ts'
import type { Method } from '../../../src/server/offers.ts'
import type { LapsedEvent, StatusEvent } from '../../../src/server/options.ts'
import type { PaywindowServer } from '../../../src/server/paywindow.ts'
import type { NewRecord, Store } from '../../../src/server/store/store.ts'
import type { Breakage } from './breakage.ts'
import type { ServerClock } from './clocks.ts'
import type { Faults } from './faults.ts'
import type { Findings } from './findings.ts'
import type { Icons } from './icon-host.ts'
import type { Intent, Oracle } from './oracle.ts'
import type { Role, SegmentPlan } from './plan.ts'
import type { Backups } from './stores.ts'
import type { VirtualTime } from './time.ts'

/** A cart of the shop. Its prices never repeat, so that an amount identifies the price. */
export interface Cart {
  readonly reference: string
  /** Oldest first; the last one is the current price. */
  readonly prices: Price[]
  readonly methods: readonly Method[]
  /** Whether its price moves by less than 1 % with each call of `offer`. */
  moves?: boolean
  /** Since when another purchase has used its reference, at another price. It was paid before. */
  usedAgainSinceMs?: number
  /**
   * The cookie of the only session that may pay it, beside payment links. Undefined: everybody may.
   */
  readonly session?: string
}

/** Everything that a segment consists of. */
export interface World {
  readonly plan: SegmentPlan
  readonly time: VirtualTime
  readonly findings: Findings
  readonly faults: Faults
  readonly oracle: Oracle
  readonly sandbox: Sandbox
  /** How the servers reach the service. */
  readonly access: SandboxAccess
  /** What the keys of the account's records begin with in the store, checkouts excepted. */
  readonly keyPrefix: string
  /** How the service shows its orders, if not as it made them. */
  readonly shown: ShownOrders
  /** The service's `fetch`, with everything that stands before it. */
  readonly service: typeof fetch
  readonly audit: StoreAudit
  readonly icons: Icons
  /** The wrong addresses that the service has shown. */
  readonly damagedAddresses: DamagedAddresses
  /** A replica of the service's data that shows old statuses. */
  readonly stuckReplica: StuckReplica
  readonly carts: Map<string, Cart>
  readonly paymentLinks: PaymentLinks
  /** The events and errors that the merchant's own code received. */
  readonly ledger: Ledger
  readonly backups: Backups
  readonly unreadable: UnreadableRecords
  /** How far the store's own clock is ahead of the true time. */
  readonly storeClock: { aheadMs: number }
  /** By how much the service's clock has been set forward in total, without steps back. */
  readonly serviceClock: { forwardMs: number }
  /** Wrappers that break a rule on purpose; `unbroken` in an ordinary run. */
  readonly breakage: Breakage
}

/** The merchant's database. It survives every crash. */
export interface Ledger {
  /** Returns an amount as the merchant writes it, with other zeros each time. Remembers it. */
  write(reference: string, amount: string): string
  /** Records that the callback accepted an event. */
  accept(event: StatusEvent): void
  /** Accepted events of a checkout, oldest first. */
  eventsOf(checkoutId: string): readonly StatusEvent[]
  /** The status that the events accepted so far lead to. */
  statusOf(checkoutId: string): OrderStatus
  /** Must be called after a restore: later changes are delivered again, with other event ids. */
  restored(checkoutOf: (id: string) => CheckoutRecord | undefined): void
  /** Checks that an event may be delivered now. */
  hear(event: StatusEvent): void
  hearError(error: PaywindowError, context: ErrorContext): void
  /** Records that the callback accepted that a cart has lapsed. */
  acceptLapsed(event: LapsedEvent): void
  heardLapsed(reference: string): boolean
  /** Called with the lines of the log, of all levels. */
  hearLine: LogMethod
  /** Whether an order was reported as paid, and of no checkout. */
  heardStray(orderId: string): boolean
  /** Number of errors reported so far. */
  errors(): number
  /** Whether a cart was reported as paid more than once. */
  heardPaidTwice(reference: string): boolean
  /** Whether a reference was reported as used for another purchase. */
  heardUsedAgain(reference: string): boolean
  heardUnresolved(checkoutId: string): boolean
  /** The last reported reason why the order of a checkout cannot be identified. */
  whyUnresolved(checkoutId: string): string
}

/** What a visitor sends to say who it is. */
interface Visitor {
  /** The query of the address. */
  readonly search: string
  readonly cookie: string
  /** The cart that the visitor means where the address names none. */
  readonly reference: string
}

/** The payment links of a segment. */
export interface PaymentLinks {
  /** Must be called with each link that was made. */
  note(token: string, link: { readonly reference: string; readonly expiresAtMs: number }): void
  /** Must be called when the links of a cart have been revoked. */
  noteRevoked(reference: string): void
  /**
   * Which cart a visitor asks for, and what may be shown of it at most: `offer` is who is paid how
   * much, and nothing that can be paid. `beforeMs`: quotes made before that time were shown to the
   * visitor before the link ended, and may be shown in any case.
   */
  rights(
    visitor: Visitor,
    atMs: number,
  ): { readonly reference: string; readonly sees: 'nothing' | 'offer' | 'all'; readonly beforeMs?: number }
}

/** The browser's request that a piece of work belongs to. */
export interface Call {
  readonly method: 'GET' | 'POST'
  intent: Intent | undefined
  /** The clock of the server that does the work. */
  readonly clock: ServerClock
}

/** Checks everything that is stored, and knows the present records. */
export interface StoreAudit {
  /** The store, with every write checked. */
  readonly store: Store
  readonly checkouts: ReadonlyMap<string, CheckoutRecord>
  readonly carts: ReadonlyMap<string, CartRecord>
  /** Since when the store has known of a deposit for this cart; undefined if it knows of none. */
  settledSinceMs(reference: string): number | undefined
  checkoutsOf(reference: string): readonly CheckoutRecord[]
  /** The checkout whose instructions have this address. */
  checkoutAt(address: string, tag: string | null): CheckoutRecord | undefined
  /** Must be called after a restore, with the records of the copy. */
  restored(records: readonly NewRecord[]): void
  /** Checkouts with instructions that ended because the price of their cart was another. */
  readonly endedByPrice: ReadonlySet<string>
  /** Links stored attempts to the creation requests that are sent after them. */
  readonly calls: AsyncLocalStorage<Call>
}

/** What a paid order shows in place of what was asked for. */
export interface PaidOtherwise {
  readonly field: 'source_amount' | 'target_amount'
  readonly amount: string
  readonly phase: 'paid_less' | 'paid_more'
}

/** The orders of a segment as the service shows them. */
export interface ShownOrders {
  /** Wraps the service's `fetch`. What an order shows is drawn once, so that it stays. */
  changing(service: typeof fetch): typeof fetch
  /** Undefined for an order that shows what was asked for. */
  paidOtherwise(orderId: string): PaidOtherwise | undefined
}

/** The wrong addresses of a segment. */
export interface DamagedAddresses {
  /** Wraps the service's `fetch`: now and then the answer to a creation shows a wrong address. */
  damaging(service: typeof fetch): typeof fetch
  /** Whether this is one of the wrong addresses that were shown. */
  has(address: string): boolean
}

/** What the stuck replica says. */
export interface StuckReplica {
  /** Wraps the service's `fetch`. */
  behind(service: typeof fetch): typeof fetch
  /** Stops the replica now and then, for less time than a status is held. */
  run(until: () => boolean): Promise<void>
}

/** Records that were made unreadable. */
export interface UnreadableRecords {
  /** Makes a checkout's record unreadable. */
  damage(checkoutId: string): Promise<void>
  /** Makes all records readable again, as a newer version that can read them would. */
  repair(): Promise<void>
  /** Whether this checkout's record, or another checkout's of the same cart, cannot be read now. */
  isDamaged(checkoutId: string): boolean
  /** The text of a record before it was damaged. */
  textOf(record: NewRecord): string
}

/** One process of a server, from its start to its death. */
export interface Instance {
  readonly name: string
  readonly role: Role
  readonly server: PaywindowServer
  readonly clock: ServerClock
  isAlive(): boolean
  kill(): void
  /** Resolves when it dies. */
  readonly died: Promise<void>
}

/** All servers of the shop. */
export interface Servers {
  /** Picks a living server that answers browsers; undefined while there is none. */
  pick(): Instance | undefined
  /** Picks a living server that delivers; undefined while there is none. */
  pickDeliverer(): Instance | undefined
  /** Kills all servers, calls `meanwhile`, and resolves when all have been started again. */
  killAll(meanwhile: () => Promise<void>): Promise<void>
  alive(): readonly Instance[]
  /** Stops the watchers of all servers, so that the caller can run their rounds one by one. */
  stopWatching(): Promise<void>
}

/** The network between browsers and the shop. */
export interface Link {
  /** Returns one browser's `fetch`. */
  connect(browser: Browser): typeof fetch
}

/** A browser, as the network knows it. */
export interface Browser {
  /** The cart that its session may pay. */
  readonly reference: string
  /** Its IP address, as the proxy sees it. */
  readonly address: string
  isOnline(): boolean
  /** Returns the text that the browser reads in place of an answer's own. */
  received?(text: string): string
}

/** Returns a price's index in the cart's prices, or -1. Amounts are canonical texts. */
export function priceNumber(cart: Cart, price: Price): number {
  return cart.prices.findIndex(({ asset, amount }) => asset === price.asset && amount === price.amount)
}
