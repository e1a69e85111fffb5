/** The offers for carts. A third of the carts cost the same, so their orders can be confused. */
import type { MerchantOffer } from '../../../src/server/offers.ts'

/** What the references of carts begin with that are paid by a link alone. */
export const linked = 'linked'

/** Whether a cart is paid by a link alone. */
export function isLinked(reference: string): boolean {
  return reference.startsWith(linked)
}

/** Returns the offer for a cart. */
export function offerFor(reference: string): MerchantOffer {
  const number = Number(reference.split('-')[1])
  const amount = number % 3 === 0 ? '20.00' : `${(number % 400) + 5}.${String(10 + (number % 89))}`
  return {
    price: { asset: 'USD', amount },
    methods: [
      number % 2 === 0
        ? { asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }
        : { asset: 'XRP', network: 'ripple', name: 'XRP' },
    ],
    merchant: { name: 'Lantern Books' },
  }
}
