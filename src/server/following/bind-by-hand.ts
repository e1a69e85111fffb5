/** Binds a checkout by the merchant's decision, which outranks all evidence except an earlier decision. */
import { PaywindowError } from '../../contract/errors.ts'
import { ServiceError } from '../../service/errors.ts'
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import { contradiction, isOfOtherSubAccount } from '../orders/agreement.ts'
import type { CheckoutRecord } from '../records/types.ts'
import type { BindTo } from './binding.ts'
import type { Tracker } from './tracker.ts'

/**
 * @throws PaywindowError `not_found` where there is no such checkout or order, `invalid_request` where the order contradicts the
 * checkout or was bound by the merchant already, `service_unavailable` where the order cannot be read.
 */
export type BindByHand = (checkoutId: string, orderId: string) => Promise<CheckoutRecord>

/** Takes the order away from the checkout that had it, unless the merchant bound it to that one. */
export function createBindByHand(
  { repository, client, settings }: Pick<Context, 'repository' | 'client' | 'settings'>,
  { tracker, bindTo }: { readonly tracker: Pick<Tracker, 'record' | 'unbind'>; readonly bindTo: BindTo },
): BindByHand {
  async function payable(checkoutId: string) {
    const checkout = await repository.readCheckout(checkoutId)
    if (!checkout?.instructions) throw new PaywindowError('not_found', `There is no payable checkout ${checkoutId}`)
    return { checkout, instructions: checkout.instructions }
  }

  async function readOrder(orderId: string): Promise<Order> {
    try {
      return await client.orderDetails(orderId)
    } catch (cause) {
      const code = cause instanceof ServiceError && cause.code === 'not_found' ? 'not_found' : 'service_unavailable'
      throw new PaywindowError(code, `Order ${orderId} cannot be read from the service`, { cause })
    }
  }

  async function takeFrom(checkoutId: string, orderId: string, why: string): Promise<void> {
    await tracker.unbind(checkoutId, orderId, why, ({ evidence }) => evidence !== 'merchant')
  }

  return async (checkoutId, orderId) => {
    const { checkout, instructions } = await payable(checkoutId)
    const order = await readOrder(orderId)
    const against = isOfOtherSubAccount(order, settings.service.subAccountId)
      ? `its sub-account is ${order.subAccountId}`
      : contradiction(order, checkout, instructions)
    if (against)
      throw new PaywindowError('invalid_request', `Order ${orderId} cannot be checkout ${checkoutId}'s: ${against}`)
    const ownerId = await repository.ownerOf(orderId)
    // Before anything is taken: what is refused must leave all as it was.
    const alreadyBound = new PaywindowError(
      'invalid_request',
      `Order ${orderId} or checkout ${checkoutId} is already bound by hand`,
    )
    const otherId = ownerId === checkoutId ? undefined : ownerId
    const other = otherId === undefined ? undefined : await repository.readCheckout(otherId)
    const named = namedByMerchant(checkout)
    if ((named !== undefined && named !== orderId) || namedByMerchant(other) === orderId) throw alreadyBound
    if (otherId !== undefined) await takeFrom(otherId, orderId, `the merchant gave it to checkout ${checkoutId}`)
    if (checkout.binding && checkout.binding.orderId !== orderId)
      await takeFrom(checkoutId, checkout.binding.orderId, 'the merchant named another')
    const bound = await bindTo(checkout, { orderId, evidence: 'merchant', isCertain: true })
    if (bound.binding?.orderId !== orderId) throw alreadyBound
    return tracker.record(checkoutId, order)
  }
}

/** The order to which the merchant has bound a checkout. */
function namedByMerchant(checkout: CheckoutRecord | undefined): string | undefined {
  return checkout?.binding?.evidence === 'merchant' ? checkout.binding.orderId : undefined
}
