/**
 * The only way to the service. Every request of this server passes the gate, which keeps to the
 * server's share of the budget, pauses when the service refuses, and reports a pause that lasts.
 *
 * Below the gate is the service's clock: the `Date` header of each answer bounds how far it is
 * ahead of ours.
 */
import { PaywindowError } from '../../contract/errors.ts'
import type { Clock } from '../../service/clock.ts'
import { ServiceError } from '../../service/errors.ts'
import type { OrderQuery, OrderRequest, ServiceClient, Timing } from '../../service/types.ts'
import { policy } from '../core/policy.ts'
import type { Report } from '../observing/occurrence.ts'
import { atMostEvery } from '../time/work.ts'
import { createHoldOff, type HoldOff } from './hold-off.ts'
import { createPeers, createRequestBudget, type PeersWorld, type Urgency } from './request-budget.ts'

/** The error for a request that was not sent: another server may have taken over its work. */
export function tooLate(): ServiceError {
  const what = 'The store took so long that another server may be asking for it'
  return new ServiceError('timeout', what, { outcome: 'not_done', retryAfterMs: policy.budget.tooLateMs })
}

/** A request was not sent, because of a pause or a used-up budget. The gate reports the reason. */
export class HeldOffError extends ServiceError {
  constructor(message: string, retryAfterMs: number) {
    super('rate_limited', message, { outcome: 'not_done', retryAfterMs })
  }
}

/** Requests that pause together: those of the list, of one order, or creations in some asset. */
type Target = 'list' | `order ${string}` | `create ${string}`

/** The way to the service. */
export type ServiceGate = ReturnType<typeof createServiceGate>

type World = Omit<PeersWorld, 'ownHoldMs'> & { readonly report: (error: PaywindowError) => void }

/** Creates the gate of this server. */
export function createServiceGate(client: ServiceClient, world: World) {
  const { now, sleep } = world.clock
  const holdOff = createHoldOff(now)
  const peers = createPeers({ ...world, ownHoldMs: holdOff.askedForMs })
  const budget = createRequestBudget(peers.sharePerSecond, world.clock)
  const reportTrouble = createTroubleReport(world, holdOff.trouble)
  let answeredAtMs: number | undefined

  async function pass<Result>(target: Target, urgency: Urgency, send: () => Promise<Result>, isInTime = () => true) {
    await peers.ready()
    refuseWhileHeld(target)
    const waitMs = await budget.take(urgency)
    if (waitMs > 0) throw new HeldOffError('The request budget for the service is used up', waitMs)
    // Another request may have been refused while this one waited.
    refuseWhileHeld(target)
    if (!isInTime()) throw tooLate()
    const permit = holdOff.enter(
      target,
      target === 'list' ? policy.pause.othersFirstOfListMs : policy.pause.othersFirstMs[urgency],
    )
    try {
      const result = await send()
      answeredAtMs = now()
      permit.answered()
      return result
    } catch (error) {
      // Any other error is this server's own, not the service's.
      if (error instanceof ServiceError) permit.failed(error)
      else permit.answered()
      if (holdOff.askedForMs() > 0) peers.announce()
      throw error
    } finally {
      reportTrouble()
    }
  }

  const heldMs = (target?: Target) => Math.max(holdOff.heldMs(target), peers.heldMs())

  function refuseWhileHeld(target: Target): void {
    const leftMs = heldMs(target)
    if (leftMs === 0) return
    reportTrouble()
    throw new HeldOffError('The service refused; requests are paused', leftMs)
  }

  const readDetails = (id: string, urgency: Exclude<Urgency, 'creation'>) =>
    pass(`order ${id}`, urgency, () => client.orderDetails(id))

  return {
    /** The service's client. Its methods reject with a `HeldOffError` if nothing was sent. */
    client: {
      listOrders: (query: OrderQuery) => pass('list', 'other', () => client.listOrders(query)),
      orderDetails: (id: string) => readDetails(id, 'other'),
    },
    /** Reads the details of an order, under the id that it is asked for. */
    orderDetails: async (id: string, urgency: Exclude<Urgency, 'creation'>) => ({
      ...(await readDetails(id, urgency)),
      id,
    }),
    /**
     * Creates an order. Rejects with `tooLate` if `isInTime` is false after the wait for the
     * budget: another server may have taken over.
     */
    createOrder: (request: OrderRequest, isInTime: () => boolean) => {
      const target = `create ${request.sourceAsset} ${request.network ?? ''}` as const
      return pass(target, 'creation', () => client.createOrder(request), isInTime)
    },
    /** Ms left of a pause of all requests or, with `target`, of these requests; 0: no pause. */
    heldMs,
    /** Whether no other server of the store sends requests now. */
    isAlone: peers.isAlone,
    /** Whether another server of the store has sent requests in the last ten minutes. */
    hasOtherServers: peers.hasOtherServers,
    /**
     * Await it if another server sends a request for this server, so that both know of each other.
     * Never rejects.
     */
    announcePresence: peers.announcePresence,
    /** When a request last succeeded, and since when the service refuses all. Undefined: never. */
    contact: () => ({ answeredAtMs, refusingSinceMs: holdOff.trouble()?.sinceMs }),
    /** Whether there is spare budget now. */
    hasSpare: budget.hasSpare,
    /** Waits for spare budget. Resolves with false if `isTimeUp` is first. */
    spare: (isTimeUp: () => boolean) => whenSpare(budget.hasSpare, sleep, isTimeUp),
  }
}

async function whenSpare(hasSpare: () => boolean, sleep: Clock['sleep'], isTimeUp: () => boolean): Promise<boolean> {
  while (!isTimeUp()) {
    if (hasSpare()) return true
    await sleep(policy.budget.sparePauseMs)
  }
  return false
}

/** Returns a function that reports a long refusal, and repeats the report at times. */
function createTroubleReport({ clock: { now }, report }: World, troubleOf: HoldOff['trouble']): () => void {
  let reportedAtMs = Number.NEGATIVE_INFINITY
  return () => {
    const trouble = troubleOf()
    const lastsMs = now() - (trouble?.sinceMs ?? now())
    if (!trouble) reportedAtMs = Number.NEGATIVE_INFINITY
    if (!trouble || lastsMs < policy.pause.toldAfterMs || now() - reportedAtMs < policy.pause.toldEveryMs) return
    reportedAtMs = now()
    const what = `The service has refused for ${Math.floor(lastsMs / 60_000)} minutes (${trouble.why}). Paywindow retries with one request at a time, at least every five minutes while requests wait; nothing is lost`
    report(new PaywindowError('service_held_off', what))
  }
}

/** Whether a host is this machine. @param hostname - As `URL` writes it. */
export function isOfThisMachine(hostname: string): boolean {
  return /^(?:(?:[^.]+\.)*localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}

/** The error to report where requests to another machine go over `http:`; else undefined. */
export function unencrypted(baseUrl: string): PaywindowError | undefined {
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol !== 'http:' || isOfThisMachine(hostname)) return undefined
  const what = `The access token is sent to ${hostname} unencrypted: service.baseUrl begins with http://. Use https://`
  return new PaywindowError('token_unencrypted', what)
}

/** The time by our clock and, where known, by the service's; ms since the epoch. */
export type Time = ReturnType<ServiceClock['time']>

/** The service's clock, by the answers so far. */
export type ServiceClock = ReturnType<typeof createServiceClock>

/** The least and the most that the service's clock can be ahead of ours. */
interface Bounds {
  readonly leastMs: number
  readonly mostMs: number
}

/** Creates a clock that is set by `note`. */
export function createServiceClock({ now, monotonic }: Required<Pick<Clock, 'now' | 'monotonic'>>) {
  let bounds: Bounds | null = null
  /** The lead of the service's last `Date` over the monotonic clock. */
  let lastAheadMs: number | null = null
  /** The bounds of the last answer, if it contradicts the answers before. */
  let doubted: Bounds | null = null

  const time = () => {
    const nowMs = now()
    return { nowMs, serviceNowMs: bounds && nowMs + Math.max(bounds.leastMs, bounds.mostMs - 1_000) }
  }

  /** The service's last `Date`, advanced by the monotonic clock; our time before the first. */
  const datedNow = () => (lastAheadMs === null ? now() : lastAheadMs + monotonic())

  return {
    /** Notes an answer: its `Date`, and by our clock when it was asked for and when it came. */
    note: ({ dateMs, sentAtMs, answeredAtMs }: { dateMs: number; sentAtMs: number; answeredAtMs: number }) => {
      const next = { leastMs: dateMs - answeredAtMs, mostMs: dateMs + 1_000 - sentAtMs }
      // Bounds that exclude each other mean that a clock was set in between, or that a header is
      // wrong. The new bounds count once a second answer agrees with them.
      const agreed = bounds ? (common(bounds, next) ?? (doubted && common(doubted, next))) : next
      bounds = agreed ?? bounds
      doubted = agreed ? null : next
      lastAheadMs = dateMs - monotonic()
    },
    /**
     * The service's time is null before its first answer, and at most a second slow, so that a
     * quote never ends late.
     */
    time,
    /** The service's time; ours before its first answer. */
    serviceNow: () => time().serviceNowMs ?? now(),
    /** The service's time, whatever somebody does to our clock. */
    datedNow,
    /** For plans, archiving and deletions: our time or, if that is over a day ahead, `datedNow`. */
    plannedNow: () => (now() - datedNow() > policy.clocks.wrongFromMs ? datedNow() : now()),
  }
}

/** The bounds that both answers allow; null if they contradict each other. */
function common(left: Bounds, right: Bounds): Bounds | null {
  const leastMs = Math.max(left.leastMs, right.leastMs)
  const mostMs = Math.min(left.mostMs, right.mostMs)
  return leastMs <= mostMs ? { leastMs, mostMs } : null
}

/** Wraps the client so that good answers, but no error pages of gateways, set the clock. */
export function timedBy(clock: Pick<ServiceClock, 'note'>, client: ServiceClient): ServiceClient {
  const noted = <Answer extends { readonly timing: Timing }>(answer: Answer): Answer => {
    const { serviceDateMs: dateMs, sentAtMs, answeredAtMs } = answer.timing
    if (dateMs !== null) clock.note({ dateMs, sentAtMs, answeredAtMs })
    return answer
  }
  return {
    ...client,
    createOrder: async (request) => noted(await client.createOrder(request)),
    listOrders: async (query) => noted(await client.listOrders(query)),
    orderDetails: async (id) => noted(await client.orderDetails(id)),
  }
}

/**
 * Returns a function that reports a large difference between this server's clock and the service's.
 */
export function createClockCheck(baseUrl: string, reportAtOnce: Report, time: () => Time): () => void {
  const report = atMostEvery(policy.clocks.reportedEveryMs, () => time().nowMs, reportAtOnce)
  // A service on this machine has the same clock, or is a sandbox, which moves its clock on
  // purpose.
  if (isOfThisMachine(new URL(baseUrl).hostname)) return () => {}
  return () => {
    const { nowMs, serviceNowMs } = time()
    if (serviceNowMs === null || Math.abs(nowMs - serviceNowMs) <= policy.clocks.reportedFromMs) return
    const seconds = Math.round(Math.abs(nowMs - serviceNowMs) / 1_000)
    const what = `This server's clock is ${seconds} s ${nowMs > serviceNowMs ? 'ahead of' : 'behind'} the service's. Keep it in step (NTP): quotes may end early`
    report(new PaywindowError('clock_differs', what), {})
  }
}
