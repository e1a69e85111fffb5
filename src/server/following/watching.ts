/**
 * Runs the background work of `watch()` and `watchOnce()`: following orders, delivering events, the
 * sweep, archiving, and looks for strays.
 */
import { PaywindowError } from '../../contract/errors.ts'
import { endsWithin } from '../../service/within.ts'
import type { Context } from '../context.ts'
import { type LookQueue, lookQueues } from '../core/looks.ts'
import { policy } from '../core/policy.ts'
import type { Delivery } from '../notifying/delivery.ts'
import { isLeased, whileLeased } from '../store/with-lease.ts'
import { atMostEvery, reporting } from '../time/work.ts'
import { createLookout, type LookoutParts, type Patience } from './lookout.ts'
import { createArchiving, createSweep } from './sweep.ts'

/** The work that `watch()` began. */
export type Watching = ReturnType<ReturnType<typeof createWatching>['watch']>

interface Parts extends LookoutParts {
  /** Undefined in a process without an `onStatusChange` callback. */
  readonly delivery: Delivery | undefined
  readonly checkStrays: () => Promise<void>
  /** Reports events that no process delivers. */
  readonly checkUndelivered: () => Promise<void>
}

/** The parts run independently: a hanging part does not stop the others. */
export function createWatching(context: Context, parts: Parts) {
  const { delivery, checkStrays, checkUndelivered } = parts
  const watcher = createWatcher(context, parts)
  const sweep = createSweep(context)
  const archive = createArchiving(context)
  async function every(ms: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await reported(work)
      await context.sleep(ms, signal).catch(() => undefined)
    }
  }

  const failed = reporting(context.settings.report, 'One watcher task failed; watching continues')
  const reported = (work: () => Promise<unknown>) => work().catch(failed)

  async function nowAndThen(): Promise<void> {
    delivery?.announce()
    await reported(sweep)
    await reported(archive)
    if (!delivery) await checkUndelivered()
  }

  function watch() {
    const stopping = new AbortController()
    const stopRound = watcher.watch()
    const seldom = every(policy.look.seldomMs, stopping.signal, nowAndThen)
    const strays = context.sleep(policy.look.firstStraysMs, stopping.signal).then(
      () => every(policy.look.seldomMs, stopping.signal, checkStrays),
      () => undefined,
    )
    const delivering = delivery && every(policy.look.tickMs, stopping.signal, delivery.start)
    return {
      /**
       * Stops the work. Resolves within eight seconds with the names of the parts that have not
       * ended. They end by themselves or with the process, and the next process repeats their work.
       */
      stop: async (): Promise<readonly string[]> => {
        stopping.abort()
        const endings: [name: string, end: Promise<unknown>][] = [
          ['a round of the watcher', reported(stopRound)],
          ['the sweep', seldom],
          ['a look for orders without a checkout', strays],
        ]
        if (delivery) endings.push(['delivery', Promise.all([delivering, delivery.idle()])])
        const ends = await Promise.all(endings.map(([, end]) => endsWithin(context, policy.look.stopMs, end)))
        return endings.flatMap(([name], at) => {
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
      // Events are delivered even if no order can be read.
      const watched = watcher.watchOnce().finally(() => delivery?.deliverDue())
      const afterwards = () => reported(checkStrays)
      await Promise.all([reported(nowAndThen), watched, watched.then(afterwards, afterwards)])
    },
  }
}

/** One process of a store watches at a time, by a lease. */
function createWatcher(context: Context, parts: LookoutParts) {
  const { repository, settings, gate, now } = context
  const lookAt = createLookout(context, parts)
  const holder = context.ids.secret()
  const failed = reporting(settings.report, 'A watcher round failed; the next round will retry')

  /** Works on all queues at once, so that none waits for a long reading of another. */
  async function round(work: (queue: LookQueue, isOver: () => boolean) => Promise<void>, isTimeUp: () => boolean) {
    await whileLeased(repository.store, context, { name: 'watch', holder }, async (lost) => {
      await Promise.all(lookQueues.map((queue) => work(queue, () => lost.aborted || isTimeUp())))
    })
  }

  /**
   * Looks, batch by batch, until nothing is due in the queue, time is up, or the service asks for a
   * pause.
   */
  async function lookAtDue(queue: LookQueue, patience: Patience): Promise<void> {
    // Each checkout once: a checkout that cannot be written stays due, and must not keep the queue
    // busy.
    const done = new Set<string>()
    while (!patience.isTimeUp() && gate.heldMs() === 0) {
      const due = (await repository.listDue(queue, now(), policy.look.batchSize[queue])).filter(
        ({ id }) => !done.has(id),
      )
      if (due.length === 0) return
      for (const { id } of due) done.add(id)
      await lookAt(queue, due, patience)
      // While the list is held off most checkouts stay due, and the next batch would find them again
      // at once.
      if (gate.heldMs('list') > 0) return
    }
  }

  async function keepLooking(queue: LookQueue, isOver: () => boolean, stop: AbortSignal): Promise<void> {
    while (!isOver()) {
      await lookAtDue(queue, { isTimeUp: isOver, batchesPerSecond: 1_000 / policy.look.tickMs }).catch(failed)
      await context.sleep(policy.look.tickMs, stop).catch(() => undefined)
    }
  }

  /** Lets another process watch, if this one watches in vain. */
  const giveWay = async () => {
    if (watchesInVain(context)) await repository.store.release('watch', holder)
  }

  return {
    /** Looks at all due checkouts once, for 45 seconds at most. */
    watchOnce: async () => {
      const untilMs = now() + policy.look.roundMs
      for (;;) {
        const isTimeUp = () => now() >= untilMs
        await round((queue, isOver) => lookAtDue(queue, { isTimeUp: isOver, batchesPerSecond: 0 }), isTimeUp)
        const heldMs = gate.heldMs('list')
        if (heldMs === 0 || now() + heldMs >= untilMs) return
        await context.sleep(heldMs)
      }
    },
    /** Looks at due checkouts every second. Returns a function that stops it. */
    watch: () => {
      const stopped = new AbortController()
      const done = (async () => {
        while (!stopped.signal.aborted) {
          const untilMs = now() + policy.look.roundMs
          const isTimeUp = () => stopped.signal.aborted || now() >= untilMs
          const looks = round((queue, isOver) => keepLooking(queue, isOver, stopped.signal), isTimeUp)
          await looks.then(giveWay).catch(failed)
          // If another process watches, this one asks for the lease again after the pause.
          await context.sleep(policy.look.tickMs, stopped.signal).catch(() => undefined)
        }
        await repository.store.release('watch', holder)
      })()
      return async () => {
        stopped.abort()
        await done
      }
    },
  }
}

/** Whether another process may do better: this one cannot reach the service, or its clock is behind. */
function watchesInVain({ gate, time }: Context): boolean {
  const { nowMs, serviceNowMs } = time()
  const isBehind = (serviceNowMs ?? nowMs) - nowMs > policy.sweep.slackMs
  return gate.hasOtherServers() && (isBehind || gate.heldMs('list') > 0)
}

/**
 * Returns a function that reports that nobody watches: `watch` was never called, or the job with
 * `watchOnce` does not run. It must itself have seen checkouts wait for minutes, because other
 * servers' clocks may be wrong. It reports nothing while requests are held off.
 */
export function createUnwatchedCheck({ repository, settings, gate, ids, now }: Context): () => Promise<void> {
  const holder = ids.secret()
  const minutes = settings.test ? policy.look.unwatchedAfterMinutes.test : policy.look.unwatchedAfterMinutes.real
  const waitingMs = minutes * 60_000
  let sinceMs: number | undefined
  const report = atMostEvery(policy.look.unwatchedToldEveryMs, now, () => {
    const what = `No process has followed the waiting checkouts for ${minutes} minutes or more, so payments of payers who closed the page stay unknown: call watch() in one long-lived process, or watchOnce() each minute`
    settings.report(new PaywindowError('nobody_watches', what), {})
  })

  async function someoneWaits(): Promise<boolean> {
    const overdue = await Promise.all(lookQueues.map((queue) => repository.listDue(queue, now() - waitingMs, 1)))
    return overdue.some((checkouts) => checkouts.length > 0)
  }

  return async () => {
    if (gate.heldMs() > 0 || !(await someoneWaits()) || (await isLeased(repository.store, { name: 'watch', holder }))) {
      sinceMs = undefined
      return
    }
    sinceMs ??= now()
    if (now() - sinceMs >= waitingMs) report()
  }
}
