/** Decides who may see a checkout: whoever has its key, and for a while whoever has a link to view it. */
import type { Handover } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import { hashOf, sameSecret } from '../records/ids.ts'
import type { CheckoutRecord } from '../records/types.ts'

const handoverMs = 20 * 60_000
/** Links of one checkout that are valid at the same time; the oldest are dropped first. */
const maxLinks = 21

/** Each throws `not_found` where the key is not one of the checkout's. */
export interface Access {
  /** The checkout that was read for a key, and whether the key only allows viewing. */
  authorise(checkout: CheckoutRecord | undefined, key: string): { checkout: CheckoutRecord; viewOnly: boolean }
  /** The checkout of its payer's own key. */
  payersOwn(id: string, key: string): Promise<CheckoutRecord>
  /** Makes a key that allows viewing for 20 minutes. */
  handOver(id: string, key: string): Promise<Handover>
}

/** Keys are compared in constant time; only hashes of links are stored. */
export function createAccess({ repository, ids, now }: Pick<Context, 'repository' | 'ids' | 'now'>): Access {
  const authorise: Access['authorise'] = (checkout, key) => {
    if (checkout && sameSecret(checkout.key, key)) return { checkout, viewOnly: false }
    const tokenHash = hashOf(key)
    if (checkout?.views.some((view) => view.tokenHash === tokenHash && view.untilMs > now()))
      return { checkout, viewOnly: true }
    throw new PaywindowError('not_found', 'There is no such checkout, or this is not its key')
  }

  const payersOwn: Access['payersOwn'] = async (id, key) => {
    const { checkout, viewOnly } = authorise(await repository.readCheckout(id), key)
    if (viewOnly) throw new PaywindowError('not_found', 'This checkout was opened to look at only')
    return checkout
  }

  return {
    authorise,
    payersOwn,
    handOver: async (id, key) => {
      const checkout = await payersOwn(id, key)
      const token = ids.secret()
      const view = { tokenHash: hashOf(token), untilMs: now() + handoverMs }
      await repository.updateCheckout(checkout.id, (current) => ({
        ...current,
        views: [...current.views.filter(({ untilMs }) => untilMs > now()).slice(1 - maxLinks), view],
      }))
      return { v: 1, token, expiresInMs: handoverMs }
    },
  }
}
