/** The first view of a cart on a page that the server draws. */
import type { Initial } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import { type Shown, toInitial, withoutKey } from '../views/initial-view.ts'
import type { Checkouts } from './checkouts.ts'

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

/** Undefined if the widget has to ask by itself, and then says what is wrong. */
export type ReadInitial = (request: Request, target: PageTarget) => Promise<Initial | undefined>

interface InitialParts {
  readonly checkouts: Pick<Checkouts, 'offer' | 'open'>
  readonly now: () => number
  /** Throws a PaywindowError unless it is a reference. */
  readonly readReference: (reference: unknown) => string
  /** Whether it is a POST from our own page. */
  readonly isDeliberate: (request: Request) => boolean
  /** Told what no browser is told, such as that the store fails. */
  readonly report: (cause: unknown) => void
}

/** A request that only reads creates nothing: crawlers and previews of links follow every link. */
export function createReadInitial({ checkouts, now, readReference, isDeliberate, report }: InitialParts): ReadInitial {
  async function read(request: Request, { asset, network, ...target }: PageTarget): Promise<Shown | undefined> {
    const reference = readReference(target.reference)
    const method = asset !== undefined && network !== undefined ? { asset, network } : undefined
    if (request.method === 'POST' && isDeliberate(request))
      return withoutKey(await checkouts.open({ reference, ...method }, request))
    const offer = await checkouts.offer(reference, request)
    const { checkout } = offer
    if (checkout && (!method || (checkout.asset.symbol === asset && checkout.network === network))) return { checkout }
    // The widget creates the checkout of the only method without a choice.
    return method || offer.methods.length < 2 ? undefined : { offer }
  }

  return async (request, target) => {
    try {
      const shown = await read(request, target)
      return shown && toInitial(shown, (name) => request.headers.get(name), now())
    } catch (error) {
      // The widget gets the same error, and shows it.
      if (!(error instanceof PaywindowError)) report(error)
      return undefined
    }
  }
}
