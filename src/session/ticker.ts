/**
 * One timer for all countdowns of a session. Runs only while there is one, and fires when the next
 * text changes or the quote ends. In a hidden tab it fires only for the end: nobody sees a tick,
 * but a quote that is over must disappear.
 */
import { PaywindowError } from '../contract/errors.ts'
import { isHidden, onAttention } from './visibility.ts'
import type { BrowserWindow } from './world.ts'

/** The page at a tick. */
export interface Page {
  /** Whether its tab is hidden. */
  readonly hidden: boolean
}

/**
 * Called at every tick, and at once when it starts, and when the tab, or a page that the browser
 * kept, is shown again or gets the focus.
 *
 * @returns milliseconds until it needs to be called next.
 */
type Tick = (page: Page) => number

/** Starts calling; the function it returns stops it. */
export type StartTicking = (tick: Tick) => () => void

/**
 * One timer for all countdowns, at the changes of the text. @param onError - Called once where a
 * tick throws, which ends no other.
 */
export function createTicker(window: BrowserWindow, onError: (error: PaywindowError) => void): StartTicking {
  const ticks = new Set<Tick>()
  let hasFailed = false
  let timer: unknown
  let stopListening: () => void

  function run(): void {
    window.clearTimeout(timer)
    const page = { hidden: isHidden(window) }
    let nextMs = Number.POSITIVE_INFINITY
    // A tick may end itself or start another while it runs.
    for (const tick of [...ticks]) nextMs = Math.min(nextMs, read(tick, page))
    if (ticks.size > 0 && nextMs < Number.POSITIVE_INFINITY) timer = window.setTimeout(run, Math.max(nextMs, 1))
  }

  function read(tick: Tick, page: Page): number {
    try {
      return tick(page)
    } catch (cause) {
      if (!hasFailed) onError(new PaywindowError('internal', 'A countdown failed', { cause }))
      hasFailed = true
      return 1000
    }
  }

  return (tick) => {
    if (ticks.size === 0) stopListening = onAttention(window, run)
    ticks.add(tick)
    run()
    return () => {
      ticks.delete(tick)
      if (ticks.size > 0) return
      window.clearTimeout(timer)
      stopListening()
    }
  }
}
