/**
 * Creates the service's order of a checkout: once, however many browsers, tabs and servers ask. What goes out is stored before,
 * what comes back is stored before anybody is told.
 */
import { PaywindowError } from '../../contract/errors.ts'
import { ServiceError } from '../../service/errors.ts'
import type { DepositInstructions } from '../../service/types.ts'
import type { Context } from '../context.ts'
import type { Binder } from '../following/binder.ts'
import { answeredBefore, setAttempt, windowOf, withLostAttempts } from '../orders/attempts.ts'
import type { OrderFeed } from '../orders/order-list.ts'
import { bounds } from '../records/bounds.ts'
import { turnName } from '../records/repository.ts'
import { nextLook, withStatus } from '../records/transitions.ts'
import type { Attempt, CheckoutRecord, Instructions } from '../records/types.ts'
import { createSingleFlight } from '../time/single-flight.ts'
import { longestHoldMs } from '../upstream/hold-off.ts'
import { HeldOffError } from '../upstream/service-gate.ts'
import { checkInstructions } from './instructions.ts'
import { failureCode, publicError, said } from './service-failure.ts'

/** A browser waits this long for its payment panel; then it is told to ask again. */
const patienceMs = 25_000
/** What a lease has beyond the request's own timeout; a server that died gives way after both. */
const leaseSlackMs = 8_000
/** Longer than what a `Date` header leaves open about when an order was created. */
const afterLostMs = 4_000
const turnWaitMs = 3_000
const turnLeaseMs = 30_000
/** Orders a checkout may leave behind in an hour: a service whose answers cannot be used is not asked for ever. */
const maxAttempts = 6
const attemptWindowMs = 3_600_000
/** After the answer, the order is looked for this often before the turn is given to the next. */
const searchDelaysMs = [0, 500, 1_000, 2_000, 4_000]

export interface Creation {
  /**
   * Resolves with the checkout once it has instructions.
   *
   * @throws PaywindowError `service_refused`, `service_invalid`, `asset_not_crypto`, `service_unavailable` with `retryAfterMs`.
   */
  ensure(checkoutId: string): Promise<CheckoutRecord>
}

export function createCreation(context: Context, binder: Binder, feed: Pick<OrderFeed, 'noteSending'>): Creation {
  const { repository, client, gate, settings, rules, ids, now } = context
  const flight = createSingleFlight<CheckoutRecord>()
  const seenSince = new Map<string, number>()
  const leaseMs = (settings.service.timeoutMs ?? 15_000) + leaseSlackMs

  async function run(checkoutId: string): Promise<CheckoutRecord> {
    const holder = ids.secret()
    const lease = `create ${checkoutId}`
    const giveUpAtMs = now() + patienceMs
    while (now() < giveUpAtMs) {
      const checkout = await repository.readCheckout(checkoutId)
      if (!checkout) throw new PaywindowError('not_found', 'There is no such checkout')
      if (checkout.instructions) return checkout
      if (!isUnderWay(checkout) && (await repository.store.lease(lease, holder, leaseMs))) {
        try {
          const created = await attempt(checkoutId)
          if (created.instructions) return created
        } finally {
          await repository.store.release(lease, holder)
        }
      }
      await context.sleep(250)
    }
    throw unavailable('The exchange service has not answered yet: ask again', 2_000)
  }

  /**
   * Whether somebody may still wait for the answer to a request. Judged by how long we have seen it: the clock of the server that
   * sent it may not agree with ours.
   */
  function isUnderWay({ attempts }: CheckoutRecord): boolean {
    const sent = attempts.filter(({ outcome }) => outcome === 'sent')
    for (const { id } of sent) if (!seenSince.has(id)) seenSince.set(id, now())
    for (const id of seenSince.keys()) if (seenSince.size > 1000) seenSince.delete(id)
    return sent.some(({ id }) => now() - (seenSince.get(id) ?? now()) < leaseMs)
  }

  /** One request to the service, by the one who holds the lease. */
  async function attempt(checkoutId: string): Promise<CheckoutRecord> {
    const turnHolder = ids.secret()
    const before = await repository.updateCheckout(checkoutId, withLostAttempts)
    if (before.instructions) return before
    if (requestsWithin(before, now(), attemptWindowMs) >= maxAttempts || before.attempts.length >= bounds.attempts)
      throw unavailable('The exchange service gave no usable answer several times: try again later', longestHoldMs)
    // Nothing is stored of what is not going to be sent.
    if (gate.heldMs() > 0) throw unavailable('The exchange service cannot be reached at the moment', gate.heldMs())
    await takeTurn(turnName(before), turnHolder)
    const sent: Attempt = {
      id: ids.secret(),
      sentAtMs: now(),
      outcome: 'sent',
      window: null,
      after: await answeredBefore(repository, before),
    }
    const intended = await repository.updateCheckout(checkoutId, (checkout) =>
      checkout.instructions ? checkout : { ...checkout, attempts: [...checkout.attempts, sent] },
    )
    if (intended.instructions) {
      await repository.store.release(turnName(before), turnHolder)
      return intended
    }
    try {
      feed.noteSending(sent.id)
      const answer = await send(before)
      const created = await accept(checkoutId, sent, answer)
      context.inBackground(searchWhileInTurn(created, turnHolder))
      return created
    } catch (error) {
      await repository.store.release(turnName(before), turnHolder)
      if (!(error instanceof ServiceError)) throw error
      const isLost = error.outcome === 'unknown'
      const after = await repository.updateCheckout(checkoutId, (checkout) =>
        isLost ? setAttempt(checkout, { ...sent, outcome: 'lost' }) : withoutAttempt(checkout, sent.id, error),
      )
      if (!(error instanceof HeldOffError)) reportFailure(before, error)
      // The answer was lost, and its order with it: nobody knows the address, so nobody pays it. Another is asked for, a moment
      // later, so that the times of the two orders tell them apart.
      if (isLost && after.attempts.filter(({ outcome: each }) => each === 'lost').length < 2) {
        await context.sleep(afterLostMs)
        return after
      }
      throw publicError(error)
    }
  }

  function reportFailure({ id, reference }: CheckoutRecord, cause: ServiceError): void {
    const what = `No order was created for checkout ${id}: ${cause.message}${said(cause)}`
    settings.report(new PaywindowError(failureCode(cause), what, { cause }), { checkoutId: id, reference })
  }

  /** No order can come of it; that it was refused is remembered, since a service is not asked in vain for ever. */
  function withoutAttempt(checkout: CheckoutRecord, id: string, error: ServiceError): CheckoutRecord {
    const kept = checkout.refusedAtMs.filter((atMs) => atMs > now() - attemptWindowMs)
    const refusedAtMs = failureCode(error) === 'service_refused' ? [...kept, now()] : kept
    return { ...checkout, attempts: checkout.attempts.filter((attempt) => attempt.id !== id), refusedAtMs }
  }

  function send({ method, terms }: CheckoutRecord): Promise<DepositInstructions> {
    return client.createOrder({
      sourceAsset: method.asset,
      targetAsset: terms.price.asset,
      network: method.network,
      targetAmount: terms.price.amount,
      ...(settings.poolBalance !== undefined && { poolBalance: settings.poolBalance }),
    })
  }

  async function accept(checkoutId: string, sent: Attempt, answer: DepositInstructions): Promise<CheckoutRecord> {
    const answered: Attempt = { ...sent, outcome: 'answered', window: windowOf(answer.timing) }
    let instructions: Instructions | undefined
    let refusal: unknown
    const stored = await repository.updateCheckout(checkoutId, (checkout) => {
      const known = setAttempt(checkout, answered)
      if (checkout.instructions) return known
      try {
        instructions = checkInstructions(answer, {
          method: checkout.method,
          attemptId: sent.id,
          test: checkout.test,
          tagOptionalOn: settings.tagOptionalOn,
        })
      } catch (error) {
        refusal = error
        return known
      }
      return opened({ ...known, instructions })
    })
    const about = { checkoutId, reference: stored.reference }
    if (refusal instanceof PaywindowError) {
      settings.report(refusal, about)
      throw new PaywindowError(
        refusal.code,
        refusal.code === 'asset_not_crypto'
          ? refusal.message
          : 'The exchange service gave deposit instructions that cannot be trusted, so none are shown',
        { cause: refusal },
      )
    }
    if (refusal !== undefined) throw refusal
    if (answer.deposit === false) {
      settings.report(
        new PaywindowError(
          'deposit_false',
          `The service answered deposit: false for checkout ${checkoutId}; its meaning is not stated, and the address is shown`,
        ),
        about,
      )
    }
    const isOurs = stored.instructions?.attemptId === sent.id
    return answer.orderId !== null && isOurs ? binder.bindTo(stored, answer.orderId, 'response_id', false) : stored
  }

  function opened(checkout: CheckoutRecord): CheckoutRecord {
    const at = new Date(now()).toISOString()
    const history = [{ status: checkout.status, phase: rules.phaseOf[checkout.status], at }]
    const open = { ...withStatus(checkout, 'open', now(), rules), history, revision: checkout.revision + 1 }
    return { ...open, nextLookAtMs: nextLook(open, now(), rules.phaseOf) }
  }

  /** Creations that could be confused take turns, so that each finds its order alone. Nobody waits long: then neither guesses. */
  async function takeTurn(name: string, holder: string): Promise<void> {
    const giveUpAtMs = now() + turnWaitMs
    while (now() < giveUpAtMs && !(await repository.store.lease(name, holder, turnLeaseMs))) await context.sleep(100)
  }

  async function searchWhileInTurn(created: CheckoutRecord, holder: string): Promise<void> {
    let checkout = created
    try {
      for (const delayMs of searchDelaysMs) {
        if (checkout.binding) break
        await context.sleep(delayMs)
        checkout = await binder.searchNow(checkout)
      }
    } catch (error) {
      // The list could not be read: the next poll and the watcher try again.
      if (!(error instanceof ServiceError)) throw error
    } finally {
      await repository.store.release(turnName(created), holder)
    }
  }

  return { ensure: (checkoutId) => flight(checkoutId, () => run(checkoutId)) }
}

/** Requests for an order of this checkout, whatever became of them. */
export function requestsWithin({ attempts, refusedAtMs }: CheckoutRecord, nowMs: number, windowMs: number): number {
  const sentAtMs = [...attempts.map((attempt) => attempt.sentAtMs), ...refusedAtMs]
  // Sent an hour ahead of now, it was sent by a clock that was wrong.
  return sentAtMs.filter((atMs) => Math.abs(nowMs - atMs) < windowMs).length
}

function unavailable(message: string, retryAfterMs: number): PaywindowError {
  return new PaywindowError('service_unavailable', message, { retryAfterMs })
}
