/** The shop's own orders, in SQLite: each belongs to one visitor's session. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { books, type Cart, dollars, firstCart, totalCents } from './catalog.ts'

/**
 * `open`: can be changed and paid. `seen`: a deposit is being confirmed. `paid`: fulfil it.
 * `review`: money arrived that does not fit, so a person must look at it.
 */
export type OrderState = 'open' | 'seen' | 'paid' | 'review'

/** The shop's own order. */
export interface Order {
  readonly number: number
  readonly session: string
  readonly cart: Cart
  readonly state: OrderState
}

/** The shop's orders. */
export interface Orders {
  /** The current order of this session, created if there is none. */
  current(session: string): Order
  /** Starts another order for this session. */
  start(session: string): Order
  /** The order that a reference names; null when there is none. */
  byReference(reference: string): Order | null
  setCart(number: number, cart: Cart): void
  setState(number: number, state: OrderState): void
  close(): void
}

/**
 * The name under which an order is paid. It gives no access: the session decides whose order it is.
 */
export function referenceOf(order: Order): string {
  return `order-${order.number}`
}

/** The name of the visitor's till: of what is typed there, each payment's name begins with it. */
export function tillOf(order: Order): string {
  return `till-${order.number}`
}

/** What the order costs, in US dollars. */
export function priceOf(order: Order): { asset: string; amount: string } {
  return { asset: 'USD', amount: dollars(totalCents(order.cart)) }
}

/** @param path - File of the database, or `:memory:`. */
export function openOrders(path: string): Orders {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const database = new DatabaseSync(path)
  // Numbers start at 1042, like those of a shop that has been open for a while.
  database.exec(`
    CREATE TABLE IF NOT EXISTS orders (number INTEGER PRIMARY KEY, session TEXT NOT NULL, cart TEXT NOT NULL, state TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS orders_of_session ON orders (session, number);
  `)
  const insert = database.prepare(
    `INSERT INTO orders SELECT max(1041, coalesce(max(number), 0)) + 1, ?, ?, 'open' FROM orders RETURNING *`,
  )
  const newest = database.prepare('SELECT * FROM orders WHERE session = ? ORDER BY number DESC LIMIT 1')
  const byNumber = database.prepare('SELECT * FROM orders WHERE number = ?')
  const cart = database.prepare('UPDATE orders SET cart = ? WHERE number = ?')
  const state = database.prepare('UPDATE orders SET state = ? WHERE number = ?')
  const start = (session: string) => readOrder(insert.get(session, JSON.stringify(firstCart)))
  return {
    start,
    current(session) {
      const row = newest.get(session)
      return row ? readOrder(row) : start(session)
    },
    byReference(reference) {
      const row = byNumber.get(Number(reference.match(/^order-(\d{1,9})$/)?.[1] ?? 0))
      const order = row ? readOrder(row) : null
      // Another spelling of the number would be another cart, which can be paid too.
      return order && referenceOf(order) === reference ? order : null
    },
    setCart: (number, changed) => void cart.run(JSON.stringify(changed), number),
    setState: (number, changed) => void state.run(changed, number),
    close: () => database.close(),
  }
}

function readOrder(row: Record<string, unknown> | undefined): Order {
  const state = (['open', 'seen', 'paid', 'review'] as const).find((known) => known === row?.state)
  if (typeof row?.number !== 'number' || typeof row.session !== 'string' || state === undefined) {
    throw new Error('the table of orders contains an invalid row')
  }
  return { number: row.number, session: row.session, cart: readCart(row.cart), state }
}

function readCart(text: unknown): Cart {
  const json: unknown = JSON.parse(String(text))
  const quantities =
    typeof json === 'object' && json !== null ? new Map<string, unknown>(Object.entries(json)) : new Map()
  return Object.fromEntries(books.map(({ id }) => [id, Number(quantities.get(id) ?? 0)]))
}
