/** Follows every checkout on the server, whether or not a browser is there. */
import { PaywindowError } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import { type LookQueue, lookQueues } from '../records/looks.ts'
import { whileLeased } from '../store/with-lease.ts'
import { createLookout, type LookoutParts, type Patience } from './lookout.ts'

const tickMs = 1_000
/** The longest time of one round: less than the minute after which a scheduled job runs again. */
const roundMs = 45_000
/** How many checkouts of each queue are looked at together. */
const turnSize: Readonly<Record<LookQueue, number>> = { 'look fresh': 100, look: 100, 'look old': 50 }

interface Watcher {
  /** Does what is due, within 45 seconds. */
  watchOnce(): Promise<void>
  /** Does what is due, every second, until stopped. */
  watch(): { stop(): Promise<void> }
}

/** Of all processes on a store, one at a time works, by a lease. */
export function createWatcher(
  context: Pick<
    Context,
    'repository' | 'settings' | 'gate' | 'rules' | 'ids' | 'now' | 'plannedNow' | 'time' | 'sleep'
  >,
  parts: LookoutParts,
): Watcher {
  const { repository, settings, gate, now } = context
  const lookout = createLookout(context, parts)
  const holder = context.ids.secret()

  /** Works in all lanes at the same time, so that none waits for a long reading of another. */
  async function round(work: (queue: LookQueue, isOver: () => boolean) => Promise<void>, isTimeUp: () => boolean) {
    await whileLeased(repository.store, context, { name: 'watch', holder }, async (lost) => {
      await Promise.all(lookQueues.map((queue) => work(queue, () => lost.aborted || isTimeUp())))
    })
  }

  /** Looks, turn by turn, until nothing is due in the lane, time is up, or the service asks for a pause. */
  async function lookAtDue(queue: LookQueue, patience: Patience): Promise<void> {
    // Each checkout once: one that stays due, because it cannot be looked at or written, must not keep the lane busy.
    const done = new Set<string>()
    while (!patience.isTimeUp() && gate.heldMs() === 0) {
      const due = (await repository.listDue(queue, now(), turnSize[queue])).filter(({ id }) => !done.has(id))
      if (due.length === 0) return
      for (const { id } of due) done.add(id)
      await lookout.lookAt(queue, due, patience)
      // While the list is refused a turn leaves most of what is due, and the next one would take it up at once.
      if (gate.heldMs('list') > 0) return
    }
  }

  /** Looks every second. */
  async function keepLooking(queue: LookQueue, isOver: () => boolean, stop: AbortSignal): Promise<void> {
    while (!isOver()) {
      await lookAtDue(queue, { isTimeUp: isOver, turnsPerSecond: 1_000 / tickMs }).catch(report)
      await context.sleep(tickMs, stop).catch(() => undefined)
    }
  }

  function report(cause: unknown): void {
    const what = 'A watcher round failed; the next round will retry'
    settings.report(new PaywindowError('internal', what, { cause }), {})
  }

  return {
    watchOnce: async () => {
      const untilMs = now() + roundMs
      for (;;) {
        const isTimeUp = () => now() >= untilMs
        await round((queue, isOver) => lookAtDue(queue, { isTimeUp: isOver, turnsPerSecond: 0 }), isTimeUp)
        const heldMs = gate.heldMs('list')
        if (heldMs === 0 || now() + heldMs >= untilMs) return
        await context.sleep(heldMs)
      }
    },
    watch: () => {
      const stopped = new AbortController()
      const done = (async () => {
        while (!stopped.signal.aborted) {
          const untilMs = now() + roundMs
          const isTimeUp = () => stopped.signal.aborted || now() >= untilMs
          await round((queue, isOver) => keepLooking(queue, isOver, stopped.signal), isTimeUp).catch(report)
          // Where another process watches, the lease is tried again after this.
          await context.sleep(tickMs, stopped.signal).catch(() => undefined)
        }
        await repository.store.release('watch', holder)
      })()
      return {
        stop: async () => {
          stopped.abort()
          await done
        },
      }
    },
  }
}
