/** Faults between a client and the service. */
import type { Clock } from '../service/clock.ts'

/**
 * A fault of one request. `workDone`: the service did its work before the answer was lost; default
 * false. A fault in the body of an answer always comes after the work.
 *
 * @example
 * ```ts
 * const fault: Fault = { kind: 'status', status: 503, retryAfter: '2' }
 * ```
 */
export type Fault =
  | { readonly kind: 'latency'; readonly beforeMs?: number; readonly afterMs?: number }
  | { readonly kind: 'reset'; readonly workDone?: boolean }
  | { readonly kind: 'hang'; readonly workDone?: boolean }
  | {
      readonly kind: 'status'
      readonly status: number
      readonly message?: string
      readonly retryAfter?: string
      readonly workDone?: boolean
    }
  | { readonly kind: 'html' }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'duplicated' }
  | { readonly kind: 'empty' }

/**
 * Decides what goes wrong with a request; undefined for nothing.
 *
 * @example
 * ```ts
 * const faults: FaultHook = ({ method }) =>
 *   method === 'POST' ? { kind: 'reset', workDone: true } : undefined
 * const sandbox = createSandbox({ faults })
 * ```
 */
export type FaultHook = (request: Request) => Fault | undefined

/** Answers a request with a fault. Rejects as `fetch` does when the connection breaks. */
export async function answerWithFault(
  fault: Fault,
  request: Request,
  work: () => Promise<Response>,
  clock: Clock,
): Promise<Response> {
  switch (fault.kind) {
    case 'latency': {
      if (fault.beforeMs) await clock.sleep(fault.beforeMs, request.signal)
      const response = await work()
      if (fault.afterMs) await clock.sleep(fault.afterMs, request.signal)
      return response
    }
    case 'reset': {
      if (fault.workDone) await work()
      throw connectionReset()
    }
    case 'hang': {
      if (fault.workDone) await work()
      return untilAborted(request.signal)
    }
    case 'status': {
      const date = new Date(clock.now()).toUTCString()
      const headers = new Headers({ 'content-type': 'application/json', date })
      if (fault.retryAfter !== undefined) headers.set('retry-after', fault.retryAfter)
      if (fault.workDone) await work()
      const body = JSON.stringify({ message: fault.message ?? `Fault ${fault.status}` })
      return new Response(body, { status: fault.status, headers })
    }
    case 'html':
      return rewrite(await work(), () => '<!doctype html><title>Gateway</title><h1>Please wait</h1>', 'text/html')
    case 'truncated':
      return rewrite(await work(), (body) => body.slice(0, Math.floor(body.length / 2)))
    case 'duplicated':
      return rewrite(await work(), (body) => body + body)
    case 'empty':
      return rewrite(await work(), () => '')
  }
}

/** The error that Node's `fetch` rejects with when the other side closes the connection. */
function connectionReset(): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
  return new TypeError('fetch failed', { cause })
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

async function rewrite(response: Response, body: (text: string) => string, contentType?: string): Promise<Response> {
  const headers = new Headers(response.headers)
  if (contentType) headers.set('content-type', contentType)
  return new Response(body(await response.text()), { status: response.status, headers })
}
