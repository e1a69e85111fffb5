/**
 * The only way to the service. Every request of this server passes here: the gate keeps to this
 * server's share of the budget, pauses when the service refuses, and reports a pause that lasts. The
 * `Date` headers of the answers give the service's clock, by bounds.
 */
import { PaywindowError } from '../../contract/errors.ts'
import type { Clock } from '../../service/clock.ts'
import { ServiceError } from '../../service/errors.ts'
import type { ServiceOptions } from '../../service/options.ts'
import type { ServiceClient, Timing } from '../../service/types.ts'
import { policy } from '../core/policy.ts'
import type { Report } from '../observing/occurrence.ts'
import { createHoldOff, type HoldOff } from './hold-off.ts'
import { type AccountWorld, createAccount, createRequestBudget, type Urgency } from './request-budget.ts'

const always = () => true

/** Nothing was sent, because the store took so long that another server may be at it. */
export function tooLate(): ServiceError {
  const what = 'The store took so long that another server may be asking for it'
  return new ServiceError('timeout', what, { outcome: 'not_done', retryAfterMs: policy.budget.tooLateMs })
}

/** Nothing was sent, because requests are held off or the budget is used up. The reason was reported already. */
export class HeldOffError extends ServiceError {
  constructor(message: string, retryAfterMs: number) {
    super('rate_limited', message, { outcome: 'not_done', retryAfterMs })
  }
}

/** What can be held off alone, besides creations: the list, or one order. */
type Target = 'list' | `order ${string}`

/** The way to the service. */
export interface ServiceGate {
  /** The service's client, through the gate. Rejects with a `HeldOffError` where nothing was sent. */
  readonly client: Omit<ServiceClient, 'createOrder'>
  /** Reads the details of an order before or after what else waits for the budget. */
  orderDetails(id: string, urgency: Exclude<Urgency, 'creation'>): ReturnType<ServiceClient['orderDetails']>
  /** Creates an order, unless `isInTime` is false when its turn has come: then another server may be at it. */
  createOrder(
    request: Parameters<ServiceClient['createOrder']>[0],
    isInTime: () => boolean,
  ): ReturnType<ServiceClient['createOrder']>
  /** Ms for which nobody is let through, or nobody who asks for this; 0: somebody is. */
  heldMs(target?: Target): number
  /** When the service last did what was asked, and since when it refuses; undefined where it has not, or does not. */
  contact(): { readonly answeredAtMs: number | undefined; readonly refusingSinceMs: number | undefined }
  /** Whether no other server of the store needs requests. */
  isAlone(): boolean
  /** Whether another one needed requests in the last ten minutes. */
  hasCompany(): boolean
  /** To be awaited where another server sends a request for this one, so that neither takes itself to be alone. Never rejects. */
  present(): Promise<void>
  /** Resolves with true once there is budget for what can wait; with false when there is none before time is up. */
  spare(isTimeUp: () => boolean): Promise<boolean>
}

interface World extends Omit<AccountWorld, 'ownHoldMs'> {
  readonly report: (error: PaywindowError) => void
}

/** Keeps to the budget, pauses while the service refuses, and reports refusals that last. */
export function createServiceGate(client: ServiceClient, world: World): ServiceGate {
  const { now, sleep } = world.clock
  const holdOff = createHoldOff(now)
  const account = createAccount({ ...world, ownHoldMs: holdOff.askedForMs })
  const budget = createRequestBudget(account.perSecond, world.clock)
  const reportTrouble = createTroubleReport(world, holdOff.trouble)
  let answeredAtMs: number | undefined

  async function pass<Result>(target: string, urgency: Urgency, send: () => Promise<Result>, isInTime = always) {
    await account.ready()
    refuseWhileHeld(target)
    const waitMs = await budget.take(urgency)
    if (waitMs > 0) throw new HeldOffError('The request budget for the service is used up', waitMs)
    // Others may have been refused while this one waited.
    refuseWhileHeld(target)
    if (!isInTime()) throw tooLate()
    const leave = holdOff.enter(
      target,
      target === 'list' ? policy.pause.othersFirstOfListMs : policy.pause.othersFirstMs[urgency],
    )
    try {
      const result = await send()
      answeredAtMs = now()
      leave.answered()
      return result
    } catch (error) {
      // Any other error is our own and says nothing about the service.
      if (error instanceof ServiceError) leave.failed(error)
      else leave.answered()
      if (holdOff.askedForMs() > 0) account.tell()
      throw error
    } finally {
      reportTrouble()
    }
  }

  const heldMsOf = (target?: string) => Math.max(holdOff.heldMs(target), account.heldMs())

  function refuseWhileHeld(target: string): void {
    const heldMs = heldMsOf(target)
    if (heldMs === 0) return
    reportTrouble()
    throw new HeldOffError('The service refused; requests are paused', heldMs)
  }

  const orderDetails: ServiceGate['orderDetails'] = (id, urgency) =>
    pass(`order ${id}`, urgency, () => client.orderDetails(id))

  return {
    client: {
      listOrders: (query) => pass('list', 'other', () => client.listOrders(query)),
      orderDetails: (id) => orderDetails(id, 'other'),
      registerWallet: (request) => pass('wallets', 'other', () => client.registerWallet(request)),
      deleteWallet: (id) => pass('wallets', 'other', () => client.deleteWallet(id)),
    },
    orderDetails,
    createOrder: (request, isInTime) =>
      pass(creationOf(request), 'creation', () => client.createOrder(request), isInTime),
    heldMs: heldMsOf,
    isAlone: account.isAlone,
    hasCompany: account.hasCompany,
    present: account.present,
    contact: () => ({ answeredAtMs, refusingSinceMs: holdOff.trouble()?.sinceMs }),
    spare: (isTimeUp) => whenSpare(budget.hasSpare, sleep, isTimeUp),
  }
}

async function whenSpare(hasSpare: () => boolean, sleep: Clock['sleep'], isTimeUp: () => boolean): Promise<boolean> {
  while (!isTimeUp()) {
    if (hasSpare()) return true
    await sleep(policy.budget.sparePauseMs)
  }
  return false
}

function creationOf({ sourceAsset, network }: Parameters<ServiceClient['createOrder']>[0]): string {
  return `create ${sourceAsset} ${network ?? ''}`
}

/** Reports a service that has refused for some time, and again from time to time. */
function createTroubleReport({ clock: { now }, report }: World, troubleOf: HoldOff['trouble']): () => void {
  let reportedAtMs: number | undefined
  return () => {
    const trouble = troubleOf()
    if (!trouble) {
      reportedAtMs = undefined
      return
    }
    const lastsMs = now() - trouble.sinceMs
    if (
      lastsMs < policy.pause.toldAfterMs ||
      (reportedAtMs !== undefined && now() - reportedAtMs < policy.pause.toldEveryMs)
    )
      return
    reportedAtMs = now()
    const minutes = Math.floor(lastsMs / 60_000)
    report(
      new PaywindowError(
        'service_held_off',
        `The service has refused for ${minutes} minutes (${trouble.why}). Paywindow retries with one request at a time, at least every five minutes while requests wait; nothing is lost`,
      ),
    )
  }
}

/** Whether a host is this machine. @param hostname - As `URL` writes it. */
export function isOfThisMachine(hostname: string): boolean {
  return /^(?:(?:[^.]+\.)*localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}

/** The error to report where the service is reached over `http:` and is not on this machine, or undefined. */
export function unencrypted(baseUrl: string): PaywindowError | undefined {
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol !== 'http:' || isOfThisMachine(hostname)) return undefined
  const what = `The access token is sent to ${hostname} unencrypted: service.baseUrl begins with http://. Use https://`
  return new PaywindowError('token_unencrypted', what)
}

/** The estimate from the answers so far. */
interface ServiceClock {
  /** Takes over a `Date` header; the other two by our own clock. All are ms since the epoch. */
  note(answer: { dateMs: number; sentAtMs: number; answeredAtMs: number }): void
  /**
   * How far the service's clock is ahead of ours, in ms; null before the first answer. At most a second too little, so that a quote may end early, never late.
   */
  aheadMs(): number | null
  /** The service's time as its last answer said it, and what has passed since by a clock that nobody sets, as ours may have been; null before the first answer. */
  nowMs(): number | null
}

interface Bounds {
  readonly leastMs: number
  readonly mostMs: number
}

/** Knows nothing until the first answer. */
export function createServiceClock(monotonicMs: () => number): ServiceClock {
  let bounds: Bounds | null = null
  /** How far the service's last `Date` was ahead of the monotonic clock. */
  let lastAheadMs: number | null = null
  /** What the last answer said, if it contradicts the ones before. */
  let doubted: Bounds | null = null
  return {
    note: ({ dateMs, sentAtMs, answeredAtMs }) => {
      const next = { leastMs: dateMs - answeredAtMs, mostMs: dateMs + 1_000 - sentAtMs }
      const both = bounds && common(bounds, next)
      // Bounds that exclude each other mean that one of the two clocks was set in between, or that one header is wrong: a second
      // answer has to say the same.
      const again = both === null && doubted ? common(doubted, next) : null
      if (bounds === null) bounds = next
      else if (both ?? again) bounds = both ?? again
      doubted = (both ?? again) ? null : next
      lastAheadMs = dateMs - monotonicMs()
    },
    aheadMs: () => bounds && Math.max(bounds.leastMs, bounds.mostMs - 1_000),
    nowMs: () => (lastAheadMs === null ? null : lastAheadMs + monotonicMs()),
  }
}

/** The bounds that both answers allow; null if they contradict each other. */
function common(left: Bounds, right: Bounds): Bounds | null {
  const leastMs = Math.max(left.leastMs, right.leastMs)
  const mostMs = Math.min(left.mostMs, right.mostMs)
  return leastMs <= mostMs ? { leastMs, mostMs } : null
}

/** Wraps the client so that its answers set the clock. Anything else, such as a gateway's error page, sets nothing. */
export function timedBy(clock: ServiceClock, client: ServiceClient): ServiceClient {
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

interface ClockCheckParts {
  readonly settings: { readonly service: Pick<ServiceOptions, 'baseUrl'>; readonly report: Report }
  time(): { readonly nowMs: number; readonly serviceNowMs: number | null }
}

/** Returns a function that looks once. It knows nothing before the first answer of the service. */
export function createClockCheck({ settings, time }: ClockCheckParts): () => void {
  let reportedAtMs = Number.NEGATIVE_INFINITY
  // A service on the same machine has the same clock, and a sandbox moves its own on purpose.
  if (isOfThisMachine(new URL(settings.service.baseUrl).hostname)) return () => {}
  return () => {
    const { nowMs, serviceNowMs } = time()
    if (
      serviceNowMs === null ||
      Math.abs(nowMs - serviceNowMs) <= policy.clocks.reportedFromMs ||
      nowMs - reportedAtMs < policy.clocks.reportedEveryMs
    )
      return
    reportedAtMs = nowMs
    const seconds = Math.round(Math.abs(nowMs - serviceNowMs) / 1_000)
    settings.report(
      new PaywindowError(
        'clock_differs',
        `This server's clock is ${seconds} s ${nowMs > serviceNowMs ? 'ahead of' : 'behind'} the service's. Keep it in step (NTP): quotes may end early`,
      ),
      {},
    )
  }
}
