/** How every page of the bench gets its order: one POST to the same server before it draws. */

/** An order as the merchant server of the bench answers it. */
export interface Order {
  readonly id: string
  readonly address: string
  readonly amount: string
  readonly expiresInMs: number
}

/** Requests an order. */
export async function order(): Promise<Order> {
  const body = JSON.stringify({ reference: 'order-1042' })
  const response = await fetch('/paywindow/checkouts', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  return response.json()
}

/** Reads the status of an order. */
export async function statusOf(id: string): Promise<string> {
  const { status }: { status: string } = await (await fetch(`/paywindow/checkouts/${id}`)).json()
  return status
}

/** The payment code's text. */
export function uriOf({ address, amount }: Order): string {
  return `bitcoin:${address}?amount=${amount}`
}

/** The time left until `endMs` of the page's clock, as `m:ss`. */
export function clockText(endMs: number): string {
  const seconds = Math.max(0, Math.round((endMs - performance.now()) / 1000))
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`
}
