/** Has `onStatusChange` called again for the present status of a checkout, with the `eventId` that the change has. */
import { PaywindowError } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import { withRetold } from '../records/transitions.ts'
import { type MerchantCheckout, toMerchantCheckout } from '../views/merchant-view.ts'

/** @param start - Begins to deliver what is due, where this process does. */
export function createRetell(
  { repository, settings }: Pick<Context, 'repository' | 'settings'>,
  start: () => void,
): (checkoutId: string) => Promise<MerchantCheckout> {
  return async (checkoutId) => {
    const checkout = await repository.updateCheckout(checkoutId, withRetold)
    if (checkout.events.length === 0)
      throw new PaywindowError(
        'invalid_request',
        checkout.status === 'open' && checkout.history.length <= 1
          ? `Nothing has changed for checkout ${checkoutId} yet: there is nothing to deliver`
          : `The last change of checkout ${checkoutId} was stored by an earlier version, which did not keep its eventId`,
      )
    start()
    return toMerchantCheckout(checkout, settings)
  }
}
