/**
 * A tab of a payer's browser: the widget's own session, poll and countdown, and somebody who looks
 * at the screen and presses its buttons.
 */
import { handoverLink } from '../../../src/checkout/handover-link.ts'
import type { View } from '../../../src/checkout/view.ts'
import { PaywindowError } from '../../../src/contract/errors.ts'
import { createEmit, type Emit, type PaywindowCallbacks } from '../../../src/session/callbacks.ts'
import { openSession } from '../../../src/session/open-session.ts'
import { startPolling } from '../../../src/session/polling.ts'
import { createReporter } from '../../../src/session/reporter.ts'
import type { Session } from '../../../src/session/session.ts'
import type { PaywindowActions } from '../../../src/session/state.ts'
import type { BrowserWindow } from '../../../src/session/world.ts'
import { watchScreen } from '../checks/screen.ts'
import { addressOf, createDevice, type Device, type DevicePlan } from '../world/device.ts'
import type { Cart, Link, World } from '../world/types.ts'

/** A tab, as its payer uses it. */
export interface Tab extends Pick<PaywindowActions, 'choose' | 'renew' | 'change' | 'back' | 'retry'> {
  /** Brings the tab to the front and returns its screen. */
  look(): View
  /** Brings the tab to the front. Resolves with the first screen that fulfils `wish`. */
  until(wish: (view: View) => boolean, patienceMs: number): Promise<View | undefined>
  /** Makes a link for another device. Resolves with undefined when that fails. */
  handover(): Promise<URL | undefined>
  close(): void
  readonly closed: boolean
}

/** Opens a tab on a new device. @param link - Handover link to open in place of the cart. */
export function openTab(world: World, way: Link, cart: Cart, plan: DevicePlan, name: string, link?: URL): Tab {
  const { reference } = cart
  const page = createPage(world)
  const device = createDevice(
    world,
    plan,
    { name, hash: link?.hash ?? '', reportError: page.reportError },
    connectionOf(world, way, reference, name, () => device),
  )
  const window = world.breakage.window(device.window)
  const emit = page.emitOf(window)
  const session = openSession({ endpoint: '/paywindow', ...(link ? {} : { reference }) }, window, emit)
  const poll = startPolling(session, window)
  const stopFollowing = session.follow(poll)
  const watch = watchScreen(world, { reference, device, session })
  const reporter = createReporter(emit)
  const wishes = new Set<() => void>()
  let closed = false
  const view = () => session.state().view

  function onChange(): void {
    watch.changed()
    reporter(session, view())
    for (const wish of [...wishes]) wish()
  }
  session.subscribe(onChange)
  // As a task of the page, so that an error is the page's and not the caller's.
  void Promise.resolve().then(onChange)

  return {
    look: () => {
      device.show()
      watch.looked()
      return view()
    },
    until: untilOf(world, { wishes, view, isClosed: () => closed, show: device.show }),
    ...buttonsOf({ actions: session.actions, device, isClosed: () => closed, reportError: page.reportError }),
    // A request that never ends keeps no payer for ever.
    handover: () => Promise.race([handOver(session, device), world.time.sleep(60_000).then(() => undefined)]),
    close: () => {
      closed = true
      watch.end()
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

/** Creates one tab's connection to the servers, with the mistake in it that is made on purpose. */
function connectionOf(world: World, way: Link, reference: string, name: string, device: () => Device) {
  return (isOnline: () => boolean): typeof fetch => {
    const connection: typeof fetch = way.connect({
      reference,
      address: addressOf(world.plan.seed, name),
      isOnline,
      received: (text) => {
        loadIcons(text)
        return world.breakage.received(text, device().clock.reading())
      },
    })
    const loadIcons = world.icons.browser((path) => connection(`/paywindow${path}`))
    return connection
  }
}

interface Waiting {
  /** Checks to run again whenever the screen changes. */
  readonly wishes: Set<() => void>
  view(): View
  isClosed(): boolean
  show(): void
}

function untilOf({ time }: World, { wishes, view, isClosed, show }: Waiting): Tab['until'] {
  return (wish, patienceMs) =>
    new Promise((resolve) => {
      const end = (seen: View | undefined) => {
        wishes.delete(check)
        resolve(seen)
      }
      const check = () => {
        if (isClosed()) end(undefined)
        else if (wish(view())) end(view())
      }
      wishes.add(check)
      void time.sleep(patienceMs).then(() => end(undefined))
      show()
      check()
    })
}

interface Buttons {
  readonly actions: PaywindowActions
  readonly device: Device
  isClosed(): boolean
  reportError(error: unknown): void
}

/** Wraps the widget's actions as buttons that somebody presses. */
function buttonsOf({ actions, device, isClosed, reportError }: Buttons) {
  const press =
    <Args extends unknown[]>(action: (...args: Args) => void) =>
    (...args: Args) => {
      // Nobody presses anything on a device that sleeps.
      if (!device.isAwake() || isClosed()) return
      device.show()
      try {
        action(...args)
      } catch (error) {
        // An error thrown by a click listener is reported to the page.
        reportError(error)
      }
    }
  return {
    choose: press(actions.choose),
    renew: press(actions.renew),
    change: press(actions.change),
    back: press(actions.back),
    retry: press(actions.retry),
  }
}

async function handOver({ state, actions }: Session, device: Device): Promise<URL | undefined> {
  if (!('checkout' in state().view) || !device.isAwake()) return undefined
  try {
    return new URL(handoverLink(new URL('https://shop.example/pay'), await actions.handOver()))
  } catch (error) {
    if (!(error instanceof PaywindowError)) throw error
    return undefined
  }
}

/** The merchant's page around the widget. Its callbacks fail now and then: they throw or reject. */
function createPage({ findings, faults, breakage }: World) {
  /** Errors that the page's own code threw and that have not reached `reportError` yet. */
  const thrown = new Set<unknown>()

  function fail(what: string): unknown {
    if (!faults.strikes('browser: callback of the page fails')) return undefined
    const error = new Error(`the page's ${what} failed`)
    thrown.add(error)
    if (faults.random.chance(0.5)) return Promise.reject(error)
    throw error
  }

  const callbacks: PaywindowCallbacks = {
    onStatusChange: () => fail('onStatusChange'),
    onConfirmed: () => fail('onConfirmed'),
    onError: () => fail('onError'),
  }
  return {
    /** Receives uncaught errors. */
    reportError: (error: unknown) => {
      if (!thrown.delete(error)) findings.violate('unexpected error', `in a browser: ${error}`)
    },
    /** Returns the function with which the widget calls the page's callbacks. */
    emitOf: (window: BrowserWindow): Emit =>
      breakage.emit(
        createEmit(() => callbacks, window),
        callbacks,
      ),
  }
}
