/**
 * Money that arrived for an order. The merchant's `readArrival` shows it, or an amount or coin that
 * differs from the requested one. Payers act on an arrival, so a difference that could have another
 * cause does not count.
 */
import type { Arrival } from '../../contract/checkout.ts'
import { canonicalDecimal, formatAtomic, toAtomic } from '../../contract/decimal.ts'
import { sameAsset } from '../../contract/networks/table.ts'
import { readableArrival } from '../../contract/parsers.ts'
import type { Order } from '../../service/types.ts'
import { compareShown, decimals, isShown, payerPhase, showsOtherAsset } from './agreement.ts'
import { createdAtMs } from './facts.ts'
import { policy } from './policy.ts'
import { attemptWindow, type LifecycleRules, timesOf } from './transitions.ts'
import type { CheckoutRecord, Meanings, Received, WholeCart } from './types.ts'

/**
 * The assets and amounts of a checkout's order. An amount of 0 counts as not shown. If a person has
 * bound the order of another quote, the price counts alone: that quote had another rate.
 */
export function receivedOf({ sourceAsset, targetAsset, ...order }: Order, checkout: CheckoutRecord): Received {
  const shown = (amount: string | null) => (isShown(amount) ? amount : null)
  const apartMs = Math.abs(createdAtMs(order) - (attemptWindow(checkout)?.toMs ?? Number.NaN))
  const isOfOther = checkout.binding?.evidence === 'merchant' && apartMs > policy.clocks.reportedFromMs
  const targetAmount = shown(order.targetAmount)
  const sourceAmount = isOfOther && targetAmount !== null ? null : shown(order.sourceAmount)
  return { sourceAsset, sourceAmount, targetAsset, targetAmount }
}

/**
 * The checkout with the arrival that an order shows. Returns its argument where nothing is new. A
 * list may show less than the details, and does not replace their arrival. An order that says
 * nothing takes no arrival back, because its text may be unreadable. Only another reading, a change
 * of status or, without `readArrival`, the requested amount takes an arrival back.
 */
export function withArrival(checkout: CheckoutRecord, order: Order, rules: LifecycleRules): CheckoutRecord {
  const { arrival: known, revision } = checkout
  const { asOfMs } = timesOf(order.timing)
  const newerMs = known ? asOfMs - known.asOfMs : 0
  // A far older answer comes from a clock that was set.
  if (newerMs < 0 && newerMs > -policy.answers.latestMs) return checkout
  if (known?.from === 'details' && order.from === 'list') return checkout
  const shown = arrivalIn(order, checkout, rules)
  if (!shown) {
    const isTakenBack = known && !rules.readArrival && isShown(order.sourceAmount)
    return isTakenBack ? { ...checkout, arrival: undefined, revision: revision + 1 } : checkout
  }
  if (known && JSON.stringify(plainArrival(known)) === JSON.stringify(shown)) return checkout
  return { ...checkout, arrival: { ...shown, from: order.from, asOfMs }, revision: revision + 1 }
}

/**
 * The arrival that stays known when the status changes. A missing amount ends with the order, a
 * refund with a confirmation, and everything if the order opens again or was canceled.
 */
export function stillTrue(
  { arrival, status: before }: Pick<CheckoutRecord, 'arrival' | 'status'>,
  status: CheckoutRecord['status'],
): CheckoutRecord['arrival'] {
  if (status === 'open' || before === 'canceled') return undefined
  switch (arrival?.kind) {
    case 'short':
      return status === 'pending' ? arrival : undefined
    case 'returning':
      return status === 'confirmed' ? undefined : arrival
    default:
      return arrival
  }
}

/** The arrival that a payer sees: the money may have come to another quote of the cart. */
export function arrivalFor(checkout: CheckoutRecord, view: Pick<WholeCart, 'checkouts'>, { phaseOf }: Meanings) {
  const hasDeposit = (each: CheckoutRecord) => ['seen', 'paid'].includes(payerPhase(each, phaseOf))
  const { arrival } = (hasDeposit(checkout) ? undefined : view.checkouts.find(hasDeposit)) ?? checkout
  return arrival && plainArrival(arrival)
}

/** The arrival without its source and time. */
export function plainArrival({ kind, received, due, returned }: Arrival): Arrival {
  return { kind, ...(received && { received }), ...(due && { due }), ...(returned && { returned }) }
}

/** Null where the order says nothing, or nothing that a browser could read. */
function arrivalIn(order: Order, checkout: CheckoutRecord, rules: LifecycleRules): Arrival | null {
  const told = rules.readArrival?.(order)
  const shown = told ? withDue(told, checkout) : shownArrival(order, checkout)
  return (shown && readableArrival(shown, 'arrival')) ?? null
}

/**
 * The deposit by the amounts of its order. Null for the requested amount: a service may show it
 * whatever arrives. Null also if the order may never have shown the requested amount: a difference
 * may then be a fee.
 */
function shownArrival(order: Order, checkout: CheckoutRecord): Arrival | null {
  const { status, sourceAsset, sourceAmount } = order
  if (status === 'open' || status === 'canceled' || !showedWhatWasAsked(checkout)) return null
  if (showsOtherAsset(order, checkout))
    return {
      kind: 'other',
      ...(sourceAsset && isShown(sourceAmount) && { received: { asset: sourceAsset, amount: sourceAmount } }),
    }
  return isShown(sourceAmount) ? comparedWithAsked(sourceAmount, checkout) : null
}

/** Whether the order was found by its amounts before any deposit. */
function showedWhatWasAsked({ binding, history }: CheckoutRecord): boolean {
  if (!binding || binding.evidence === 'response_id' || binding.evidence === 'merchant') return false
  const change = history.find(({ status }) => status !== 'open')
  return change === undefined || Date.parse(change.at) > binding.boundAtMs
}

/** Too little or too much of the requested coin; null where the amount is right. */
function comparedWithAsked(shown: string, { method, instructions }: CheckoutRecord): Arrival | null {
  const difference = instructions && compareShown(shown, instructions.amount)
  if (!difference || difference === 'same') return null
  const { asset } = method
  const received = { asset, amount: canonicalDecimal(shown) }
  if (difference === 'more') return { kind: 'over', received }
  const dueAtomic = toAtomic(instructions.amount, decimals) - toAtomic(shown, decimals)
  return { kind: 'short', received, due: { asset, amount: formatAtomic(dueAtomic, decimals) } }
}

/** The merchant's reading. If it names too small an amount, adds what is missing. */
function withDue(told: Arrival, checkout: CheckoutRecord): Arrival {
  const { kind, received, due } = told
  const { asset, network } = checkout.method
  if (kind !== 'short' || due || !received || !sameAsset(received.asset, asset, network)) return told
  return comparedWithAsked(received.amount, checkout) ?? { kind: 'exact', received }
}
