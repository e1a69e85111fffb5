/**
 * Writes and removes the binding of a checkout to its order. The order comes from evidence, from
 * the answer to the creation, or from the merchant.
 */
import { PaywindowError } from '../../contract/errors.ts'
import { ifServiceAnswers, ServiceError } from '../../service/errors.ts'
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import { contradiction, isOfOtherSubAccount, otherTarget } from '../core/agreement.ts'
import type { Situation } from '../core/evidence.ts'
import { otherTime } from '../core/facts.ts'
import { nextLook } from '../core/looks.ts'
import { type NewBinding, withBinding, withoutBinding } from '../core/transitions.ts'
import type { Binding, CheckoutRecord } from '../core/types.ts'
import type { ReadSituation } from '../orders/read-situation.ts'

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

interface Parts {
  readonly tracker: Pick<Release, 'unbind'> & {
    record(checkoutId: string, order: Order): Promise<CheckoutRecord>
  }
  readonly bindTo: BindTo
  readonly readSituation: ReadSituation
}

type PayableCheckout = Pick<Situation, 'checkout' | 'instructions'>

/**
 * Returns a function that binds a checkout to the order that the merchant names, and records its
 * status. It takes the order away from the checkout that had it, unless the merchant had bound that
 * checkout. It throws a PaywindowError:
 *
 * - `not_found`: there is no such checkout or order.
 * - `invalid_request`: the order contradicts the checkout and `confirmed` is false, or the merchant
 * has bound one of them already.
 * - `service_unavailable`: the order cannot be read.
 */
export function createBindByHand(context: Context, { tracker, bindTo, readSituation }: Parts) {
  const { repository, client, settings, account } = context

  async function readPayable(checkoutId: string): Promise<PayableCheckout> {
    const checkout = await repository.readCheckout(checkoutId)
    // Another account's order may have the same id.
    if (!checkout?.instructions || checkout.account !== account)
      throw new PaywindowError('not_found', `There is no payable checkout ${checkoutId} of this account`)
    return { checkout, instructions: checkout.instructions }
  }

  async function readOrder(orderId: string, to: PayableCheckout): Promise<Order> {
    try {
      return await client.orderDetails(orderId)
    } catch (cause) {
      // The list around the checkout's own attempt may show an order whose details cannot be read.
      const reading = readSituation(to.checkout, to.instructions, 0).then(({ whole }) => whole())
      const situation = await ifServiceAnswers(reading)
      const listed = situation?.listed.find(({ id }) => id.toLowerCase() === orderId.toLowerCase())
      if (listed) return listed
      const code = cause instanceof ServiceError && cause.code === 'not_found' ? 'not_found' : 'service_unavailable'
      throw new PaywindowError(code, `Order ${orderId} cannot be read from the service`, { cause })
    }
  }

  async function takeFrom(checkoutId: string, orderId: string, why: string): Promise<void> {
    await tracker.unbind(checkoutId, orderId, why, ({ evidence }) => evidence !== 'merchant')
  }

  return async (checkoutId: string, written: string, { confirmed = false }: { readonly confirmed?: boolean } = {}) => {
    const to = await readPayable(checkoutId)
    const { checkout } = to
    const order = await readOrder(written, to)
    // A person may write a UUID in capitals, and one order must not have two claims.
    const { id: orderId } = order
    const ownerId = await repository.ownerOf(orderId)
    const otherId = ownerId === checkoutId ? undefined : ownerId
    const other = otherId === undefined ? undefined : await repository.readCheckout(otherId)
    // A claim without a binding does not count, unless its checkout is gone.
    const isTaken = otherId !== undefined && (!other || other.binding?.orderId === orderId)
    const against = isOfOtherSubAccount(order, settings.service.subAccountId)
      ? `its sub-account is ${order.subAccountId}`
      : speaksAgainst(order, to, isTaken)
    if (against !== null && !confirmed)
      throw new PaywindowError(
        'invalid_request',
        `Order ${orderId} does not seem to be checkout ${checkoutId}'s: ${against}. If it is the right order anyway, confirm that: paywindow.bind('${checkoutId}', '${orderId}', { confirmed: true }), or npx paywindow bind --confirm`,
      )
    // Checked before anything is taken away: a refusal must change nothing.
    const boundByHand = `Order ${orderId} or checkout ${checkoutId} is already bound by hand`
    const alreadyBound = new PaywindowError('invalid_request', boundByHand)
    const named = namedByMerchant(checkout)
    if ((named !== undefined && named !== orderId) || namedByMerchant(other) === orderId) throw alreadyBound
    if (other && otherTime(order, other) === null)
      await takeFrom(other.id, orderId, `the merchant gave it to checkout ${checkoutId}`)
    else if (otherId !== undefined) await repository.disownOrder(orderId, otherId)
    if (checkout.binding && checkout.binding.orderId !== orderId)
      await takeFrom(checkoutId, checkout.binding.orderId, 'the merchant named another')
    const bound = await bindTo(checkout, { orderId, evidence: 'merchant', isCertain: true, order })
    if (bound.binding?.orderId !== orderId) throw alreadyBound
    return tracker.record(checkoutId, order)
  }
}

/**
 * Why an order cannot be the checkout's, in words; null if it can. If the checkout was bound to the
 * order before and no other checkout has it, another asset or network may be what the payer
 * deposited by mistake, and does not count.
 */
function speaksAgainst(order: Order, { checkout, instructions }: PayableCheckout, isTaken: boolean): string | null {
  const wasBound = checkout.binding?.orderId === order.id || checkout.excluded.includes(order.id)
  return wasBound && !isTaken
    ? otherTarget(order, checkout, instructions)
    : contradiction(order, checkout, instructions)
}

/** The id of the order to which the merchant has bound a checkout. */
function namedByMerchant(checkout: CheckoutRecord | undefined): string | undefined {
  return checkout?.binding?.evidence === 'merchant' ? checkout.binding.orderId : undefined
}
