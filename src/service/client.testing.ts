/**
 * For tests: a client whose service is a function. Records what was sent, and runs in virtual time.
 */
import { createServiceClient } from './client.ts'
import { ServiceError } from './errors.ts'
import type { ServiceOptions } from './options.ts'
import type { ServiceClient } from './types.ts'
import { createVirtualClock, type VirtualClock } from './virtual-clock.testing.ts'

/** One request as it was sent. */
interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Plays the service; `signal` is the one that the client gave to `fetch`. */
export type Handler = (request: Request, signal: AbortSignal | null) => Response | Promise<Response>

/** A client of `handler`, the requests that it sent, and its clock. */
export function setUp(handler: Handler, options: Partial<ServiceOptions> = {}) {
  const clock: VirtualClock = createVirtualClock()
  const requests: Sent[] = []
  const client: ServiceClient = createServiceClient({
    baseUrl: 'https://service.example',
    accessToken: 'secret-token',
    subAccountId: 'sub-1',
    clock,
    random: () => 0.5,
    ...options,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      const body = await request.clone().text()
      requests.push({ method: request.method, url: request.url, headers: Object.fromEntries(request.headers), body })
      return handler(request, init?.signal ?? null)
    },
  })
  return { client, clock, requests }
}

/** A service that always gives the same answer. */
export function answer(body: string, init: ResponseInit = {}): Handler {
  return () => new Response(body, init)
}

/** The `ServiceError` that work rejects with. */
export async function failure(work: Promise<unknown>): Promise<ServiceError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ServiceError) return error
  throw new Error(`Expected a ServiceError, got ${String(error)}`)
}

/** A creation that the sandbox accepts. */
export const order = { sourceAsset: 'ETH', targetAsset: 'USD', network: 'erc-20', targetAmount: '49.90' }
/** The first page of a list. */
export const query = { page: 1, size: 10 }
