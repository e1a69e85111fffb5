/** The visitor's order as the shop's server knows it. */

/** The shop's own order, as its pages show it. */
export interface OrderView {
  readonly number: number
  readonly reference: string
  readonly state: string
  readonly stateText: string
  readonly total: { readonly asset: string; readonly amount: string }
  readonly books: readonly {
    readonly id: string
    readonly title: string
    readonly kind: string
    readonly price: string
    readonly quantity: number
  }[]
}

/**
 * Reads the order, or sends a change to it, and resolves with the order as it is then. Null when
 * that failed.
 */
export async function askOrder(
  path: '/api/order' | '/cart' | '/order/new',
  form?: Record<string, string>,
): Promise<OrderView | null> {
  const init = form ? { method: 'POST', body: new URLSearchParams(form) } : {}
  try {
    const response = await fetch(path, { ...init, headers: { accept: 'application/json' } })
    return response.ok ? readOrder(await response.json()) : null
  } catch {
    // The shop cannot be reached: what is on the page stays, and the next try may update it.
    return null
  }
}

/**
 * Calls `show` with the order every three seconds while the page is visible. Returns a function
 * that stops it.
 */
export function watchOrder(show: (order: OrderView) => void): () => void {
  const timer = setInterval(async () => {
    if (document.visibilityState !== 'visible') return
    const order = await askOrder('/api/order')
    if (order) show(order)
  }, 3000)
  return () => clearInterval(timer)
}

/** The order that the server sent, or null if it is not an order. */
export function readOrder(json: unknown): OrderView | null {
  return isOrder(json) ? json : null
}

function isOrder(json: unknown): json is OrderView {
  if (!isRecord(json) || !isRecord(json.total) || !Array.isArray(json.books)) return false
  return (
    typeof json.number === 'number' &&
    [json.reference, json.state, json.stateText, json.total.asset, json.total.amount].every(isText) &&
    json.books.every(
      (book: unknown) =>
        isRecord(book) &&
        typeof book.quantity === 'number' &&
        [book.id, book.title, book.kind, book.price].every(isText),
    )
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
