/** The state of this process and its store. Asks the service nothing, to save the budget. */
import type { Clock } from '../../service/clock.ts'
import { within } from '../../service/within.ts'
import { nextEvent } from '../core/transitions.ts'
import type { Ids } from '../records/ids.ts'
import type { Queue } from '../records/record-kinds.ts'
import type { Repository } from '../records/repository.ts'
import { isLeased } from '../store/with-lease.ts'
import { createSingleFlight } from '../time/work.ts'
import type { ServiceGate } from '../upstream/service-gate.ts'

/** A store that takes longer counts as down. */
const storeMs = 2_000
/** An answer serves for this long: load balancers ask often, and anybody may ask. */
const freshMs = 5_000
/** Counts stop here. */
const maxCounted = 100
/** The latest time that every store can hold. */
const everMs = 8_640_000_000_000_000

/**
 * Waiting work in the store, for all processes. Each count stops at 100, which means 100 or more.
 *
 * @example
 * ```ts
 * const isStuck = ({ oldestUndeliveredMs }: Backlog) => (oldestUndeliveredMs ?? 0) > 10 * 60_000
 * isStuck({ open: 3, unresolved: 0, untold: 0, oldestUndeliveredMs: null }) // => false
 * ```
 */
export interface Backlog {
  /** Checkouts without an outcome whose last change is less than half an hour ago. */
  readonly open: number
  /** Checkouts whose order is not known. */
  readonly unresolved: number
  /** Checkouts with changes that `onStatusChange` has not accepted. */
  readonly untold: number
  /** Age in ms of the oldest of the next hundred undelivered changes; null where there is none. */
  readonly oldestUndeliveredMs: number | null
}

/**
 * The state of a process and its store. Holds no secret, no id and no words of the service.
 *
 * @example
 * ```ts
 * const needsPerson = ({ isWatched, service }: Health) =>
 *   !isWatched || service.refusingSince !== null
 * ```
 */
export interface Health {
  /** Whether this process can serve payers: the store answered within two seconds. */
  readonly isReady: boolean
  /** Whether a process follows the store's orders now. Null where the store did not answer. */
  readonly isWatched: boolean | null
  /** Whether this process can deliver changes: `onStatusChange` is set, or null. */
  readonly canDeliver: boolean
  readonly service: {
    /** When a request of this process last succeeded, ISO 8601; null before the first. */
    readonly answeredAt: string | null
    /**
     * Since when the service has refused all requests of this process, ISO 8601; null if it does
     * not.
     */
    readonly refusingSince: string | null
  }
  /** Null where the store did not answer. */
  readonly backlog: Backlog | null
}

interface Parts extends Pick<Clock, 'now' | 'sleep'> {
  readonly repository: Repository
  readonly settings: { readonly onStatusChange?: unknown }
  readonly gate: Pick<ServiceGate, 'contact'>
  readonly ids: Pick<Ids, 'secret'>
}

/** Returns a function that never rejects. */
export function createHealth({ repository, settings, gate, ids, now, sleep }: Parts): () => Promise<Health> {
  const { store } = repository
  const holder = ids.secret()
  const flight = createSingleFlight<Health>()
  let last: { readonly health: Health; readonly atMs: number } | undefined

  const countLabel = async (label: 'unresolved' | 'untold') => (await store.list(label, { limit: maxCounted })).length
  const waitingIn = (queue: Queue) => repository.listDue(queue, everMs, maxCounted)

  async function readBacklog(): Promise<Backlog> {
    const [open, unresolved, untold, first, again] = await Promise.all([
      store.listDue('look fresh', everMs, maxCounted),
      countLabel('unresolved'),
      countLabel('untold'),
      waitingIn('tell'),
      waitingIn('tell again'),
    ])
    const times = [...first, ...again].map((checkout) => Date.parse(nextEvent(checkout)?.at ?? ''))
    const oldestMs = Math.min(...times.filter((atMs) => !Number.isNaN(atMs)))
    const oldestUndeliveredMs = Number.isFinite(oldestMs) ? Math.max(0, now() - oldestMs) : null
    return { open: open.length, unresolved, untold, oldestUndeliveredMs }
  }

  async function read(): Promise<Health> {
    const reading = within({ now, sleep }, storeMs, async () => ({
      isWatched: await isLeased(store, { name: 'watch', holder }),
      backlog: await readBacklog(),
    }))
    // The work that needs the store reports its failure.
    const stored = await reading.catch(() => undefined)
    const { answeredAtMs, refusingSinceMs } = gate.contact()
    const health = {
      isReady: stored !== undefined,
      isWatched: stored?.isWatched ?? null,
      canDeliver: settings.onStatusChange !== undefined,
      service: { answeredAt: isoOf(answeredAtMs), refusingSince: isoOf(refusingSinceMs) },
      backlog: stored?.backlog ?? null,
    }
    last = { health, atMs: now() }
    return health
  }

  return async () => (last && now() - last.atMs < freshMs ? last.health : flight('', read))
}

function isoOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}

/**
 * Returns a handler for two paths, mounted at any path. `/live`: 200, and reads nothing. `/ready`:
 * 200 or 503, with `Health` as JSON. Other paths: 404; methods other than GET and HEAD: 405.
 *
 * @example
 * ```ts
 * const service = createSandbox().access
 * const paywindow = createPaywindow({ service, offer: () => null, store: createMemoryStore() })
 * const handle = healthHandler(paywindow)
 * const live = await handle(new Request('https://shop.example/health/live'))
 * live.status // => 200
 * ```
 */
export function healthHandler(paywindow: { health(): Promise<Health> }): (request: Request) => Promise<Response> {
  return async (request) => {
    const [, path] = /\/(live|ready)\/?$/.exec(new URL(request.url).pathname) ?? []
    const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
    if (path === undefined) return new Response(null, { status: 404, headers })
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response(null, { status: 405, headers: { ...headers, allow: 'GET, HEAD' } })
    if (path === 'live') return Response.json({ isAlive: true }, { headers })
    const health = await paywindow.health()
    return Response.json(health, { status: health.isReady ? 200 : 503, headers })
  }
}
