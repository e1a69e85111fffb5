/** Runs what belongs to watching: following orders, delivering events, and finding lost due times again. */
import { PaywindowError } from '../../contract/errors.ts'
import { endsWithin } from '../../service/within.ts'
import type { Context } from '../context.ts'
import type { Delivery } from '../notifying/delivery.ts'

const tickMs = 1_000
/** The pause between two looks for occasional work. */
const minuteMs = 60_000
/** What waits is looked at first: then it shows whether there is budget for more. */
const firstMs = 5_000
/** `stop` waits no longer than this; most process managers kill after ten seconds. */
const stopMs = 8_000

/** What `watch()` began. */
export interface Watching {
  /**
   * Ends it within eight seconds. Resolves with what was still going on then, in words; empty when all was done. That ends by itself or
   * with the process, and is done again by the next one.
   */
  stop(): Promise<readonly string[]>
}

interface Parts {
  /** Follows orders: in rounds, or one round. */
  readonly watcher: { watch(): { stop(): Promise<unknown> }; watchOnce(): Promise<void> }
  /** Looks for deposits that were seen, where the service can be asked for these alone. */
  readonly readPending: () => Promise<void>
  /** Undefined in a process that has no callback. */
  readonly delivery: Delivery | undefined
  /** Leaves word that this process has a callback, if it has. */
  readonly sayDuty: () => void
  readonly sweep: () => Promise<void>
  /** Archives what nobody waits for any more. */
  readonly archive: () => Promise<void>
  /** Looks for orders that no checkout has. */
  readonly checkStrays: () => Promise<void>
  /** Looks whether events wait that nobody delivers. */
  readonly checkUndelivered: () => Promise<void>
}

/** The parts run independently, so that one that hangs does not stop another. */
export function createWatching(
  context: Pick<Context, 'settings' | 'now' | 'sleep'>,
  { watcher, readPending, delivery, sayDuty, sweep, archive, checkStrays, checkUndelivered }: Parts,
) {
  async function every(ms: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await reported(work)
      await context.sleep(ms, signal).catch(() => undefined)
    }
  }

  async function reported(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (cause) {
      const what = 'One watcher task failed; watching continues'
      context.settings.report(new PaywindowError('internal', what, { cause }), {})
    }
  }

  async function nowAndThen(): Promise<void> {
    sayDuty()
    await reported(sweep)
    await reported(archive)
    if (!delivery) await checkUndelivered()
  }

  function watch(): Watching {
    const stopping = new AbortController()
    const round = watcher.watch()
    const seldom = every(minuteMs, stopping.signal, nowAndThen)
    const pending = every(tickMs, stopping.signal, readPending)
    const strays = context.sleep(firstMs, stopping.signal).then(
      () => every(minuteMs, stopping.signal, checkStrays),
      () => undefined,
    )
    const delivering = delivery && every(tickMs, stopping.signal, delivery.start)
    return {
      stop: async () => {
        stopping.abort()
        const parts: [name: string, end: Promise<unknown>][] = [
          ['a round of the watcher', reported(round.stop)],
          ['the sweep', seldom],
          ['a reading of pending orders', pending],
          ['a look for orders without a checkout', strays],
        ]
        if (delivery) parts.push(['delivery', Promise.all([delivering, delivery.idle()])])
        const ends = await Promise.all(parts.map(([, end]) => endsWithin(context, stopMs, end)))
        return parts.flatMap(([name], at) => {
          if (ends[at]) return []
          const ids = name === 'delivery' ? (delivery?.running() ?? []) : []
          return ids.length === 0 ? [name] : ids.map((id) => `the delivery for checkout ${id}`)
        })
      },
    }
  }

  return {
    watch,
    watchOnce: async () => {
      // Waiting events are delivered even if no order can be read.
      const watched = watcher.watchOnce().finally(() => delivery?.deliverDue())
      const afterwards = () => reported(checkStrays)
      await Promise.all([reported(nowAndThen), watched, watched.then(afterwards, afterwards)])
    },
  }
}
