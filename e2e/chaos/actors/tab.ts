/**
 * A tab of a payer's browser: the widget's own session, poll and countdown on a device that may be anything, and somebody who looks
 * and presses.
 */
import { handoverLink } from '../../../src/checkout/handover.ts'
import type { View } from '../../../src/checkout/view.ts'
import { PaywindowError } from '../../../src/contract/errors.ts'
import { openSession } from '../../../src/session/openSession.ts'
import { startPolling } from '../../../src/session/polling.ts'
import { createReporter } from '../../../src/session/reporter.ts'
import type { PaywindowActions } from '../../../src/session/state.ts'
import { createScreen } from '../checks/screen.ts'
import { createDevice, type DevicePlan } from '../world/device.ts'
import type { Link } from '../world/network.ts'
import type { Cart, World } from '../world/types.ts'
import { addressOf } from './clients.ts'
import { createPage } from './page.ts'

export interface Tab extends Pick<PaywindowActions, 'choose' | 'renew' | 'change' | 'back' | 'retry'> {
  /** What is on the screen, once somebody looks at it. */
  look(): View
  /** Resolves when the screen fulfils a wish, with that screen; with undefined when it does not in time. */
  until(wish: (view: View) => boolean, patienceMs: number): Promise<View | undefined>
  /** Makes a link for another device. Resolves with undefined when that fails. */
  handover(): Promise<URL | undefined>
  close(): void
  readonly closed: boolean
}

/** A timer that stood still in sleep rings within its second; nobody types an address in that time. */
const wakingMs = 1_050
/** Longer than any pause that the widget keeps to, with a request that is not answered on top. */
const silenceMs = 7 * 60_000

/** @param link - Of another device, in place of a cart. */
export function openTab(world: World, way: Link, cart: Cart, plan: DevicePlan, name: string, link?: URL): Tab {
  const { time, findings, breakage } = world
  const page = createPage(world)
  const device = createDevice(
    world,
    plan,
    { name, hash: link?.hash ?? '', reportError: page.reportError },
    (isOnline) => {
      const connection: typeof fetch = way.connect({
        reference: cart.reference,
        address: addressOf(world.plan.seed, name),
        isOnline,
        received: (text) => {
          loadIcons(text)
          return breakage.received(text, device.clock.reading())
        },
      })
      const loadIcons = world.icons.browser((path) => connection(`/paywindow${path}`))
      return connection
    },
  )
  const window = breakage.window(device.window)
  const screen = createScreen(world, cart.reference, device.clock.reading)
  const tell = page.tellOf(window)
  const reporter = createReporter(tell)
  const target = link ? {} : { reference: cart.reference }
  const session = openSession({ endpoint: '/paywindow', ...target }, window, tell)
  const poll = startPolling(session, window)
  const stopFollowing = session.follow(poll)
  const { actions } = session
  const wishes = new Set<() => void>()
  let changedAtMs = time.nowMs()
  let counted: string | undefined
  let closed = false

  const view = () => session.state().view

  function onChange(): void {
    changedAtMs = time.nowMs()
    screen.look(view(), actions.timeLeftMs())
    reporter(session, view())
    count()
    for (const wish of [...wishes]) wish()
  }

  let stopCounting: (() => void) | undefined
  /** The countdown, as the panel has it. */
  function count(): void {
    const shown = view()
    const id = shown.kind === 'waiting' ? shown.checkout.id : undefined
    if (id === counted) return
    counted = id
    stopCounting?.()
    stopCounting = id === undefined ? undefined : actions.onTick((leftMs) => screen.look(view(), leftMs))
    if (shown.kind === 'waiting') void lookAtTheEnd(shown.checkout.id)
  }

  /** A quote has to be gone from the screen soon after its end, whatever the widget does or does not. */
  async function lookAtTheEnd(id: string): Promise<void> {
    const shown = view()
    const post = 'checkout' in shown ? world.oracle.at(shown.checkout.address, shown.checkout.tag)?.post : undefined
    if (!post) return
    await time.sleep(post.sentMs + 20 * 60_000 + wakingMs - time.nowMs())
    while (seenForMs() < wakingMs && !closed) await time.sleep(500)
    if (counted === id && !closed) screen.checkTime(view())
  }

  /** For how long somebody could have seen the screen. */
  function seenForMs(): number {
    return time.nowMs() - (device.seenSinceMs() ?? time.nowMs())
  }

  /** A screen that is looked at never falls silent, but where there is nothing more to learn. */
  async function watchSilence(): Promise<void> {
    while (!closed) {
      await time.sleep(60_000)
      const onlineSinceMs = device.onlineSinceMs() ?? time.nowMs()
      const askedMs = time.nowMs() - Math.max(device.askedAtMs(), changedAtMs, onlineSinceMs)
      const rests = ['choosing', 'refused', 'paid', 'ended'].includes(view().kind) && !session.state().pending
      if (closed || rests || Math.min(askedMs, seenForMs()) < silenceMs) continue
      return findings.violate('stopped asking', `the screen of ${cart.reference} is ${view().kind}`)
    }
  }

  function press<Args extends unknown[]>(action: (...args: Args) => void) {
    return (...args: Args) => {
      // Nobody presses anything on a device that sleeps.
      if (!device.isAwake() || closed) return
      device.show()
      try {
        action(...args)
      } catch (error) {
        // What the listener of a click throws comes to the page.
        page.reportError(error)
      }
    }
  }

  session.subscribe(onChange)
  // In a task of the page, where what fails is the page's.
  void Promise.resolve().then(onChange)
  void watchSilence()

  return {
    look: () => {
      device.show()
      if (seenForMs() >= wakingMs) screen.checkTime(view())
      return view()
    },
    until: (wish, patienceMs) =>
      new Promise((resolve) => {
        const end = (seen: View | undefined) => {
          wishes.delete(check)
          resolve(seen)
        }
        const check = () => {
          if (closed) end(undefined)
          else if (wish(view())) end(view())
        }
        wishes.add(check)
        void time.sleep(patienceMs).then(() => end(undefined))
        device.show()
        check()
      }),
    choose: press(actions.choose),
    renew: press(actions.renew),
    change: press(actions.change),
    back: press(actions.back),
    retry: press(actions.retry),
    handover: async () => {
      if (!('checkout' in view()) || !device.isAwake()) return undefined
      try {
        return new URL(handoverLink(new URL('https://shop.example/pay'), await actions.handOver()))
      } catch (error) {
        if (!(error instanceof PaywindowError)) throw error
        return undefined
      }
    },
    close: () => {
      closed = true
      stopCounting?.()
      stopFollowing()
      poll.stop()
      device.close()
      for (const wish of [...wishes]) wish()
    },
    get closed() {
      return closed
    },
  }
}
