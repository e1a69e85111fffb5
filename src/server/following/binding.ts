/** Stores which order a checkout has. An order belongs to one checkout, for good. */
import type { Context } from '../context.ts'
import { nextLook } from '../records/looks.ts'
import { type NewBinding, withBinding } from '../records/transitions.ts'
import type { CheckoutRecord } from '../records/types.ts'

/** Binds a checkout to an order, unless it has one or the order is another's: then it is left as it is. */
export type BindTo = (checkout: CheckoutRecord, binding: NewBinding) => Promise<CheckoutRecord>

/** The order is claimed first: if the process dies in between, a claim is left and no wrong binding. */
export function createBindTo({ repository, now, rules }: Pick<Context, 'repository' | 'now' | 'rules'>): BindTo {
  return async (checkout, binding) => {
    const { orderId, evidence } = binding
    const owner = await repository.claimOrder(orderId, checkout.id)
    if (owner !== checkout.id) return checkout
    const isMerchants = evidence === 'merchant'
    const after = await repository.updateCheckout(checkout.id, (current) => {
      if (isMerchants && current.binding?.orderId === orderId)
        return { ...current, binding: { ...current.binding, evidence, isProvisional: false } }
      if (current.binding || (!isMerchants && current.excluded.includes(orderId))) return current
      const bound = withBinding(current, binding, now())
      return { ...bound, nextLookAtMs: nextLook(current, now(), rules.phaseOf) }
    })
    if (after.binding?.orderId !== orderId) await repository.disownOrder(orderId, checkout.id)
    return after
  }
}
