/**
 * A merchant server for tests: answers as a test sets, and records the requests.
 */
import { checkoutFixture } from '../checkout/fixture.ts'
import type { Checkout } from '../contract/checkout.ts'

interface FakeRequest {
  readonly method: string
  readonly path: string
  readonly key: string | null
  readonly body: unknown
}

/** An answer, or a way to fail: `down` is a connection that is refused. */
type FakeAnswer =
  | { readonly status?: number; readonly json: unknown; readonly retryAfter?: string }
  | { readonly status: number; readonly text: string }
  | 'down'

type FakeHandler = (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>

/**
 * Answers every creation and poll with `checkout()`. `on` replaces that for one kind of request,
 * such as `'POST /offer'`.
 */
export function fakeMerchant(checkout: () => Checkout = checkoutFixture) {
  const requests: FakeRequest[] = []
  const handlers = new Map<string, FakeHandler>()

  const fallback: FakeHandler = ({ method, body }) => {
    const { reference = checkout().reference } = Object(body)
    return { json: method === 'POST' ? { ...checkout(), reference, key: 'key-of-the-payer' } : checkout() }
  }

  const fetchFake: typeof fetch = async (input, init) => {
    const { method = 'GET', headers, body } = init ?? {}
    const { pathname } = new URL(String(input), 'https://shop.example')
    const path = pathname.replace('/paywindow', '')
    const request = {
      method,
      path,
      key: new Headers(headers).get('paywindow-key'),
      body: typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined,
    }
    requests.push(request)
    const kind = `${method} ${path.replace(/\/checkouts\/[^/]+/, '/checkouts/:id')}`
    const answer = await (handlers.get(kind) ?? fallback)(request)
    if (init?.signal?.aborted) throw new DOMException('aborted', 'AbortError')
    if (answer === 'down') throw new TypeError('Failed to fetch')
    if ('text' in answer) return new Response(answer.text, { status: answer.status })
    return Response.json(answer.json, {
      status: answer.status ?? 200,
      headers: answer.retryAfter ? { 'retry-after': answer.retryAfter } : {},
    })
  }

  return {
    fetch: fetchFake,
    requests,
    on: (kind: string, handler: FakeHandler) => handlers.set(kind, handler),
    reset: (kind: string) => handlers.delete(kind),
    count: (kind: string) => requests.filter(({ method, path }) => `${method} ${path}` === kind).length,
  }
}

/** The body of an error answer. */
export function errorJson(code: string): unknown {
  return { v: 1, error: { code, message: `said ${code}` } }
}
