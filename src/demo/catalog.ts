/** What Lantern Books sells. Prices are known here, on the server, and nowhere else. */

interface Book {
  readonly id: string
  readonly title: string
  readonly kind: string
  readonly priceCents: number
}

/** The number of copies of each book, by its id. */
export type Cart = Readonly<Record<string, number>>

/** What the shop sells. Prices are in US dollars. */
export const books: readonly Book[] = [
  { id: 'almanac', title: 'The Lighthouse Almanac', kind: 'Hardback', priceCents: 2990 },
  { id: 'fog', title: 'Field Notes on Fog', kind: 'Paperback', priceCents: 2000 },
]

/** What a visitor finds in the cart at first: one of each, 49.90 USD. */
export const firstCart: Cart = Object.fromEntries(books.map(({ id }) => [id, 1]))

/** The most copies of one book that an order may have. */
export const maxQuantity = 9

/** Reads a number of copies from what a browser sent. Null if that many cannot be ordered. */
export function parseQuantity(text: unknown): number | null {
  const quantity = typeof text === 'string' && /^\d$/.test(text) ? Number(text) : -1
  return quantity >= 0 && quantity <= maxQuantity ? quantity : null
}

/**
 * The cart with another number of copies of one book; null when there is no such book, or nothing
 * would be left to pay.
 */
export function withQuantity(cart: Cart, bookId: string, quantity: number): Cart | null {
  if (!books.some(({ id }) => id === bookId)) return null
  const changed = { ...cart, [bookId]: quantity }
  return totalCents(changed) > 0 ? changed : null
}

/** Sum of the cart in cents. */
export function totalCents(cart: Cart): number {
  return books.reduce((sum, { id, priceCents }) => sum + priceCents * (cart[id] ?? 0), 0)
}

/** Cents as exact decimal text: `4990` is `'49.90'`. */
export function dollars(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}
