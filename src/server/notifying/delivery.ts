/**
 * Delivers the events that wait in the store, for several checkouts at a time. Independent of the watcher's round: a callback that hangs
 * does not delay the following of orders, nor any other cart for longer than its deadline.
 */
import { PaywindowError } from '../../contract/errors.ts'
import { endsWithin } from '../../service/within.ts'
import type { Context } from '../context.ts'
import type { Queue } from '../records/record-kinds.ts'
import { StoredRecordError } from '../records/unreadable.ts'
import type { Notifier } from './notifier.ts'

/** Calls at the same time: this many for events that are delivered for the first time, and as many for those that failed before. */
const slots = 10
/** An event that another process is delivering, or that could not be delivered, is not tried again for this long. */
const restMs = 1_000
/** `deliverDue` waits no longer than this. */
const patienceMs = 60_000

/** Delivers what is due in the store. */
export interface Delivery {
  /** Starts to deliver what is due, as far as there is room. */
  start(): Promise<void>
  /** Delivers what is due. Resolves when nothing more can be delivered now, or after a minute. */
  deliverDue(): Promise<void>
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
  /** Ids of checkouts whose events are being delivered. */
  running(): readonly string[]
}

interface Lane {
  readonly queue: Queue
  readonly running: Map<string, Promise<void>>
  /** Another look at the queue was asked for while one was under way. */
  isWanted: boolean
  /** The look that is under way. */
  filling: Promise<void> | undefined
}

/** Events that failed have calls of their own, so that new ones do not wait for them. */
export function createDelivery(
  context: Pick<Context, 'repository' | 'settings' | 'now' | 'sleep'>,
  { deliver }: Notifier,
): Delivery {
  const { repository, settings, now } = context
  const lanes = (['tell', 'tell again'] as const).map(
    (queue): Lane => ({ queue, running: new Map(), isWanted: false, filling: undefined }),
  )
  /** Checkouts that are skipped for a moment, and until when. */
  const resting = new Map<string, number>()

  function begin(lane: Lane, id: string): void {
    const delivered = deliver(id)
      .catch((cause: unknown) => {
        // A record that cannot be read was reported when it was found.
        if (!(cause instanceof StoredRecordError)) report(id, cause)
        return false
      })
      .then((isTried) => {
        if (!isTried) resting.set(id, now() + restMs)
        lane.running.delete(id)
        return fill(lane)
      })
    lane.running.set(id, delivered)
  }

  function fill(lane: Lane): Promise<void> {
    lane.isWanted = true
    lane.filling ??= fillWhileWanted(lane)
    return lane.filling
  }

  async function fillWhileWanted(lane: Lane): Promise<void> {
    try {
      while (lane.isWanted) {
        lane.isWanted = false
        await fillOnce(lane)
      }
    } catch (cause) {
      report(undefined, cause)
    } finally {
      lane.filling = undefined
    }
  }

  async function fillOnce(lane: Lane): Promise<void> {
    for (const [id, untilMs] of resting) if (untilMs <= now()) resting.delete(id)
    const room = slots - lane.running.size
    if (room <= 0) return
    const isBusy = (id: string) => resting.has(id) || lanes.some(({ running }) => running.has(id))
    const busy = resting.size + running().length
    const due = await repository.listDue(lane.queue, now(), room + busy)
    for (const { id } of due.filter((each) => !isBusy(each.id)).slice(0, room)) begin(lane, id)
  }

  function report(checkoutId: string | undefined, cause: unknown): void {
    settings.report(new PaywindowError('internal', 'An event could not be delivered; it is tried again', { cause }), {
      ...(checkoutId !== undefined && { checkoutId }),
    })
  }

  // A look that is under way may find more to deliver.
  const work = () => lanes.flatMap(({ running, filling }) => [...running.values(), ...(filling ? [filling] : [])])
  const running = () => lanes.flatMap((lane) => [...lane.running.keys()])

  async function start(): Promise<void> {
    await Promise.all(lanes.map(fill))
  }

  const idle = createIdle(work)

  return {
    start,
    idle,
    running,
    deliverDue: async () => {
      await start()
      await endsWithin(context, patienceMs, idle())
    },
  }
}

/** Resolves when there is no work left. What ends is waited for once for all who ask, because each change of a status asks. */
function createIdle(work: () => readonly Promise<void>[]): () => Promise<void> {
  let oneEnds: Promise<void> | undefined
  return async () => {
    while (work().length > 0) {
      oneEnds ??= Promise.race(work()).finally(() => {
        oneEnds = undefined
      })
      await oneEnds
    }
  }
}
