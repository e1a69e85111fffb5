/**
 * Creates the service's order of a checkout once, however many browsers, tabs and servers ask for
 * it.
 */
import { PaywindowError } from '../../contract/errors.ts'
import { ServiceError } from '../../service/errors.ts'
import { createLru } from '../../service/lru.ts'
import type { Context } from '../context.ts'
import { needsOrder } from '../core/carts.ts'
import { policy } from '../core/policy.ts'
import { attemptOf, requestsWithin, setAttempt, withLostAttempts } from '../core/transitions.ts'
import { type Attempt, bounds, type CheckoutRecord, intentLabel } from '../core/types.ts'
import type { Binder } from '../following/binder.ts'
import type { OrderList } from '../orders/order-list.ts'
import type { Store } from '../store/store.ts'
import { type Lease, withLease } from '../store/with-lease.ts'
import { createSingleFlight } from '../time/work.ts'
import { HeldOffError, tooLate } from '../upstream/service-gate.ts'
import { type Accept, createAccept, createTestAddresses, SharedDepositError } from './instructions.ts'
import { createTurns, type TakeTurn, type Turn } from './turns.ts'

/** Unanswered requests that are remembered, with the time at which this process first saw them. */
const maxRemembered = 1_000
/**
 * Equal checkouts that an attempt is ordered after, the newest. Older ones are far away in time.
 */
const maxBefore = 20

/**
 * Creates the service's order of a checkout, unless there is one. Resolves with the checkout once
 * it has instructions.
 *
 * @throws PaywindowError `service_refused`, `service_invalid`, `asset_not_crypto`,
 * `service_unavailable` with `retryAfterMs`.
 */
export type Creation = (checkoutId: string) => Promise<CheckoutRecord>

/**
 * All callers for a checkout share one creation: by a single flight in this process, and by a lease
 * across processes.
 */
export function createCreation(context: Context, binder: Binder, orderList: OrderList): Creation {
  const { repository, settings, ids, now, sleep } = context
  const leaseMs = (settings.service.timeoutMs ?? policy.creation.timeoutMs) + policy.creation.leaseSlackMs
  const isUnderWay = createIsUnderWay(now, leaseMs)
  const tryOnce = createTryOnce(context, createTurns(context, binder, orderList), createAccept(context, binder))
  const flight = createSingleFlight<CheckoutRecord>()

  async function create(checkoutId: string): Promise<CheckoutRecord> {
    const lease = { name: `create ${checkoutId}`, holder: ids.secret(), forMs: leaseMs }
    const giveUpAtMs = now() + policy.creation.patienceMs
    while (now() < giveUpAtMs) {
      const checkout = await repository.readCheckout(checkoutId)
      if (!checkout) throw new PaywindowError('not_found', 'There is no such checkout')
      if (checkout.instructions) return checkout
      if (!isUnderWay(checkout)) {
        const hold = createHold(repository.store, lease, now)
        const created = await withLease(repository.store, lease, () => tryOnce(checkoutId, hold))
        if (created?.instructions) return created
      }
      await sleep(250)
    }
    throw unavailable('The exchange service has not answered yet: ask again', 2_000)
  }

  return (checkoutId) => flight(checkoutId, () => create(checkoutId))
}

/** Call it before the lease is taken: then the lease does not end earlier than the hold assumes. */
function createHold(store: Pick<Store, 'lease'>, { name, holder, forMs }: Lease, now: () => number) {
  let sinceMs = now()
  const isOver = () => now() >= sinceMs + forMs
  return {
    /** Whether a request that begins now ends before the lease. */
    isInTime: () => now() <= sinceMs + policy.creation.leaseSlackMs,
    /**
     * Renews the lease if it is not fresh. Resolves with false if another server may have had it.
     */
    keep: async () => {
      const askedAtMs = now()
      if (askedAtMs <= sinceMs + policy.creation.leaseFreshMs) return true
      // If the lease has ended, another server may have had it, and created an order.
      if (isOver() || !(await store.lease(name, holder, forMs)) || isOver()) return false
      sinceMs = askedAtMs
      return true
    },
  }
}

/**
 * Returns a function that tells whether a server may still wait for the answer to a request. It
 * counts from this process's first sight of the request: the other server's clock may be wrong.
 */
function createIsUnderWay(now: () => number, leaseMs: number): (checkout: CheckoutRecord) => boolean {
  const seenSince = createLru<number>(maxRemembered)
  return ({ attempts }) => {
    const sent = attempts.filter(({ outcome }) => outcome === 'sent')
    for (const { id } of sent) if (!seenSince.has(id)) seenSince.set(id, now())
    return sent.some(({ id }) => now() - (seenSince.get(id) ?? now()) < leaseMs)
  }
}

/**
 * Returns a function that makes one attempt, for the holder of the checkout's lease. It resolves
 * with a checkout without instructions if another attempt may follow, and rejects as `Creation`
 * does. Stores the attempt before it is sent, and its outcome before anybody sees it.
 */
function createTryOnce(context: Context, takeTurn: TakeTurn, accept: Accept) {
  const { repository, ids, now } = context
  const takeFailure = createTakeFailure(context)
  const testAddresses = createTestAddresses(now)

  async function isStillWanted(checkout: CheckoutRecord): Promise<boolean> {
    const cart = await repository.readCart(checkout.reference)
    const others = cart.entries.flatMap(({ id }) => (id === checkout.id ? [] : id))
    const checkouts = others.length > 0 ? await repository.readCheckouts(others) : []
    return needsOrder({ cart, checkouts }, checkout.id, context.settings)
  }

  /** Stores the next attempt, unless the checkout has instructions meanwhile. */
  async function intend(before: CheckoutRecord, turn: Turn) {
    const [equals, isWanted] = await Promise.all([
      repository.listCheckouts(intentLabel(before), { limit: maxBefore }),
      isStillWanted(before),
    ])
    // A turn or a lost answer may delay an attempt to a minute after the payer asked.
    if (!isWanted) throw unavailable('This quote is no longer wanted: ask again', 1_000)
    const listed = await turn.readBefore(equals)
    const sent: Attempt = {
      id: ids.secret(),
      sentAtMs: now(),
      outcome: 'sent',
      window: null,
      // Their answers came before this attempt is sent, so their orders are earlier.
      after: equals.flatMap((equal) => attemptOf(equal)?.id ?? []),
      ...(listed.length > 0 && { listed }),
    }
    const intended = await repository.updateCheckout(before.id, (checkout) =>
      checkout.instructions ? checkout : { ...checkout, attempts: [...checkout.attempts, sent] },
    )
    return { sent, intended }
  }

  return async (checkoutId: string, hold: ReturnType<typeof createHold>): Promise<CheckoutRecord> => {
    const before = await repository.updateCheckout(checkoutId, withLostAttempts)
    if (before.instructions) return before
    // Checked before the attempt is stored: a request that is not sent leaves no trace.
    refuseInVain(before, context)
    testAddresses.check(before)
    const turn = await takeTurn(before)
    const { sent, intended } = await intend(before, turn).catch(async (error: unknown) => {
      await turn.end()
      throw error
    })
    if (intended.instructions) {
      await turn.end()
      return intended
    }
    try {
      if (!(await hold.keep())) throw tooLate()
      const created = await accept(before, sent, await send(context, before, hold.isInTime))
      context.inBackground(turn.endWithSearch(created))
      return created
    } catch (error) {
      await turn.end()
      testAddresses.note(before, error)
      if (error instanceof SharedDepositError && isTriedAgain(before)) {
        // A gateway may have taken two requests for one. After a pause, the next request may get an
        // order of its own.
        await context.sleep(policy.creation.afterLostMs)
        return before
      }
      if (error instanceof ServiceError) return takeFailure(before, sent, error)
      throw error
    }
  }
}

/**
 * @throws PaywindowError `service_unavailable` if a request would be in vain: too many failed, or
 * all are held off.
 */
function refuseInVain(checkout: CheckoutRecord, { gate, now }: Context): void {
  const { refusedAtMs } = checkout
  const shared = checkout.attempts.filter(({ isShared }) => isShared)
  const others = checkout.attempts.filter(({ isShared }) => !isShared)
  const count =
    requestsWithin({ attempts: others, refusedAtMs }, now(), policy.creation.attemptsWithinMs) +
    requestsWithin({ attempts: shared, refusedAtMs: [] }, now(), policy.creation.sharedWithinMs)
  if (count >= policy.creation.mostAttempts || checkout.attempts.length >= bounds.attempts)
    throw unavailable(
      'The exchange service gave no usable answer several times: try again later',
      shared.length > 0 ? policy.creation.sharedWithinMs : policy.pause.longestMs,
    )
  if (gate.heldMs() > 0) throw unavailable('The exchange service cannot be reached at the moment', gate.heldMs())
}

function send({ gate, settings: { poolBalance } }: Context, checkout: CheckoutRecord, isInTime: () => boolean) {
  const { method, terms } = checkout
  const request = {
    sourceAsset: method.asset,
    targetAsset: terms.price.asset,
    network: method.network,
    targetAmount: terms.price.amount,
    ...(poolBalance !== undefined && { poolBalance }),
  }
  return gate.createOrder(request, isInTime)
}

/**
 * Stores that an attempt failed. Resolves with the checkout if another attempt may follow at once,
 * else throws.
 */
function createTakeFailure(context: Context) {
  const { repository, settings, now, sleep } = context
  return async (before: CheckoutRecord, sent: Attempt, error: ServiceError): Promise<CheckoutRecord> => {
    const isLost = error.outcome === 'unknown'
    const after = await repository.updateCheckout(before.id, (checkout) =>
      isLost ? setAttempt(checkout, { ...sent, outcome: 'lost' }) : withoutAttempt(checkout, sent.id, error, now()),
    )
    if (!(error instanceof HeldOffError)) {
      const { id: checkoutId, reference } = before
      const what = `No order was created for checkout ${checkoutId}: ${error.message}${said(error)}`
      settings.report(new PaywindowError(failureCodes[error.code], what, { cause: error }), { checkoutId, reference })
    }
    if (!isLost) throw publicError(error)
    // Nobody knows the address of an order whose answer was lost, so nobody pays it. After the
    // pause, the next order is later by a clear time, which tells the two apart.
    await sleep(policy.creation.afterLostMs)
    if (after.attempts.filter(({ outcome }) => outcome === 'lost').length >= 2) throw publicError(error)
    return after
  }
}

/**
 * Whether another attempt follows an answer with the deposit of another checkout, while the payer
 * waits.
 */
function isTriedAgain({ attempts }: CheckoutRecord): boolean {
  return attempts.filter(({ outcome }) => outcome === 'answered').length + 1 < policy.creation.mostShared
}

/**
 * Removes an attempt that made no order. Records a refusal, because refused requests are limited.
 */
function withoutAttempt(checkout: CheckoutRecord, id: string, error: ServiceError, nowMs: number): CheckoutRecord {
  const kept = checkout.refusedAtMs.filter((atMs) => atMs > nowMs - policy.creation.attemptsWithinMs)
  const refusedAtMs = failureCodes[error.code] === 'service_refused' ? [...kept, nowMs] : kept
  return { ...checkout, attempts: checkout.attempts.filter((attempt) => attempt.id !== id), refusedAtMs }
}

// biome-ignore format: pairs need no line each
const failureCodes = {
  unauthorized: 'service_refused', forbidden: 'service_refused', refused: 'service_refused',
  not_found: 'service_refused', invalid_request: 'service_refused', invalid_answer: 'service_invalid',
  rate_limited: 'service_unavailable', unavailable: 'service_unavailable', timeout: 'service_unavailable',
  unreachable: 'service_unavailable',
} as const satisfies Record<ServiceError['code'], string>

/** The merchant gets the service's words; a browser gets ours. */
function publicError(error: ServiceError): PaywindowError {
  const code = failureCodes[error.code]
  const words = {
    service_refused: 'The exchange service refused to create this order',
    service_invalid: 'The exchange service gave an answer that cannot be read',
    service_unavailable: 'The exchange service cannot be reached at the moment',
  }
  // A browser asks again when this server does, and not after a refusal without a time.
  const waitMs = error.retryAfterMs ?? (code === 'service_refused' ? undefined : 5_000)
  const retryAfterMs = waitMs && Math.min(waitMs, policy.pause.longestMs)
  return new PaywindowError(code, words[code], { cause: error, ...(retryAfterMs !== undefined && { retryAfterMs }) })
}

/** The service's own words and the setting to check, for the merchant. */
function said({ code, serviceMessage }: ServiceError): string {
  const words = serviceMessage === undefined ? '' : `. The service said: ${JSON.stringify(serviceMessage)}`
  if (code === 'unreachable') return `${words}. Is service.baseUrl right, and does it answer?`
  if (code === 'unauthorized') return `${words}. Check service.accessToken`
  return code === 'forbidden' ? `${words}. Check service.subAccountId, and what the token may do` : words
}

/** The error for a request that may succeed after `retryAfterMs`. */
function unavailable(message: string, retryAfterMs: number): PaywindowError {
  return new PaywindowError('service_unavailable', message, { retryAfterMs })
}
