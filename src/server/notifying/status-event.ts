/** Builds the argument of the merchant's callback. */
import { PaywindowError } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import type { StatusEvent } from '../options.ts'
import { offeredPrice } from '../records/offered-price.ts'
import { phaseWith } from '../records/received.ts'
import type { CheckoutRecord, PendingEvent } from '../records/types.ts'
import { unlessUnreadable } from '../records/unreadable.ts'
import { toMerchantCheckout } from '../views/merchant-view.ts'

/** Reports a cart that was paid more than once, when its first event is built. */
type EventOf = (checkout: CheckoutRecord, event: PendingEvent) => Promise<StatusEvent>

/** Ids of the checkouts that are paid; and in words, what could not be read and may be paid. */
interface PaidBeside {
  readonly paid: readonly string[]
  readonly unknown: readonly string[]
}

const noneBeside: PaidBeside = { paid: [], unknown: [] }

/** Reads the rest of a paid cart, to name other checkouts that are paid. */
export function createEventOf({ repository, settings }: Pick<Context, 'repository' | 'settings'>): EventOf {
  /** The other checkouts of the cart that are paid, or may be. An unreadable record does not hold up the event. */
  async function paidBeside({ id, reference }: CheckoutRecord): Promise<PaidBeside> {
    const cart = await unlessUnreadable(repository.readCart(reference))
    if (cart === 'unreadable') return { paid: [], unknown: ['the record of the cart'] }
    const paid: string[] = []
    const unknown: string[] = []
    for (const entry of cart.entries.filter((each) => each.id !== id)) {
      const sibling = await unlessUnreadable(repository.readCheckout(entry.id))
      if (sibling === 'unreadable') unknown.push(`checkout ${entry.id}`)
      else if (sibling && settings.phaseOf[sibling.status] === 'paid') paid.push(entry.id)
    }
    return { paid, unknown }
  }

  return async (checkout, event) => {
    const phase = phaseWith(settings.phaseOf[event.status], event.difference ?? 'same')
    const beside = settings.phaseOf[event.status] === 'paid' ? await paidBeside(checkout) : noneBeside
    const errors = event.failures === 0 ? [paidTwice(checkout, beside), paidOtherwise(checkout, phase)] : []
    for (const error of errors)
      if (error) settings.report(error, { checkoutId: checkout.id, reference: checkout.reference })
    return {
      eventId: event.eventId,
      reference: checkout.reference,
      price: offeredPrice(checkout),
      status: event.status,
      previousStatus: event.previousStatus,
      phase,
      at: event.at,
      checkout: toMerchantCheckout(checkout, settings),
      alsoPaid: beside.paid,
    }
  }
}

/** Neither amount is money for the other: both are said. */
function paidOtherwise(checkout: CheckoutRecord, phase: StatusEvent['phase']): PaywindowError | undefined {
  if (phase !== 'paid_less' && phase !== 'paid_more') return undefined
  const { id, received, terms, method, instructions } = checkout
  const shown = [
    `${received?.targetAmount ?? '?'} of ${terms.price.amount} ${terms.price.asset}`,
    `${received?.sourceAmount ?? '?'} of ${instructions?.amount} ${method.asset}`,
  ]
  return new PaywindowError(
    phase,
    `The service confirmed checkout ${id} for another amount than was asked for: it shows ${shown.join(', and a deposit of ')}. Nothing of it is told as paid; look at the order`,
  )
}

function paidTwice({ id }: CheckoutRecord, { paid, unknown }: PaidBeside): PaywindowError | undefined {
  if (paid.length > 0)
    return new PaywindowError(
      'paid_twice',
      `A cart was paid more than once: by checkout ${id} and by ${paid.join(', ')}`,
    )
  if (unknown.length > 0)
    return new PaywindowError(
      'paid_twice',
      `A cart may have been paid more than once: by checkout ${id}; ${unknown.join(', ')} cannot be read`,
    )
  return undefined
}
