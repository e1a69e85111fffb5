/** The first view of a cart on a page that the merchant's own code draws. */
import type { Initial } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import type { Checkouts } from '../checkout/checkouts.ts'
import type { Context } from '../context.ts'
import { type Shown, toInitial, withoutKey } from '../views/initial-view.ts'
import { incomingOf, readReference } from './exchange.ts'
import { isDeliberate } from './handler.ts'

/**
 * A cart and, if the page fixes one, a method. The names are those of `offer`.
 *
 * @example
 * ```ts
 * const target: PageTarget = { reference: 'cart-42', asset: 'BTC', network: 'bitcoin' }
 * ```
 */
export interface PageTarget {
  readonly reference: string
  readonly asset?: string | undefined
  readonly network?: string | undefined
}

/**
 * Returns a function that resolves with undefined if the widget has to ask by itself, and then says
 * what is wrong. A request that only reads creates nothing: crawlers and previews of links follow
 * every link.
 */
export function createReadInitial({ settings, now }: Context, checkouts: Checkouts) {
  async function read(request: Request, { asset, network, ...target }: PageTarget): Promise<Shown | undefined> {
    const reference = readReference(target.reference)
    const method = asset !== undefined && network !== undefined ? { asset, network } : undefined
    if (request.method === 'POST' && isDeliberate(incomingOf(request), settings))
      return withoutKey(await checkouts.open({ reference, ...method }, request))
    const offer = await checkouts.offer(reference, request)
    const { checkout } = offer
    if (checkout && (!method || (checkout.asset.symbol === asset && checkout.network === network))) return { checkout }
    // The widget creates the checkout of the only method without a choice.
    return method || offer.methods.length < 2 ? undefined : { offer }
  }

  return async (request: Request, target: PageTarget): Promise<Initial | undefined> => {
    try {
      const shown = await read(request, target)
      return shown && toInitial(shown, (name) => request.headers.get(name), now())
    } catch (cause) {
      // The widget gets the same PaywindowError, and shows it. No browser is told of other errors.
      const what = 'A page of yours comes without its payment, which could not be read'
      if (!(cause instanceof PaywindowError)) settings.report(new PaywindowError('internal', what, { cause }), {})
      return undefined
    }
  }
}
