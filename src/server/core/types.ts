/**
 * The stored records: one for each cart, which names its checkouts and the payable one; one for each
 * checkout; and one for each bound order, which stays for good. And the labels that list checkouts.
 */
import type { HistoryEntry, OrderStatus, Price } from '../../contract/checkout.ts'
import { canonicalDecimal, isDecimal } from '../../contract/decimal.ts'
import { confusableAsset } from '../../contract/networks/table.ts'
import type { Method, OfferTerms } from '../offers.ts'
import type { Due } from '../store/store.ts'

/** A checkout in its cart's record. Payable while `endedAtMs` is null and its quote runs. */
export interface CartEntry {
  readonly id: string
  /** Asset and network, as `methodId` writes them. */
  readonly method: string
  readonly price: Price
  readonly createdAtMs: number
  /** When it stopped being the payable one: renewed, or the cart's price changed. */
  readonly endedAtMs: number | null
  /** The id of the checkout that replaced it by renewal. */
  readonly successor: string | null
}

/** A cart and the checkouts that it has had. */
export interface CartRecord {
  readonly v: 1
  readonly reference: string
  /** Oldest first. */
  readonly entries: readonly CartEntry[]
  /** The method the payer chose last; a reload shows its checkout. */
  readonly chosen: string | null
}

/** A span of time by the service's own clock, ms since the epoch. */
export interface TimeWindow {
  readonly fromMs: number
  readonly toMs: number
}

/** `sent`: no answer yet. `lost`: there will be none, but the order may exist. */
export const attemptOutcomes = ['sent', 'answered', 'lost'] as const

/**
 * One creation request, stored before it goes out. `sent` until something is known of it; `lost` when the service may have
 * created an order whose instructions nobody has. One that the service certainly did not carry out is taken away again.
 */
export interface Attempt {
  readonly id: string
  readonly sentAtMs: number
  readonly outcome: (typeof attemptOutcomes)[number]
  /** When the service created the order, by its own clock. Null while, or where, that is not known. */
  readonly window: TimeWindow | null
  /** Ids of equal requests whose answers were stored before this one was sent: their orders are older. */
  readonly after: readonly string[]
}

/** Deposit instructions that passed every check, so that all of this can be shown. */
export interface Instructions {
  readonly attemptId: string
  readonly amount: string
  readonly address: string
  readonly tag: string | null
  readonly symbol: string
  readonly name: string
  readonly iconUrl: string | null
  readonly sentAtMs: number
  /** When the quote is over, by our clock. */
  readonly expiresAtMs: number
  /** As the service wrote them: evidence of which order this is. */
  readonly dateTime: string | null
  readonly expTime: string | null
}

/**
 * What shows which order of the service belongs to a checkout, strongest first; `all_paid`: as many equal orders as equal
 * checkouts, all paid; `merchant`: by hand.
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

/** Which order is a checkout's. */
export interface Binding {
  readonly orderId: string
  readonly evidence: Evidence
  readonly boundAtMs: number
  /** True while an order that the list does not show yet, or details that were not read yet, could speak against it. */
  readonly isProvisional: boolean
}

/** A change of status that the merchant has to learn. */
export interface ChangeEvent {
  readonly eventId: string
  readonly status: OrderStatus
  readonly previousStatus: OrderStatus
  readonly at: string
  /** Whether a paid order showed another amount than was asked for. */
  readonly difference?: 'less' | 'more' | undefined
}

/** An event that was not delivered yet. The first of the list is delivered first. */
export interface PendingEvent extends ChangeEvent {
  readonly failures: number
  /** 0 before the first try; null when it is no longer tried: it failed for seven days. */
  readonly nextTryAtMs: number | null
}

/** What an order showed when it was paid; null where it showed nothing. */
export interface Received {
  readonly sourceAsset: string | null
  readonly sourceAmount: string | null
  readonly targetAsset: string | null
  readonly targetAmount: string | null
  /** The number of the change that it belongs to: a process of an earlier version leaves it as it is with the next one. */
  readonly change: number
}

/** When an answer was asked for, by the clock of the process that asked, and written, by the service's; in ms since 1970. */
export interface AnswerTimes {
  readonly sentAtMs: number
  readonly asOfMs: number
}

/** A status that would take the present one back, as answers of the service have shown it. */
export interface TakingBack {
  readonly status: OrderStatus
  /** The times of the first of these answers, and of the one since which all show it, or, where `isDenied`, which contradicted the last of them. */
  readonly first: AnswerTimes
  readonly since: AnswerTimes
  readonly isDenied: boolean
  /** The number of the change that it would take back: a process of an earlier version leaves it as it is with the next one. */
  readonly change: number
}

/** A handover token, as its hash. */
interface View {
  readonly tokenHash: string
  readonly untilMs: number
}

/** All that is known of a checkout. */
export interface CheckoutRecord {
  readonly v: 1
  readonly id: string
  readonly key: string
  readonly reference: string
  readonly method: Method
  readonly terms: OfferTerms
  /**
   * The price's amount as the merchant wrote it, for the merchant alone: everything else goes by the one in `terms`. Left out where that is the same
   * text, and by earlier versions. Beside `terms`, where a process of an earlier version leaves it as it is.
   */
  readonly offeredAmount?: string | undefined
  readonly test: boolean
  /** The account of the service that its orders are of. Records of earlier versions have none. */
  readonly account?: string | undefined
  readonly createdAtMs: number
  readonly attempts: readonly Attempt[]
  /** When the service refused to create an order, of the last hour. */
  readonly refusedAtMs: readonly number[]
  readonly instructions: Instructions | null
  /** The order that the answer with the instructions named, until the checkout is bound. Records of earlier versions have none. */
  readonly namedOrderId?: string | undefined
  readonly binding: Binding | null
  /** Orders that may be this checkout's, while it is unresolved. */
  readonly candidates: readonly string[]
  /** Orders that are certainly not this checkout's. */
  readonly excluded: readonly string[]
  /** Whether it was reported that the order cannot be identified. */
  readonly unresolvedTold: boolean
  readonly status: OrderStatus
  /** When the answer that brought this status was written, by the service's clock; null before there was one. */
  readonly statusAsOfMs: number | null
  /** Held until it is certain. Records of earlier versions have none. */
  readonly takingBack?: TakingBack | undefined
  readonly history: readonly HistoryEntry[]
  /** Of the order that was paid last. Records of earlier versions have none. */
  readonly received?: Received | undefined
  /** Rises with every change that a browser can see. */
  readonly revision: number
  readonly events: readonly PendingEvent[]
  /** The event of the present status, delivered or not; null before the first, and where an earlier version wrote the change. */
  readonly lastEvent: ChangeEvent | null
  /** Events so far, delivered or not: numbers the next one. */
  readonly eventCount: number
  readonly views: readonly View[]
  /** When the watcher looks at the order again; null: never. */
  readonly nextLookAtMs: number | null
  /** Where it waits for something that only a newer version knows; undefined: nowhere. */
  readonly otherDue?: readonly Due[] | undefined
}

/** Lists of checkouts: all, of a cart, those whose order is not known and could be confused, those with undelivered events (label `untold`). */
export type CheckoutLabel = 'all' | 'unresolved' | 'untold' | `cart ${string}` | `intent ${string}` | `mark ${string}`

/** The label of creations that could be confused: same assets, same requested amount. */
export function intentLabel({ method, terms }: Pick<CheckoutRecord, 'method' | 'terms'>): `intent ${string}` {
  return intentOf(method.asset, terms.price.asset, terms.price.amount)
}

/** The label of a creation with these assets and this amount. An amount that is not a decimal matches nothing. */
export function intentOf(sourceAsset: string, targetAsset: string, targetAmount: string): `intent ${string}` {
  const amount = isDecimal(targetAmount) ? canonicalDecimal(targetAmount) : '?'
  return `intent ${confusableAsset(sourceAsset)} ${confusableAsset(targetAsset)} ${amount}`
}

/** The label of checkouts with this address and tag, or with this time: see `marksOf`. */
export function markLabel(mark: string): `mark ${string}` {
  return `mark ${mark}`
}

/** The name of the turn for creations that could be confused. */
export function turnName(checkout: Pick<CheckoutRecord, 'method' | 'terms'>): string {
  return `turn of ${intentLabel(checkout)}`
}

/** The longest lists of a record. Readers accept far more. */
export const bounds = {
  /** Requests to the service; beyond that none is sent for this checkout. */
  attempts: 400,
  candidates: 100,
  excluded: 400,
  history: 200,
  /** Events that are not delivered yet; later ones are merged into one. */
  events: 200,
  /** Checkouts of one cart, over all its life. */
  entries: 1_000,
} as const

/** Shortens the lists of a checkout that others can make grow, dropping what matters least. */
export function withinBounds(checkout: CheckoutRecord): CheckoutRecord {
  const { candidates, excluded, history } = checkout
  const isWithin =
    candidates.length <= bounds.candidates && excluded.length <= bounds.excluded && history.length <= bounds.history
  if (isWithin) return checkout
  return {
    ...checkout,
    candidates: candidates.slice(0, bounds.candidates),
    excluded: excluded.slice(-bounds.excluded),
    history:
      history.length <= bounds.history ? history : [...history.slice(0, 1), ...history.slice(1 - bounds.history)],
  }
}
