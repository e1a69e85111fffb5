/** Answers a poll with what is known after a look at the service, or with what was known before if the service is slow. */
import type { Checkout } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import { ServiceError } from '../../service/errors.ts'
import { endsWithin } from '../../service/within.ts'
import type { Context } from '../context.ts'
import type { Binder } from '../following/binder.ts'
import type { Tracker } from '../following/tracker.ts'
import type { CheckoutRecord } from '../records/types.ts'
import { toCheckout } from '../views/browser-view.ts'
import type { CartViews } from './cart-views.ts'
import type { Access } from './handover.ts'

/** The cart is not read again after a look that brought nothing new and took less than this. */
const sameMomentMs = 500
/** A poll waits this long for the service; then it is answered with what is known. */
const patienceMs = 4_000

interface Parts {
  readonly access: Access
  readonly views: CartViews
  readonly binder: Binder
  readonly tracker: Tracker
}

/** The checkout as it is now. Rejects with `not_found` where the key is not one of its own. */
export type PollCheckout = (id: string, key: string) => Promise<Checkout>

/** Waits four seconds for the service at most; a failure of the service is no failure of the poll. */
export function createPollCheckout(
  {
    repository,
    settings,
    now,
    time,
    sleep,
    inBackground,
    isOwn,
  }: Pick<Context, 'repository' | 'settings' | 'now' | 'time' | 'sleep' | 'inBackground' | 'isOwn'>,
  { access, views, binder, tracker }: Parts,
): PollCheckout {
  /** If the list cannot be read, the payer can still pay, and the next poll tries again. */
  async function look(checkout: CheckoutRecord): Promise<CheckoutRecord> {
    try {
      if (checkout.binding) return await tracker.look(await binder.recheck(checkout))
      const found = await binder.tryBind(checkout)
      return found === 'by others' ? checkout : found
    } catch (error) {
      if (error instanceof ServiceError) return checkout
      throw error
    }
  }

  async function refreshed(checkout: CheckoutRecord): Promise<CheckoutRecord> {
    const looked = look(checkout)
    if (await endsWithin({ now, sleep }, patienceMs, looked)) return looked
    inBackground(looked)
    return (await repository.readCheckout(checkout.id)) ?? checkout
  }

  return async (id, key) => {
    const before = await views.around(id)
    const { checkout, viewOnly } = access.authorise(before?.checkout, key)
    // A browser has the key of a checkout that has an address: the store has lost the order that this page shows.
    if (!checkout.instructions)
      throw new PaywindowError('not_found', 'The store does not have the order of this checkout')
    // Nobody would learn of a payment to it.
    if (!(await isOwn(checkout.account)))
      throw new PaywindowError('not_found', 'This checkout is of another account of the service')
    const readAtMs = now()
    const latest = await refreshed(checkout)
    const isSame = before && latest === checkout && now() - readAtMs < sameMomentMs
    const view = isSame ? before.view : await views.read(latest.reference)
    return toCheckout(latest, view, settings, time(), { viewOnly })
  }
}
