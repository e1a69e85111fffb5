/** What the parts of a simulation share. */
import type { Price } from '../../../src/contract/checkout.ts'
import type { Sandbox, SandboxAccess } from '../../../src/sandbox/index.ts'
import type { Method } from '../../../src/server/offers.ts'
import type { Ledger } from '../actors/merchant.ts'
import type { Breakage } from '../broken/variants.ts'
import type { Findings } from '../checks/findings.ts'
import type { StoreAudit } from '../checks/store-audit.ts'
import type { DamagedAddresses } from '../faults/damaged-addresses.ts'
import type { Faults } from '../faults/faults.ts'
import type { ShownOrders } from '../faults/shown-orders.ts'
import type { StuckReplica } from '../faults/stuck-replica.ts'
import type { UnreadableRecords } from '../faults/unreadable-records.ts'
import type { SegmentPlan } from '../plan.ts'
import type { Backups } from './backups.ts'
import type { Icons } from './icon-host.ts'
import type { Oracle } from './oracle.ts'
import type { VirtualTime } from './time.ts'

/** A cart of the shop. Its prices never repeat, so that an amount identifies the price. */
export interface Cart {
  readonly reference: string
  /** Oldest first; the last one is the current price. */
  readonly prices: Price[]
  readonly methods: readonly Method[]
  /** Whether its price moves by less than 1 % with each call of `offer`. */
  moves?: boolean
  /** Since when its reference has been another purchase's, at another price; it was paid before. */
  usedAgainSinceMs?: number
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
  /** What the account's records, but for checkouts, have before their keys in the store. */
  readonly keyPrefix: string
  /** How the service shows its orders. */
  readonly shown: ShownOrders
  /** The service's `fetch`, through whatever stands before it. */
  readonly service: typeof fetch
  readonly audit: StoreAudit
  readonly icons: Icons
  /** The wrong addresses that the service has shown. */
  readonly damagedAddresses: DamagedAddresses
  /** A replica of the service's data that shows old statuses. */
  readonly stuckReplica: StuckReplica
  readonly carts: Map<string, Cart>
  /** The events and errors that the merchant's own code received. */
  readonly ledger: Ledger
  readonly backups: Backups
  readonly unreadable: UnreadableRecords
  /** How far the store's own clock is ahead of the true time. */
  readonly storeClock: { aheadMs: number }
  /** By how much the service's clock has been set forward in total; steps back do not count. */
  readonly serviceClock: { forwardMs: number }
  /** Wrappers that break a rule on purpose; `unbroken` in an ordinary run. */
  readonly breakage: Breakage
}

/** Returns the index of a price in the cart's prices, or -1. Amounts are canonical, so they are compared as text. */
export function priceNumber(cart: Cart, price: Price): number {
  return cart.prices.findIndex(({ asset, amount }) => asset === price.asset && amount === price.amount)
}
