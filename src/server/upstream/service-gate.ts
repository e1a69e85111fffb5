/**
 * The only way to the service: every request of this server passes here. Keeps to this server's share of the budget of requests, pauses
 * when the service refuses this server or asks another for a pause, and reports it when that lasts.
 */
import { PaywindowError } from '../../contract/errors.ts'
import type { Clock } from '../../service/clock.ts'
import { ServiceError } from '../../service/errors.ts'
import type { ServiceClient } from '../../service/types.ts'
import { policy } from '../core/policy.ts'
import { type AccountWorld, createAccount } from './account.ts'
import { createHoldOff, type HoldOff } from './hold-off.ts'
import { createRequestBudget, type Urgency } from './request-budget.ts'

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
