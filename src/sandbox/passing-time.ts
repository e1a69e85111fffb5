/** Makes orders change when their time has come, although nobody asks for them: a webhook is sent when that happens. */
import type { Clock } from '../service/clock.ts'

/** What it needs of the orders. */
interface Orders {
  /** When an order changes by itself, in the sandbox's time; null if it does not. */
  dueAtMs(id: string): number | null
  /** Brings an order up to the sandbox's time. */
  update(id: string): void
}

/** A timer cannot last longer than 24 days. */
const longestMs = 86_400_000

/** Returns a function that waits for the next change of an order, in the background, until `stop` aborts. */
export function createPassingTime(
  { dueAtMs, update }: Orders,
  { now, sleep }: Clock,
  stop: AbortSignal,
): (id: string) => void {
  const waiting = new Set<string>()

  async function follow(id: string): Promise<void> {
    const atMs = dueAtMs(id)
    const key = `${id} ${atMs}`
    if (atMs === null || stop.aborted || waiting.has(key)) return
    waiting.add(key)
    try {
      await sleep(Math.min(Math.max(atMs - now(), 0), longestMs), stop)
    } finally {
      waiting.delete(key)
    }
    update(id)
    // The time has not come if the clock was set back, and there may be another change to wait for.
    await follow(id)
  }

  return (id) => {
    follow(id).catch((error: unknown) => {
      if (!stop.aborted) throw error
    })
  }
}
