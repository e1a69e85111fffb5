/** Tells the merchant of carts that nobody pays any more, so that what is kept for them can be sold again. */
import { PaywindowError } from '../../contract/errors.ts'
import { within } from '../../service/within.ts'
import type { Context } from '../context.ts'
import { payerPhase } from '../core/agreement.ts'
import { policy } from '../core/policy.ts'
import { isSettled } from '../core/transitions.ts'
import type { CheckoutRecord } from '../core/types.ts'

/**
 * Returns a function that takes checkouts which were just looked at at the service. It calls
 * `onLapsed` for their carts, once for all checkouts that a cart has. A call that fails is repeated
 * at the next look.
 */
export function createLapses(context: Context): (looked: readonly CheckoutRecord[]) => void {
  const { repository, settings, time, plannedNow, inBackground } = context
  const { onLapsed, phaseOf, callbackTimeoutMs } = settings
  const running = new Set<string>()

  /** Whether nothing was seen of a checkout since its quote ended, by each of the two clocks. */
  function isLapsed(checkout: CheckoutRecord): boolean {
    const { binding, instructions, history, createdAtMs } = checkout
    const phase = payerPhase(checkout, phaseOf)
    const { nowMs, serviceNowMs } = time()
    const isPast = (atMs: number) => Math.min(plannedNow(), serviceNowMs ?? nowMs) - atMs >= policy.lapse.afterMs
    if (phase === 'ended') return isPast(Date.parse(history.at(-1)?.at ?? ''))
    if (phase !== 'waiting') return false
    // Of an order that is not known nobody can say that nothing was paid.
    return instructions ? isSettled(binding) && isPast(instructions.expiresAtMs) : isPast(createdAtMs)
  }

  async function tell(reference: string, call: NonNullable<typeof onLapsed>): Promise<void> {
    const { entries, lapsedWith } = await repository.readCart(reference)
    const last = entries.at(-1)?.id
    if (last === undefined || last === lapsedWith) return
    const { checkouts } = await repository.readTogether(
      reference,
      entries.map(({ id }) => id),
    )
    if (!checkouts.every(isLapsed)) return
    const event = { reference, at: new Date(time().nowMs).toISOString() }
    await within(context, callbackTimeoutMs, async () => call(event))
    await repository.updateCart(reference, (cart) => ({ ...cart, lapsedWith: last }))
  }

  async function reported(reference: string, work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (cause) {
      const what = 'onLapsed failed, and is called again after the next look'
      settings.report(new PaywindowError('callback_failed', what, { cause }), { reference })
    } finally {
      running.delete(reference)
    }
  }

  return (looked) => {
    if (!onLapsed) return
    for (const { reference } of looked.filter(isLapsed)) {
      if (running.has(reference)) continue
      running.add(reference)
      inBackground(reported(reference, tell(reference, onLapsed)))
    }
  }
}
