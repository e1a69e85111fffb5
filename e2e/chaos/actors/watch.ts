/** Checks a tab's screen as time passes: its countdown, that a quote disappears at its end, and that requests never stop. */
import type { View } from '../../../src/checkout/view.ts'
import { quoteLifetimeMs } from '../../../src/contract/quote.ts'
import type { Session } from '../../../src/session/session.ts'
import type { Screen } from '../checks/screen.ts'
import type { Device } from '../world/device.ts'
import type { World } from '../world/types.ts'

/**
 * For how long after a device wakes its screen is not checked, in milliseconds. Timers that stopped during sleep ring within a
 * second of waking, and nobody types an address in that time.
 */
export const wakingMs = 1_050
/** Longer than the widget's longest pause plus a request that is not answered. */
const silenceMs = 7 * 60_000

interface Watched {
  readonly reference: string
  readonly device: Device
  readonly screen: Screen
  readonly session: Session
}

interface Watch {
  /** Must be called when the screen has changed. */
  changed(): void
  /** For how long somebody has been able to see the screen. */
  seenForMs(): number
  end(): void
}

/** Starts checking a tab's screen at once; `end` stops it. */
export function watchScreen(world: World, { reference, device, screen, session }: Watched): Watch {
  const { time, findings } = world
  const { actions } = session
  const view = (): View => session.state().view
  let changedAtMs = time.nowMs()
  let counted: string | undefined
  let stopCounting: (() => void) | undefined
  let ended = false

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
    seenForMs,
    changed: () => {
      changedAtMs = time.nowMs()
      screen.look(view(), actions.timeLeftMs())
      count()
    },
    end: () => {
      ended = true
      stopCounting?.()
    },
  }
}
