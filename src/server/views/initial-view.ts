/**
 * What a page that is drawn on a server shows of a cart at first, as a browser gets it: without a
 * key.
 */
import type { Choice, Initial, KeyedCheckout } from '../../contract/checkout.ts'

/** A checkout, or what can be chosen. */
export type Shown = Pick<Initial, 'checkout' | 'offer'>

/**
 * @param header - Of the request that the page answers. @param nowMs - By the server's own clock.
 */
export function toInitial(shown: Shown, header: (name: string) => string | null, nowMs: number): Initial {
  return { v: 1, writtenAtMs: nowMs, isHeld: isHeld(header), ...shown }
}

/** What was opened, without its key. */
export function withoutKey(opened: KeyedCheckout | Choice): Shown {
  if ('offer' in opened) return { offer: opened.offer }
  const { key: _, ...checkout } = opened
  return { checkout }
}

/** As far as the browser says: Chrome names it, others in the name of the browser. */
function isHeld(header: (name: string) => string | null): boolean {
  return header('sec-ch-ua-mobile') === '?1' || /\bMobi/.test(header('user-agent') ?? '')
}
