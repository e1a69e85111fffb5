/** Ends every request of a browser in time, whatever hangs: the merchant's code, the store or the token. */
import { PaywindowError } from '../../contract/errors.ts'
import type { Clock } from '../../service/clock.ts'
import { endsWithin, TimeoutError, within } from '../../service/within.ts'
import type { Checkouts } from '../checkout/checkouts.ts'
import type { Context } from '../context.ts'
import type { OfferCallback } from '../offers.ts'
import type { Settings } from '../options.ts'

/** Longer than a creation may take with all that it waits for. */
const requestMs = 60_000
/** Browsers wait for an offer before they show anything. */
const offerMs = 15_000

/** The calls of a browser; each rejects with `service_unavailable` when it took too long. */
export function inTime(context: Pick<Context, 'settings' | 'now' | 'sleep'>, checkouts: Checkouts): Checkouts {
  async function limited<Answer>(work: Promise<Answer>): Promise<Answer> {
    if (await endsWithin(context, requestMs, work)) return work
    const what = `A request was not answered within ${requestMs} ms: offer, the store or the token did not respond`
    context.settings.report(new PaywindowError('internal', what), {})
    throw new PaywindowError('service_unavailable', 'This took too long: ask again', { retryAfterMs: 5_000 })
  }
  return {
    offer: (reference, request) => limited(checkouts.offer(reference, request)),
    open: (wanted, request) => limited(checkouts.open(wanted, request)),
    poll: (id, key) => limited(checkouts.poll(id, key)),
    renew: (id, key, request) => limited(checkouts.renew(id, key, request)),
    handover: (id, key) => limited(checkouts.handover(id, key)),
  }
}

/**
 * The merchant's `offer`, given up when it does not come back: rejects with `service_unavailable`, and is reported. Rejects with
 * `callback_failed` when it throws.
 */
export function offerInTime(settings: Settings, clock: Pick<Clock, 'now' | 'sleep'>): OfferCallback {
  return async (query) => {
    try {
      return await within(clock, offerMs, async () => settings.offer(query))
    } catch (error) {
      if (error instanceof PaywindowError) throw error
      if (!(error instanceof TimeoutError)) throw threw(error)
      const what = `offer did not return within ${offerMs} ms`
      settings.report(new PaywindowError('callback_failed', what, { cause: error }), { reference: query.reference })
      throw new PaywindowError('service_unavailable', 'The shop does not answer: ask again', { retryAfterMs: 5_000 })
    }
  }
}

function threw(cause: unknown): PaywindowError {
  const what = cause instanceof Error ? cause.name : 'something that is no Error'
  return new PaywindowError('callback_failed', `offer threw ${what}: see its cause`, {
    cause,
  })
}
