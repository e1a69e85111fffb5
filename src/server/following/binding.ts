/** Stores which order a checkout has. An order belongs to one checkout, for good. */
import type { Context } from '../context.ts'
import { nextLook } from '../records/looks.ts'
import { type NewBinding, withBinding } from '../records/transitions.ts'
import type { CheckoutRecord } from '../records/types.ts'

/** Binds a checkout to an order, unless it has one or the order is another's: then it is left as it is. */
export type BindTo = (checkout: CheckoutRecord, binding: NewBinding) => Promise<CheckoutRecord>

/** Somebody else changed the checkout each time. */
const maxTries = 3

/**
 * The order is claimed first: if the process dies in between, a claim is left and no wrong binding. The claim may be taken over before the
 * checkout is bound, and then the checkout has another revision than before the claim.
 */
export function createBindTo({
  repository,
  now,
  plannedNow,
  rules,
}: Pick<Context, 'repository' | 'now' | 'plannedNow' | 'rules'>): BindTo {
  function bound(current: CheckoutRecord, binding: NewBinding, { revision }: CheckoutRecord): CheckoutRecord {
    const { orderId, evidence } = binding
    const isMerchants = evidence === 'merchant'
    if (isMerchants && current.binding?.orderId === orderId)
      return { ...current, binding: { ...current.binding, evidence, isProvisional: false } }
    const isRefused = current.binding !== null || (!isMerchants && current.excluded.includes(orderId))
    if (isRefused || current.revision !== revision) return current
    const nextLookAtMs = nextLook(current, plannedNow(), rules.phaseOf)
    return { ...withBinding(current, binding, now()), namedOrderId: undefined, nextLookAtMs }
  }

  return async (checkout, binding) => {
    const { id } = checkout
    const { orderId } = binding
    let after = checkout
    for (let tries = 0; tries < maxTries; tries++) {
      if ((await repository.claimOrder(orderId, id)) !== id) return after
      const before = after
      after = await repository.updateCheckout(id, (current) => bound(current, binding, before))
      if (after.binding || after.revision === before.revision) break
    }
    if (after.binding?.orderId !== orderId) await repository.disownOrder(orderId, id)
    return after
  }
}

/** Binds a checkout to the order that the answer to its creation named, where there is one and it was not bound yet. */
export type BindNamed = (checkout: CheckoutRecord) => Promise<CheckoutRecord>

/** For the time being: the first look at the order decides. */
export function createBindNamed(bindTo: BindTo): BindNamed {
  return async (checkout) => {
    const { binding, excluded, namedOrderId: orderId } = checkout
    if (binding || orderId === undefined || excluded.includes(orderId)) return checkout
    return bindTo(checkout, { orderId, evidence: 'response_id', isCertain: false })
  }
}
