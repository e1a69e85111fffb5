/** Checks what a payer can see: at every change, whenever somebody looks, and when a quote should be gone. */
import type { Reading } from '../../../src/checkout/deadline.ts'
import type { View } from '../../../src/checkout/view.ts'
import type { Checkout } from '../../../src/contract/checkout.ts'
import { equalDecimals } from '../../../src/contract/decimal.ts'
import { quoteLifetimeMs } from '../../../src/contract/quote.ts'
import type { World } from '../world/types.ts'

/**
 * How much longer than 20 minutes after its creation request was sent a quote may be on a screen, in milliseconds. Two servers'
 * clocks differ by less than this while nobody sets them.
 */
export const lateBoundMs = 1_000

/** The check of one tab's screen. */
export interface Screen {
  /** Must be called whenever the screen changes, and at every tick of a countdown. @param leftMs - What the countdown says. */
  look(view: View, leftMs: number): void
  /** Must be called when somebody looks, and when a quote should be gone. */
  checkTime(view: View): void
}

/** Creates the check of one tab's screen. @param reading - Reads the browser's own clocks. */
export function createScreen(world: World, reference: string, reading: () => Reading): Screen {
  const { time, findings, oracle, audit } = world
  let checked: Checkout | undefined
  let kind: View['kind'] | undefined
  let deadline: { readonly id: string; readonly monotonicMs: number } | undefined

  function checkDeadline({ id }: Checkout, leftMs: number): void {
    const monotonicMs = reading().monotonicMs + leftMs
    if (deadline?.id === id && monotonicMs > deadline.monotonicMs)
      findings.violate('deadline moved later', `checkout ${id}, by ${monotonicMs - deadline.monotonicMs} ms`)
    deadline = { id, monotonicMs }
  }

  function checkMoney(checkout: Checkout): void {
    const order = oracle.at(checkout.address, checkout.tag)?.now()
    const exact =
      order &&
      (checkout.viewOnly || checkout.reference === reference) &&
      equalDecimals(order.sourceAmount, checkout.amount) &&
      order.sourceAsset === checkout.asset.symbol &&
      equalDecimals(order.targetAmount, checkout.price.amount) &&
      audit.checkoutAt(checkout.address, checkout.tag)?.reference === reference
    if (!exact) findings.violate('wrong digits', `the screen of ${reference} shows ${checkout.id}`)
  }

  function checkTime(view: View): void {
    if (view.kind !== 'waiting') return
    const { id, address, tag } = view.checkout
    const post = oracle.at(address, tag)?.post
    const lateMs = time.nowMs() - (post?.sentMs ?? 0) - quoteLifetimeMs
    if (lateMs > lateBoundMs + (post?.laterMs ?? 0))
      findings.violate('shown late', `checkout ${id} is on a screen ${lateMs} ms too long`)
  }

  function checkStatus(checkout: Checkout, status: 'pending' | 'confirmed' | 'canceled'): void {
    oracle.note()
    if (!oracle.at(checkout.address, checkout.tag)?.statuses.has(status))
      findings.violate('status of another order', `a screen says that checkout ${checkout.id} is ${status}`)
  }

  return {
    checkTime,
    look: (view, leftMs) => {
      if (!('checkout' in view)) return
      const { checkout } = view
      const isNew = checkout !== checked || view.kind !== kind
      if (isNew) checkForward(world, checked?.id, kind, view, checkout)
      if (isNew && view.kind === 'waiting') checkMoney(checkout)
      if (isNew && view.kind === 'seen') checkStatus(checkout, 'pending')
      if (isNew && view.kind === 'paid') checkStatus(checkout, 'confirmed')
      if (isNew && view.kind === 'ended') checkStatus(checkout, 'canceled')
      if (isNew) findings.trace('screen', reference, view.kind, checkout.id, reading().wallMs)
      if (view.kind === 'waiting') checkDeadline(checkout, leftMs)
      checked = checkout
      kind = view.kind
    },
  }
}

/** Checks that a screen goes back from paid or seen only if the service's answers made the server undo a binding. */
function checkForward(
  { findings, audit }: World,
  checkedId: string | undefined,
  before: View['kind'] | undefined,
  view: View,
  checkout: Checkout,
): void {
  const wentBack =
    (before === 'paid' || before === 'seen') &&
    (view.kind === 'waiting' || view.kind === 'expired') &&
    checkout.id === checkedId &&
    (audit.checkouts.get(checkout.id)?.excluded.length ?? 0) === 0
  if (wentBack) findings.violate('screen went back', `checkout ${checkout.id} from ${before} to ${view.kind}`)
}
