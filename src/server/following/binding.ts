/** Stores which order a checkout has. An order belongs to one checkout, for good. */
import type { Context } from '../context.ts'
import { nextLook, withBinding } from '../records/transitions.ts'
import type { CheckoutRecord, Evidence } from '../records/types.ts'

/**
 * Binds a checkout to an order, unless it has one or the order is another's: then it is left as it is.
 *
 * @param isCertain - Nothing that is not known yet could speak against it.
 */
export type BindTo = (
  checkout: CheckoutRecord,
  orderId: string,
  evidence: Evidence,
  isCertain: boolean,
) => Promise<CheckoutRecord>

/** The order is claimed first: if the process dies in between, a claim is left and no wrong binding. */
export function createBindTo({ repository, now, rules }: Pick<Context, 'repository' | 'now' | 'rules'>): BindTo {
  return async (checkout, orderId, evidence, isCertain) => {
    const owner = await repository.claimOrder(orderId, checkout.id)
    if (owner !== checkout.id) return checkout
    const isMerchants = evidence === 'merchant'
    const after = await repository.updateCheckout(checkout.id, (current) => {
      if (isMerchants && current.binding?.orderId === orderId)
        return { ...current, binding: { ...current.binding, evidence, isProvisional: false } }
      if (current.binding || (!isMerchants && current.excluded.includes(orderId))) return current
      const bound = withBinding(current, orderId, evidence, isCertain, now())
      return { ...bound, nextLookAtMs: nextLook(current, now(), rules.phaseOf) }
    })
    if (after.binding?.orderId !== orderId) await repository.disownOrder(orderId, checkout.id)
    return after
  }
}
