/** Follows every checkout on the server, whether or not a browser is there. */
import { PaywindowError } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import type { OrderList } from '../orders/order-list.ts'
import { type LookQueue, lookQueues } from '../records/transitions.ts'
import { whileLeased } from '../store/with-lease.ts'
import type { Binder } from './binder.ts'
import { createLookout, type Patience } from './lookout.ts'
import type { Tracker } from './tracker.ts'

const tickMs = 1_000
/** The longest time of one round: less than the minute after which a scheduled job runs again. */
const roundMs = 45_000
/** How many checkouts of each queue are looked at before the queues start again. */
const turnSize: Readonly<Record<LookQueue, number>> = { 'look fresh': 200, look: 100, 'look old': 50 }

interface Watcher {
  /** Does what is due, within 45 seconds. */
  watchOnce(): Promise<void>
  /** Does what is due, every second, until stopped. */
  watch(): { stop(): Promise<void> }
}

/** Of all processes on a store, one at a time works, by a lease. */
export function createWatcher(
  context: Pick<Context, 'repository' | 'settings' | 'gate' | 'rules' | 'ids' | 'now' | 'time' | 'sleep'>,
  parts: { binder: Binder; tracker: Tracker; orderList: OrderList },
): Watcher {
  const { repository, settings, gate, now } = context
  const lookout = createLookout(context, parts)
  const holder = context.ids.secret()

  /** Works turn by turn until nothing is due, time is up, or the service asks for a pause. */
  async function round(patience: Patience): Promise<void> {
    // Each checkout once a round: one that stays due, because it cannot be looked at or written, must not keep the round busy.
    const done = new Set<string>()
    await whileLeased(repository.store, context, { name: 'watch', holder }, async (lost) => {
      const isTimeUp = () => lost.aborted || patience.isTimeUp()
      for (let isBusy = true; isBusy && !isTimeUp(); ) isBusy = await turn({ ...patience, isTimeUp }, done)
    })
  }

  /** One turn through all queues, the fresh one first. However many old checkouts wait, fresh ones are soon looked at, and so are the old. */
  async function turn(patience: Patience, done: Set<string>): Promise<boolean> {
    let looked = 0
    for (const queue of lookQueues) {
      if (gate.heldMs() > 0) break
      const due = (await repository.listDue(queue, now(), turnSize[queue])).filter(({ id }) => !done.has(id))
      for (const { id } of due) done.add(id)
      await lookout.lookAt(queue, due, patience)
      looked += due.length
    }
    // While the list is refused a turn leaves most of what is due, and the next one would take it up at once.
    return looked > 0 && gate.heldMs('list') === 0
  }

  return {
    watchOnce: async () => {
      const untilMs = now() + roundMs
      for (;;) {
        await round({ isTimeUp: () => now() >= untilMs, turnsPerSecond: 0 })
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
          await round({ isTimeUp, turnsPerSecond: 1_000 / tickMs }).catch((cause: unknown) =>
            settings.report(
              new PaywindowError('internal', 'A watcher round failed; the next round will retry', { cause }),
              {},
            ),
          )
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
