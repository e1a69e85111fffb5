/** Checks what a payer can see: at every change, at every look, and when a quote should be gone. */
import type { Reading } from '../../../src/checkout/deadline.ts'
import type { View } from '../../../src/checkout/view.ts'
import type { Checkout } from '../../../src/contract/checkout.ts'
import { equalDecimals } from '../../../src/contract/decimal.ts'
import { quoteLifetimeMs } from '../../../src/contract/quote.ts'
import type { Session } from '../../../src/session/session.ts'
import type { Device } from '../world/device.ts'
import type { World } from '../world/types.ts'

/**
 * How much longer than 20 minutes after its creation request a quote may be on a screen, in
 * milliseconds. The clocks of two servers differ by less, unless somebody sets them.
 */
export const lateBoundMs = 1_000

/**
 * Milliseconds for which a screen is not checked after its device wakes. Timers that stopped ring
 * within a second of waking, and nobody types an address in that time.
 */
const wakingMs = 1_050
/** Longer than the widget's longest pause plus the time limit of a request. */
const silenceMs = 7 * 60_000

interface Watched {
  readonly reference: string
  readonly device: Device
  readonly session: Session
}

/** Starts checking a tab's screen. */
export function watchScreen(world: World, { reference, device, session }: Watched) {
  const { time, findings } = world
  const screen = createScreen(world, reference, device.clock.reading)
  const { actions } = session
  const view = (): View => session.state().view
  let changedAtMs = time.nowMs()
  let counted: string | undefined
  let stopCounting: (() => void) | undefined
  let ended = false

  /** For how long somebody has been able to see the screen. */
  const seenForMs = () => time.nowMs() - (device.seenSinceMs() ?? time.nowMs())

  /** Runs the countdown as the panel does, and checks the screen at every tick. */
  function count(): void {
    const shown = view()
    const id = shown.kind === 'waiting' ? shown.checkout.id : undefined
    if (id === counted) return
    counted = id
    stopCounting?.()
    stopCounting = id === undefined ? undefined : actions.onTick((leftMs) => screen.look(view(), leftMs))
    if (shown.kind === 'waiting') void lookAtTheEnd(shown.checkout.id)
  }

  /** Checks that a quote has gone from the screen soon after its end, whatever the widget does. */
  async function lookAtTheEnd(id: string): Promise<void> {
    const shown = view()
    const post = 'checkout' in shown ? world.oracle.at(shown.checkout.address, shown.checkout.tag)?.post : undefined
    if (!post) return
    await time.sleep(post.sentMs + quoteLifetimeMs + wakingMs - time.nowMs())
    while (seenForMs() < wakingMs && !ended) await time.sleep(500)
    if (counted === id && !ended) screen.checkTime(view())
  }

  /** Checks that a visible screen keeps sending requests, unless there is nothing more to learn. */
  async function watchSilence(): Promise<void> {
    while (!ended) {
      await time.sleep(60_000)
      const onlineSinceMs = device.onlineSinceMs() ?? time.nowMs()
      const askedMs = time.nowMs() - Math.max(device.askedAtMs(), changedAtMs, onlineSinceMs)
      const rests = ['choosing', 'refused', 'paid', 'ended'].includes(view().kind) && !session.state().pending
      if (ended || rests || Math.min(askedMs, seenForMs()) < silenceMs) continue
      return findings.violate('stopped asking', `the screen of ${reference} is ${view().kind}`)
    }
  }

  void watchSilence()
  return {
    /** Must be called when the screen has changed. */
    changed: () => {
      changedAtMs = time.nowMs()
      screen.look(view(), actions.timeLeftMs())
      count()
    },
    /** Must be called when somebody looks. */
    looked: () => {
      if (seenForMs() >= wakingMs) screen.checkTime(view())
    },
    end: () => {
      ended = true
      stopCounting?.()
    },
  }
}

/** Creates the check of one screen. @param reading - Reads the browser's own clocks. */
function createScreen(world: World, reference: string, reading: () => Reading) {
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

  /** For each look, and for the time when a quote should be gone. */
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
    /** For each change and each tick. @param leftMs - What the countdown says. */
    look: (view: View, leftMs: number) => {
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

/** Checks that a screen goes back from paid or seen only if a binding was undone. */
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
