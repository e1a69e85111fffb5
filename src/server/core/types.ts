/**
 * The stored records of carts and checkouts, the labels that list checkouts, and the bounds of a
 * record. A cart's record names its checkouts and says which of them can be paid.
 */
import type { Arrival, HistoryEntry, OrderStatus, Phase, Price } from '../../contract/checkout.ts'
import { canonicalDecimal, isDecimal } from '../../contract/decimal.ts'
import { confusableAsset } from '../../contract/networks/table.ts'
import type { Order } from '../../service/types.ts'
import type { Method, OfferTerms } from '../offers.ts'

/** A checkout in its cart's record. It can be paid while `endedAtMs` is null and its quote runs. */
export interface CartEntry {
  readonly id: string
  /** Asset and network, as `methodId` writes them. */
  readonly method: string
  readonly price: Price
  readonly createdAtMs: number
  /** When it was renewed, or the price of the cart changed; null before. */
  readonly endedAtMs: number | null
  /** The id of the checkout that replaced it by renewal. */
  readonly successor: string | null
}

/** The record of a cart. */
export interface CartRecord {
  readonly v: 1
  readonly reference: string
  /** Oldest first. */
  readonly entries: readonly CartEntry[]
  /** The method the payer chose last; a reload shows its checkout. */
  readonly chosen: string | null
  /** Only payment links of this series are valid; left out where none was revoked. */
  readonly linkSeries?: string
  /** The newest checkout when the merchant was told that the cart has lapsed. */
  readonly lapsedWith?: string
}

/** The phases of the service's statuses. */
export interface Meanings {
  readonly phaseOf: Readonly<Record<OrderStatus, Phase>>
}

/** A cart and all its checkouts, read together. */
export interface WholeCart {
  readonly cart: CartRecord
  readonly checkouts: readonly CheckoutRecord[]
}

/** A span of time by the service's own clock, ms since the epoch. */
export interface TimeWindow {
  readonly fromMs: number
  readonly toMs: number
}

/** `sent`: not answered yet. `lost`: never to be answered, although the order may exist. */
export const attemptOutcomes = ['sent', 'answered', 'lost'] as const

/**
 * One creation request. It is stored before it is sent. A request that the service certainly did
 * not carry out is removed again.
 */
export interface Attempt {
  readonly id: string
  readonly sentAtMs: number
  readonly outcome: (typeof attemptOutcomes)[number]
  /** When the service created the order, by the service's clock; null while that is not known. */
  readonly window: TimeWindow | null
  /** Ids of equal requests that were answered before this one was sent: their orders are older. */
  readonly after: readonly string[]
  /**
   * Ids of equal orders that the list showed before this request was sent. They are not its own.
   */
  readonly listed?: readonly string[]
  /** Set where the answer had the instructions of another checkout. */
  readonly isShared?: boolean
}

/** Deposit instructions that passed every check and can be shown. */
export interface Instructions {
  readonly attemptId: string
  readonly amount: string
  readonly address: string
  readonly tag: string | null
  readonly symbol: string
  readonly name: string
  readonly iconUrl: string | null
  readonly sentAtMs: number
  /** When the quote ends, by our clock. */
  readonly expiresAtMs: number
  /** The service's own texts, unchanged: they help to find the order. */
  readonly dateTime: string | null
  readonly expTime: string | null
}

/**
 * How the order of a checkout was identified, strongest evidence first. `all_paid`: there are as
 * many equal orders as equal checkouts, and all are paid. `merchant`: by hand.
 */
export const evidences = ['response_id', 'address', 'timestamp', 'only_candidate', 'all_paid', 'merchant'] as const

/**
 * Names of the kinds of evidence.
 *
 * @example
 * ```ts
 * const strong: readonly Evidence[] = ['response_id', 'address']
 * strong.includes('only_candidate') // => false
 * ```
 */
export type Evidence = (typeof evidences)[number]

/** The order of a checkout. */
export interface Binding {
  readonly orderId: string
  readonly evidence: Evidence
  readonly boundAtMs: number
  /** True while an unlisted order, or details that were not read yet, could refute it. */
  readonly isProvisional: boolean
}

/** A change of status, as it is delivered to the merchant. */
export interface ChangeEvent {
  readonly eventId: string
  readonly status: OrderStatus
  readonly previousStatus: OrderStatus
  readonly at: string
  /** Set where a paid order showed less or more than the amount that was asked for. */
  readonly difference?: 'less' | 'more' | undefined
  /** The known arrival. If the status stays the same, this arrival is the change. */
  readonly arrival?: KnownArrival | undefined
}

/** An event that was not delivered yet. */
export interface PendingEvent extends ChangeEvent {
  readonly failures: number
  /** 0 before the first try; null after seven days of failures: given up. */
  readonly nextTryAtMs: number | null
}

/** The assets and amounts that an order shows; null where it shows none. */
export interface Received {
  readonly sourceAsset: string | null
  readonly sourceAmount: string | null
  readonly targetAsset: string | null
  readonly targetAmount: string | null
}

/**
 * The times of an answer, in ms since the epoch: when it was asked for, by the clock of the asking
 * process, and when it was written, by the service's clock.
 */
export interface AnswerTimes {
  readonly sentAtMs: number
  readonly asOfMs: number
}

/** A status that would take the present status back, as answers of the service have shown it. */
export interface TakingBack {
  readonly status: OrderStatus
  /** The first answer that showed `status`. */
  readonly first: AnswerTimes
  /**
   * The first of the latest answers that all show `status`; if `isDenied`, the answer that denied
   * it.
   */
  readonly since: AnswerTimes
  /** Whether the latest answer that counts showed another status than `status`. */
  readonly isDenied: boolean
}

/** An arrival, as an answer of the service has shown it. */
export interface KnownArrival extends Arrival {
  readonly from: Order['from']
  /** When that answer was written, by the service's clock, in ms since the epoch. */
  readonly asOfMs: number
}

/** Everything that is known of a checkout. */
export interface CheckoutRecord {
  readonly v: 1
  readonly id: string
  readonly key: string
  readonly reference: string
  readonly method: Method
  readonly terms: OfferTerms
  /**
   * The price's amount as the merchant wrote it, for the merchant alone: all rules use the amount
   * in `terms`. Left out where both texts are equal, and by earlier versions. It is not inside
   * `terms`, because a process of an earlier version would drop it there.
   */
  readonly offeredAmount?: string | undefined
  readonly test: boolean
  /** The service's account that has the orders. */
  readonly account: string
  readonly createdAtMs: number
  readonly attempts: readonly Attempt[]
  /** When the service refused to create an order, within the last hour. */
  readonly refusedAtMs: readonly number[]
  readonly instructions: Instructions | null
  /** The order's id in the answer with the instructions, until the checkout is bound. */
  readonly namedOrderId?: string | undefined
  readonly binding: Binding | null
  /** Orders that may be this checkout's, while it is not bound. */
  readonly candidates: readonly string[]
  /** Orders that are certainly not this checkout's. */
  readonly excluded: readonly string[]
  /** Whether the merchant was told that the order cannot be identified. */
  readonly unresolvedTold: boolean
  readonly status: OrderStatus
  /** When the answer with this status was written, by the service's clock; null: no answer. */
  readonly statusAsOfMs: number | null
  /** A step back that is not believed yet. */
  readonly takingBack?: TakingBack | undefined
  readonly history: readonly HistoryEntry[]
  /** True where the deposit was first seen after its quote had ended, by the service's clock. */
  readonly seenLate?: boolean | undefined
  /** The amounts that the order showed when it became paid. */
  readonly received?: Received | undefined
  /** The known arrival. */
  readonly arrival?: KnownArrival | undefined
  /** The kinds of arrival told since the present status. */
  readonly kindsTold?: readonly Arrival['kind'][] | undefined
  /** Rises with every change that a browser can see. */
  readonly revision: number
  /** Not delivered yet, the next one first. */
  readonly events: readonly PendingEvent[]
  /** The event of the present status; null before the first change. */
  readonly lastEvent: ChangeEvent | null
  /** The number of changes of status so far. */
  readonly eventCount: number
  /** Handover tokens, of which only the hash is stored. */
  readonly views: readonly { readonly tokenHash: string; readonly untilMs: number }[]
  /** When the watcher looks at the order again; null: never. */
  readonly nextLookAtMs: number | null
}

/**
 * Labels under which the store lists checkouts. `unresolved`: without a known order. `untold`: with
 * undelivered events. `intent …`: with an order that could be confused with other orders of the
 * same assets and amount. `mark …`: with this address or time, as `marksOf` writes it.
 */
export type CheckoutLabel = 'all' | 'unresolved' | 'untold' | `cart ${string}` | `intent ${string}` | `mark ${string}`

/** The label of checkouts whose orders could be confused: same assets, same requested amount. */
export function intentLabel({ method, terms }: Pick<CheckoutRecord, 'method' | 'terms'>): `intent ${string}` {
  return intentOf(method.asset, terms.price.asset, terms.price.amount)
}

/** The label from its parts. An amount that is not a decimal matches no checkout. */
export function intentOf(sourceAsset: string, targetAsset: string, targetAmount: string): `intent ${string}` {
  const amount = isDecimal(targetAmount) ? canonicalDecimal(targetAmount) : '?'
  return `intent ${confusableAsset(sourceAsset)} ${confusableAsset(targetAsset)} ${amount}`
}

/** The lease under which creations that could be confused take turns. */
export function turnName(checkout: Pick<CheckoutRecord, 'method' | 'terms'>): string {
  return `turn of ${intentLabel(checkout)}`
}

/** The longest lists of a record. The parsers accept far longer lists. */
export const bounds = {
  /** Creation requests of one checkout; no more are sent. */
  attempts: 400,
  candidates: 100,
  /** Equal orders that an attempt names as older. */
  listed: 50,
  excluded: 400,
  history: 200,
  /** Events that are not delivered yet; later events are merged into the last one. */
  events: 200,
  /** Checkouts of one cart, ended checkouts included. */
  entries: 1_000,
} as const

/** Shortens lists that grow with the service's answers. Drops the least important items. */
export function withinBounds(checkout: CheckoutRecord): CheckoutRecord {
  const { candidates, excluded, history } = checkout
  return {
    ...checkout,
    candidates: candidates.slice(0, bounds.candidates),
    excluded: excluded.slice(-bounds.excluded),
    history: history.toSpliced(1, Math.max(0, history.length - bounds.history)),
  }
}
