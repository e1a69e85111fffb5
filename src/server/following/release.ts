/** Releases an order that turned out to be another checkout's. */
import { PaywindowError } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import { withoutBinding } from '../records/transitions.ts'
import type { Binding, CheckoutRecord } from '../records/types.ts'

/** Undoes bindings. */
export interface Release {
  /** Removes the binding and the status that came from it, if `isMeant` is true for the binding. */
  unbind(
    checkoutId: string,
    orderId: string,
    why: string,
    isMeant?: (binding: Binding) => boolean,
  ): Promise<CheckoutRecord>
  /** Makes the order of a checkout that is already unbound available to others, and reports why. */
  disown(checkout: CheckoutRecord, orderId: string, why: string): Promise<void>
}

/** Reports each released order. `onChange` is called for each change of a status after it is stored. */
export function createRelease(
  { repository, settings, rules, now }: Pick<Context, 'repository' | 'settings' | 'rules' | 'now'>,
  onChange: (checkout: CheckoutRecord) => void,
): Release {
  const disown: Release['disown'] = async ({ id, reference }, orderId, why) => {
    const what = `Order ${orderId} does not belong to checkout ${id}: ${why}`
    settings.report(new PaywindowError('binding_contradicted', what), { checkoutId: id, reference })
    // Last, because nothing depends on it: whoever needs the order takes a claim that was left.
    await repository.disownOrder(orderId, id)
  }

  return {
    disown,
    unbind: async (checkoutId, orderId, why, isMeant = () => true) => {
      let before: CheckoutRecord | undefined
      const after = await repository.updateCheckout(checkoutId, (checkout) => {
        before = checkout
        const { binding } = checkout
        return binding && isMeant(binding) ? withoutBinding(checkout, orderId, now(), rules) : checkout
      })
      if (before?.status !== after.status) onChange(after)
      if (before !== after) await disown(after, orderId, why)
      return after
    },
  }
}
