/** What a browser can ask for. Errors are PaywindowErrors with public codes. */
import type { Handover, Offer } from '../../contract/checkout.ts'
import type { Context } from '../context.ts'
import type { Binder } from '../following/binder.ts'
import type { Tracker } from '../following/tracker.ts'
import type { IconNames } from '../icons/icon-names.ts'
import { askOffer } from '../offers.ts'
import type { Allowance } from './allowance.ts'
import { createCartViews } from './cart-views.ts'
import { createAccess } from './handover.ts'
import { createOffering } from './offering.ts'
import { createOpen, type Open } from './open.ts'
import { createPayable } from './payable.ts'
import { createPollCheckout, type PollCheckout } from './poll.ts'
import { createRenew, type Renew } from './renew.ts'

interface Parts {
  readonly binder: Binder
  readonly tracker: Tracker
  readonly iconNames: Pick<IconNames, 'nameOf'>
  readonly allowance: Allowance
}

/** The calls of a browser, one for each route. */
export interface Checkouts {
  offer(reference: string, request: Request): Promise<Offer>
  readonly open: Open
  readonly poll: PollCheckout
  readonly renew: Renew
  handover(id: string, key: string): Promise<Handover>
}

/** Puts the calls together from the parts of this room. */
export function createCheckouts(
  context: Pick<
    Context,
    'repository' | 'settings' | 'ids' | 'now' | 'plannedNow' | 'time' | 'sleep' | 'inBackground' | 'account' | 'isOwn'
  >,
  { allowance, binder, tracker, iconNames }: Parts,
): Checkouts {
  const access = createAccess(context)
  const views = createCartViews(context)
  const offering = createOffering(context, iconNames)
  const payable = createPayable(context, views, allowance)
  return {
    offer: async (reference, request) => {
      const offer = await askOffer(context.settings.offer, reference, request)
      const view = await views.read(reference)
      views.refuseReuse(view, offer.terms.price)
      return offering(reference, offer, view)
    },
    open: createOpen(context, { views, offering, payable, allowance }),
    poll: createPollCheckout(context, { access, views, binder, tracker }),
    renew: createRenew(context, { access, views, payable, allowance }),
    handover: access.handOver,
  }
}
