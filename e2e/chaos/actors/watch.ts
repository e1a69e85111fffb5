/** Holds the screen of a tab against the rules while time passes: the countdown, the end of a quote, and that it never falls silent. */
import type { View } from '../../../src/checkout/view.ts'
import { quoteLifetimeMs } from '../../../src/contract/quote.ts'
import type { Session } from '../../../src/session/session.ts'
import type { Screen } from '../checks/screen.ts'
import type { Device } from '../world/device.ts'
import type { World } from '../world/types.ts'

/** A timer that stood still in sleep rings within its second; nobody types an address in that time. */
export const wakingMs = 1_050
/** Longer than any pause that the widget keeps to, with a request that is not answered on top. */
const silenceMs = 7 * 60_000

interface Watched {
  readonly reference: string
  readonly device: Device
  readonly screen: Screen
  readonly session: Session
}

interface Watch {
  /** To be called when the screen has changed. */
  changed(): void
  /** For how long somebody could have seen the screen. */
  seenForMs(): number
  end(): void
}

/** Starts at once, and ends with the tab. */
export function watchScreen(world: World, { reference, device, screen, session }: Watched): Watch {
  const { time, findings } = world
  const { actions } = session
  const view = (): View => session.state().view
  let changedAtMs = time.nowMs()
  let counted: string | undefined
  let stopCounting: (() => void) | undefined
  let ended = false

  const seenForMs = () => time.nowMs() - (device.seenSinceMs() ?? time.nowMs())

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
    await time.sleep(post.sentMs + quoteLifetimeMs + wakingMs - time.nowMs())
    while (seenForMs() < wakingMs && !ended) await time.sleep(500)
    if (counted === id && !ended) screen.checkTime(view())
  }

  /** A screen that is looked at never falls silent, but where there is nothing more to learn. */
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
