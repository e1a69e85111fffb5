/** The first view of a cart on a page that the server draws, without a key. */
import type { Choice, Initial, KeyedCheckout } from '../../contract/checkout.ts'

/** A checkout, or an offer to choose from. */
export type Shown = Pick<Initial, 'checkout' | 'offer'>

/** @param header - The headers of the page's request. @param nowMs - By the server's own clock. */
export function toInitial(shown: Shown, header: (name: string) => string | null, nowMs: number): Initial {
  return { v: 1, writtenAtMs: nowMs, isHeld: isHeld(header), ...shown }
}

/** An opened checkout or choice, without its key. */
export function withoutKey(opened: KeyedCheckout | Choice): Shown {
  if ('offer' in opened) return { offer: opened.offer }
  const { key: _, ...checkout } = opened
  return { checkout }
}

/** Whether the device is a phone: Chrome has a header for it, others say so in `User-Agent`. */
function isHeld(header: (name: string) => string | null): boolean {
  return header('sec-ch-ua-mobile') === '?1' || /\bMobi/.test(header('user-agent') ?? '')
}
