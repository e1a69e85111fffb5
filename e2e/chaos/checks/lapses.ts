/**
 * Rules for carts that nobody pays any more: each is told, and none that is paid or can be paid.
 */
import { quoteLifetimeMs } from '../../../src/contract/quote.ts'
import { policy } from '../../../src/server/core/policy.ts'
import { isSettled } from '../../../src/server/core/transitions.ts'
import type { LapsedEvent } from '../../../src/server/options.ts'
import type { OrderState } from '../world/oracle.ts'
import type { World } from '../world/types.ts'

const minuteMs = 60_000
/** A stuck replica hides a deposit for less than this. */
const hiddenMs = 26 * minuteMs
/** A quote is counted from the request by some servers, and from the order by others. */
const slackMs = 2 * minuteMs

/** Checks that nothing was paid for a cart which lapses, and that its quotes have long ended. */
export function checkLapsed({ time, findings, oracle, audit }: World, { reference }: LapsedEvent): void {
  findings.count('carts lapsed')
  const wrong = (what: string) => findings.violate('lapsed wrongly', `cart ${reference}: ${what}`)
  for (const order of ordersOf({ oracle, audit }, reference)) {
    const { status } = order.now()
    const sinceMs = time.nowMs() - (order.arrivals.at(-1)?.atMs ?? 0)
    const endedMs = time.nowMs() - (order.post?.sentMs ?? 0) - quoteLifetimeMs
    if (status === 'pending' || status === 'confirmed') {
      if (sinceMs > hiddenMs) wrong(`order ${order.id} has been ${status} for ${sinceMs} ms`)
    } else if (status === 'open' && endedMs < policy.quote.lapsesAfterMs - slackMs)
      wrong(`the quote of order ${order.id} ended ${endedMs} ms ago`)
  }
}

/** Checks at the end that each cart whose known orders got nothing was told. */
export function checkLapses({ findings, oracle, audit, ledger, carts }: World): void {
  for (const reference of carts.keys()) {
    const checkouts = audit.checkoutsOf(reference)
    const orders = ordersOf({ oracle, audit }, reference)
    const isKnown = checkouts.length === orders.length && checkouts.every(({ binding }) => isSettled(binding))
    const isUnpaid = orders.every(({ statuses }) => !statuses.has('pending') && !statuses.has('confirmed'))
    if (orders.length > 0 && isKnown && isUnpaid && !ledger.heardLapsed(reference))
      findings.violate('lapsed wrongly', `cart ${reference} was not told`)
  }
}

/** The orders at the places of a cart's checkouts, each where it is the checkout's own. */
function ordersOf({ oracle, audit }: Pick<World, 'oracle' | 'audit'>, reference: string): readonly OrderState[] {
  return audit.checkoutsOf(reference).flatMap(({ id, instructions }) => {
    const order = instructions && oracle.at(instructions.address, instructions.tag)
    return order?.post?.intent?.checkoutId === id ? order : []
  })
}
