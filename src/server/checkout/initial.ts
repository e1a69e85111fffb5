/** What a page that is drawn on a server shows of a cart at first. */
import type { Checkout, Choice, Initial, KeyedCheckout } from '../../contract/checkout.ts'
import { PaywindowError } from '../../contract/errors.ts'
import type { Checkouts } from './checkouts.ts'

/** A cart, and where the page fixes it, the method; each name as `offer` has it. */
export interface PageTarget {
  readonly reference: string
  readonly asset?: string | undefined
  readonly network?: string | undefined
}

/** Undefined where the widget has to ask by itself: then it also says what is wrong. */
export type ReadInitial = (request: Request, target: PageTarget) => Promise<Initial | undefined>

/** A request that only reads creates nothing: crawlers and previews of links follow every link. */
export function createReadInitial(checkouts: Pick<Checkouts, 'offer' | 'open'>, now: () => number): ReadInitial {
  async function read(request: Request, { reference, asset, network }: PageTarget): Promise<Shown | undefined> {
    const method = asset !== undefined && network !== undefined ? { asset, network } : undefined
    if (request.method === 'POST') return withoutKey(await checkouts.open({ reference, ...method }, request))
    const offer = await checkouts.offer(reference, request)
    const { checkout } = offer
    if (checkout && (!method || isOf(checkout, method))) return { checkout }
    // The widget creates the checkout of the only method without a choice.
    return method || offer.methods.length < 2 ? undefined : { offer }
  }

  return async (request, target) => {
    try {
      const shown = await read(request, target)
      return shown && { v: 1, writtenAtMs: now(), isHeld: isHeld(request), ...shown }
    } catch (error) {
      // The widget is told the same, and says it.
      if (error instanceof PaywindowError) return undefined
      throw error
    }
  }
}

type Shown = Pick<Initial, 'checkout' | 'offer'>

function withoutKey(opened: KeyedCheckout | Choice): Shown {
  if ('offer' in opened) return { offer: opened.offer }
  const { key: _, ...checkout } = opened
  return { checkout }
}

function isOf({ asset, network }: Checkout, method: Required<Omit<PageTarget, 'reference'>>): boolean {
  return asset.symbol === method.asset && network === method.network
}

/** As far as the browser says: Chrome names it, others in the name of the browser. */
function isHeld({ headers }: Request): boolean {
  return headers.get('sec-ch-ua-mobile') === '?1' || /\bMobi/.test(headers.get('user-agent') ?? '')
}
