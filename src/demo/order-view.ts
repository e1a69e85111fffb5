/** An order as the shop's own browser code receives it: in the React page, and as JSON. */
import { books, dollars } from './catalog.ts'
import { type Order, type OrderState, priceOf, referenceOf } from './orders.ts'

/** Texts for the state of an order, as the server knows it. */
export const stateTexts: Readonly<Record<OrderState, string>> = {
  open: 'Waiting for payment',
  seen: 'Deposit seen, being confirmed',
  paid: 'Paid. Your books are on their way.',
  review: 'We are looking into your payment',
}

/** What the storefront draws. */
export function viewOf(order: Order) {
  return {
    number: order.number,
    reference: referenceOf(order),
    state: order.state,
    stateText: stateTexts[order.state],
    total: priceOf(order),
    books: books.map(({ id, title, kind, priceCents }) => ({
      id,
      title,
      kind,
      price: `${dollars(priceCents)} USD`,
      quantity: order.cart[id] ?? 0,
    })),
  }
}
