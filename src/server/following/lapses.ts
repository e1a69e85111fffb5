/** Tells the merchant of lapsed carts, whose goods can be sold again. */
import { PaywindowError } from '../../contract/errors.ts'
import { quoteLifetimeMs } from '../../contract/quote.ts'
import { within } from '../../service/within.ts'
import type { Context } from '../context.ts'
import { payerPhase } from '../core/agreement.ts'
import { policy } from '../core/policy.ts'
import { attemptWindow, isSettled } from '../core/transitions.ts'
import type { CheckoutRecord } from '../core/types.ts'
import type { Tracker } from './tracker.ts'

/**
 * Returns a function that takes checkouts after a look at the service, and calls `onLapsed` once
 * for each of their carts that has lapsed. A failed call is repeated at the next look.
 */
export function createLapses(
  context: Context,
  { lookNow }: Pick<Tracker, 'lookNow'>,
): (looked: readonly CheckoutRecord[]) => void {
  const { repository, settings, datedNow, plannedNow, inBackground } = context
  const { onLapsed, phaseOf, callbackTimeoutMs } = settings
  const running = new Set<string>()

  /**
   * Whether the time to lapse has passed by our clock and by the service's, because either may have
   * been set. A wrong clock wrote an equally distant time in the future.
   */
  const isPast = (ourMs: number, theirMs = ourMs) =>
    Math.abs(plannedNow() - ourMs) >= policy.quote.lapsesAfterMs && datedNow() - theirMs >= policy.quote.lapsesAfterMs

  /** Whether no deposit was seen until long after the end of a checkout's quote. */
  function isLapsed(checkout: CheckoutRecord): boolean {
    const { binding, instructions, history, statusAsOfMs, createdAtMs } = checkout
    const phase = payerPhase(checkout, phaseOf)
    if (checkout.takingBack) return false
    if (phase === 'ended') return isPast(Date.parse(history.at(-1)?.at ?? ''), statusAsOfMs ?? undefined)
    if (phase !== 'waiting') return false
    if (!instructions) return isPast(createdAtMs)
    const { sentAtMs } = instructions
    const madeMs = attemptWindow(checkout)?.toMs ?? sentAtMs
    // The service may hold the quote for longer than the payer saw. An unknown order may be paid.
    return isSettled(binding) && isPast(sentAtMs + quoteLifetimeMs, madeMs + quoteLifetimeMs)
  }

  async function tell(reference: string, call: NonNullable<typeof onLapsed>): Promise<void> {
    const { entries, lapsedWith } = await repository.readCart(reference)
    const last = entries.at(-1)
    if (!last || last.id === lapsedWith) return
    const { checkouts } = await repository.readTogether(
      reference,
      entries.map(({ id }) => id),
    )
    // The record of a new entry may not be written yet.
    const isMade =
      checkouts.some(({ id }) => id === last.id) || plannedNow() - last.createdAtMs >= policy.quote.lapsesAfterMs
    if (!isMade || !checkouts.every(isLapsed)) return
    // The last looks may be old, or from a list that is behind.
    const looked = await Promise.all(checkouts.map((each) => lookNow(each, true)))
    if (!looked.every((each) => each && isLapsed(each))) return
    const event = { reference, checkoutId: last.id, at: new Date(plannedNow()).toISOString() }
    await within(context, callbackTimeoutMs, async () => call(event))
    await repository.updateCart(reference, (cart) => ({ ...cart, lapsedWith: last.id }))
  }

  const failed = (reference: string) => (cause: unknown) => {
    const what = 'onLapsed failed, and is called again after the next look'
    settings.report(new PaywindowError('callback_failed', what, { cause }), { reference })
  }

  return (looked) => {
    if (!onLapsed) return
    for (const { reference } of looked.filter(isLapsed)) {
      if (running.has(reference)) continue
      running.add(reference)
      const told = tell(reference, onLapsed).catch(failed(reference))
      inBackground(told.finally(() => running.delete(reference)))
    }
  }
}
