/** Sends one request for an order to the service. The attempt is stored before it is sent. */
import { PaywindowError } from '../../contract/errors.ts'
import { ServiceError } from '../../service/errors.ts'
import type { DepositInstructions } from '../../service/types.ts'
import type { Context } from '../context.ts'
import type { OrderList } from '../orders/order-list.ts'
import { answeredBefore, requestsWithin, setAttempt, withLostAttempts } from '../records/attempts.ts'
import { bounds } from '../records/bounds.ts'
import type { Attempt, CheckoutRecord } from '../records/types.ts'
import { longestHoldMs } from '../upstream/hold-off.ts'
import { HeldOffError, tooLate } from '../upstream/service-gate.ts'
import { type Accept, SharedDepositError } from './acceptance.ts'
import { failureCode, publicError, said, unavailable } from './service-failure.ts'
import { createTestAddresses } from './test-addresses.ts'
import type { TakeTurn } from './turns.ts'

/** Longer than the doubt that a `Date` header leaves about when an order was created. */
const afterLostMs = 4_000
/** Answers with the deposit of another checkout, after which a payer waits no longer. */
const maxShared = 3
/** Orders that a checkout may leave behind in an hour: requests to a service with unusable answers have to end. */
const maxAttempts = 6
const attemptWindowMs = 3_600_000

type Needs = Pick<Context, 'repository' | 'client' | 'gate' | 'settings' | 'ids' | 'now' | 'sleep' | 'inBackground'>

interface Parts {
  readonly takeTurn: TakeTurn
  readonly accept: Accept
  readonly orderList: Pick<OrderList, 'noteSending'>
}

/**
 * Asks for an order; to be called by the holder of the checkout's lease. Resolves without instructions if another request is to be made.
 * Rejects as `Creation.ensure` does.
 */
type TryOnce = (checkoutId: string, hold: Hold) => Promise<CheckoutRecord>

/** The lease of a checkout, which ends by itself. */
export interface Hold {
  /** Whether a request that begins now ends before the lease does. */
  isInTime(): boolean
  /** Takes it anew where the store was slow. Resolves with false if another server may have had it. */
  keep(): Promise<boolean>
}

/** Stores the attempt before it is sent, and its outcome before anybody sees it. */
export function createTryOnce(context: Needs, { takeTurn, accept, orderList }: Parts): TryOnce {
  const { repository, ids, now } = context
  const send = createSend(context)
  const takeFailure = createTakeFailure(context)
  const testAddresses = createTestAddresses(now)

  return async (checkoutId, hold) => {
    const before = await repository.updateCheckout(checkoutId, withLostAttempts)
    if (before.instructions) return before
    // A request that will not be sent leaves no trace in the store.
    refuseInVain(before, context)
    testAddresses.check(before)
    const turn = await takeTurn(before)
    const after = await answeredBefore(repository, before)
    const sent: Attempt = { id: ids.secret(), sentAtMs: now(), outcome: 'sent', window: null, after }
    const intended = await repository.updateCheckout(checkoutId, (checkout) =>
      checkout.instructions ? checkout : { ...checkout, attempts: [...checkout.attempts, sent] },
    )
    if (intended.instructions) {
      await turn.end()
      return intended
    }
    try {
      orderList.noteSending(sent.id)
      if (!(await hold.keep())) throw tooLate()
      const created = await accept(before, sent, await send(before, hold.isInTime))
      context.inBackground(turn.endWithSearch(created))
      return created
    } catch (error) {
      await turn.end()
      testAddresses.note(before, error)
      if (error instanceof SharedDepositError && isTriedAgain(before)) {
        // Gateways remember a request for some seconds: another, a moment later, may get an order of its own.
        await context.sleep(afterLostMs)
        return before
      }
      if (error instanceof ServiceError) return takeFailure(before, sent, error)
      throw error
    }
  }
}

/** @throws PaywindowError `service_unavailable` if a request would be useless. */
function refuseInVain(checkout: CheckoutRecord, { gate, now }: Pick<Context, 'gate' | 'now'>): void {
  if (requestsWithin(checkout, now(), attemptWindowMs) >= maxAttempts || checkout.attempts.length >= bounds.attempts)
    throw unavailable('The exchange service gave no usable answer several times: try again later', longestHoldMs)
  if (gate.heldMs() > 0) throw unavailable('The exchange service cannot be reached at the moment', gate.heldMs())
}

function createSend({ gate, settings }: Pick<Context, 'gate' | 'settings'>) {
  return ({ method, terms }: CheckoutRecord, isInTime: () => boolean): Promise<DepositInstructions> =>
    gate.createOrder(
      {
        sourceAsset: method.asset,
        targetAsset: terms.price.asset,
        network: method.network,
        targetAmount: terms.price.amount,
        ...(settings.poolBalance !== undefined && { poolBalance: settings.poolBalance }),
      },
      isInTime,
    )
}

/** Stores that an attempt failed. Resolves with the checkout if another attempt may follow at once, else throws. */
function createTakeFailure({
  repository,
  settings,
  now,
  sleep,
}: Pick<Context, 'repository' | 'settings' | 'now' | 'sleep'>) {
  function report({ id, reference }: CheckoutRecord, cause: ServiceError): void {
    const what = `No order was created for checkout ${id}: ${cause.message}${said(cause)}`
    settings.report(new PaywindowError(failureCode(cause), what, { cause }), { checkoutId: id, reference })
  }

  return async (before: CheckoutRecord, sent: Attempt, error: ServiceError): Promise<CheckoutRecord> => {
    const isLost = error.outcome === 'unknown'
    const after = await repository.updateCheckout(before.id, (checkout) =>
      isLost ? setAttempt(checkout, { ...sent, outcome: 'lost' }) : withoutAttempt(checkout, sent.id, error, now()),
    )
    if (!(error instanceof HeldOffError)) report(before, error)
    const lostCount = after.attempts.filter(({ outcome }) => outcome === 'lost').length
    if (!isLost) throw publicError(error)
    // The answer was lost, and its order with it: nobody knows the address, so nobody pays it. Whoever requests another, now or
    // after a reload, does so a moment later, so that the times of the orders tell them apart.
    await sleep(afterLostMs)
    if (lostCount >= 2) throw publicError(error)
    return after
  }
}

/** Whether a payer waits on after an answer with the deposit of another checkout. */
function isTriedAgain({ attempts }: CheckoutRecord): boolean {
  return attempts.filter(({ outcome }) => outcome === 'answered').length + 1 < maxShared
}

/** Removes an attempt that made no order, and records the refusal, because refused requests are limited. */
function withoutAttempt(checkout: CheckoutRecord, id: string, error: ServiceError, nowMs: number): CheckoutRecord {
  const kept = checkout.refusedAtMs.filter((atMs) => atMs > nowMs - attemptWindowMs)
  const refusedAtMs = failureCode(error) === 'service_refused' ? [...kept, nowMs] : kept
  return { ...checkout, attempts: checkout.attempts.filter((attempt) => attempt.id !== id), refusedAtMs }
}
