/**
 * Writes and removes the binding of a checkout to its order. The order comes from evidence, from
 * the answer to the creation, or from the merchant.
 */
import { PaywindowError } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import { nextLook } from '../core/looks.ts'
import { type NewBinding, withBinding, withoutBinding } from '../core/transitions.ts'
import type { Binding, CheckoutRecord } from '../core/types.ts'

/**
 * Binds a checkout to an order. Changes nothing if the checkout has an order, or the order has
 * another checkout.
 */
export type BindTo = (checkout: CheckoutRecord, binding: NewBinding) => Promise<CheckoutRecord>

/** Each further try means that another process has changed the checkout. */
const maxTries = 3

/**
 * The order is claimed first, so a process that dies in between leaves a claim and no wrong
 * binding. If another checkout takes over the claim before the binding, it changes the revision of
 * this checkout, and the binding is refused.
 */
export function createBindTo(context: Pick<Context, 'repository' | 'now' | 'plannedNow' | 'rules'>): BindTo {
  const { repository, now, plannedNow, rules } = context
  /**
   * @param searched - The checkout at the search. A failover of the store may have lost its deposit
   *   since.
   */
  function bound(
    current: CheckoutRecord,
    binding: NewBinding,
    { revision }: CheckoutRecord,
    searched: CheckoutRecord,
  ): CheckoutRecord {
    const { orderId, evidence } = binding
    const isMerchants = evidence === 'merchant'
    if (isMerchants && current.binding?.orderId === orderId)
      return { ...current, binding: { ...current.binding, evidence, isProvisional: false } }
    const isOfOther = current.instructions?.attemptId !== searched.instructions?.attemptId
    const isRefused = current.binding !== null || (!isMerchants && (isOfOther || current.excluded.includes(orderId)))
    if (isRefused || current.revision !== revision) return current
    const nextLookAtMs = nextLook(current, plannedNow(), rules.phaseOf)
    return { ...withBinding(current, binding, now()), namedOrderId: undefined, nextLookAtMs }
  }

  return async (checkout, binding) => {
    const { id } = checkout
    const { orderId } = binding
    let after = checkout
    for (let tries = 0; tries < maxTries; tries++) {
      if ((await repository.claimOrder(orderId, id, binding.order)) !== id) return after
      const before = after
      after = await repository.updateCheckout(id, (current) => bound(current, binding, before, checkout))
      if (after.binding || after.revision === before.revision) break
    }
    if (after.binding?.orderId !== orderId) await repository.disownOrder(orderId, id)
    return after
  }
}

/**
 * Binds a checkout without an order to the order that the answer to its creation named, if it named
 * one. The binding is provisional until the first look at the order.
 */
export async function bindNamed(bindTo: BindTo, checkout: CheckoutRecord): Promise<CheckoutRecord> {
  const { binding, excluded, namedOrderId: orderId } = checkout
  if (binding || orderId === undefined || excluded.includes(orderId)) return checkout
  return bindTo(checkout, { orderId, evidence: 'response_id', isCertain: false })
}

/** Undoes bindings. */
export type Release = ReturnType<typeof createRelease>

/**
 * Reports each released order. `onChange` is called for each change of a status after it is stored.
 */
export function createRelease(
  { repository, settings, rules, now }: Pick<Context, 'repository' | 'settings' | 'rules' | 'now'>,
  onChange: (checkout: CheckoutRecord) => void,
) {
  /** Makes the order of a checkout that is already unbound available to others, and reports why. */
  async function disown({ id, reference }: CheckoutRecord, orderId: string, why: string): Promise<void> {
    const what = `Order ${orderId} does not belong to checkout ${id}: ${why}`
    settings.report(new PaywindowError('binding_contradicted', what), { checkoutId: id, reference })
    // Last, because nothing depends on it: others can take over a claim that is left behind.
    await repository.disownOrder(orderId, id)
  }

  return {
    disown,
    /**
     * Removes the binding to the order, and the status that came from it.
     *
     * @param isMeant - Which bindings to remove. Default all.
     */
    unbind: async (
      checkoutId: string,
      orderId: string,
      why: string,
      isMeant: (binding: Binding) => boolean = () => true,
    ): Promise<CheckoutRecord> => {
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
