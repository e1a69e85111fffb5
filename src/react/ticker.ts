/**
 * One timer for all countdowns of a page. It runs only while somebody counts, fires when the next text changes or the next
 * quote ends, and in a hidden tab only for the latter: what nobody sees need not tick, but a quote that ends must be gone.
 */

import { isHidden } from './visibility.ts'

/**
 * Called at every tick, and at once when it starts or the tab is shown again.
 *
 * @returns milliseconds until it needs to be called next.
 */
type Tick = (hidden: boolean) => number

const ticks = new Set<Tick>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Starts calling; the function it returns stops it. */
export function startTicking(tick: Tick): () => void {
  if (ticks.size === 0) document.addEventListener('visibilitychange', run)
  ticks.add(tick)
  run()
  return () => {
    ticks.delete(tick)
    if (ticks.size > 0) return
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', run)
  }
}

function run(): void {
  clearTimeout(timer)
  const hidden = isHidden()
  let nextMs = Number.POSITIVE_INFINITY
  // A tick may end itself or start another while it runs.
  for (const tick of [...ticks]) nextMs = Math.min(nextMs, tick(hidden))
  if (ticks.size > 0 && Number.isFinite(nextMs)) timer = setTimeout(run, Math.max(nextMs, 1))
}
