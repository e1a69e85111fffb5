/** Serves a `Request -> Response` handler from node:http, Express and everything else that passes `(req, res)`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { PaywindowError } from '../../contract/errors.ts'
import { errorAnswer } from './responses.ts'
import { noteSocketAddress } from './socket-addresses.ts'

/**
 * Turns `paywindow` into a listener for `createServer(listener)` or `app.use('/paywindow', listener)`.
 *
 * @example
 * ```ts
 * const listener = toNodeListener({ fetch: async () => new Response('hello') })
 * listener.length // => 2
 * ```
 */
export function toNodeListener(paywindow: {
  fetch(request: Request): Promise<Response>
}): (req: IncomingMessage, res: ServerResponse) => void {
  return (req, res) => {
    answer(paywindow, req, res).catch(() => {
      // The connection broke while the answer was written: there is nobody to answer.
      res.destroy()
    })
  }
}

async function answer(
  paywindow: { fetch(request: Request): Promise<Response> },
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const gone = new AbortController()
  // Once it is answered nobody listens, and the error that an abort makes is what costs most of a request.
  res.once('close', () => {
    if (!res.writableFinished) gone.abort()
  })
  const request = toRequest(req, gone.signal)
  const response = request
    ? await paywindow.fetch(request)
    : errorAnswer(new PaywindowError('invalid_request', 'The request has no usable address or method'))
  const body = Buffer.from(await response.arrayBuffer())
  res.writeHead(response.status, Object.fromEntries(response.headers))
  res.end(req.method === 'HEAD' ? undefined : body)
}

/** Undefined for what Node passes on but `Request` refuses: a whole URL as a path, a broken `Host`, a method such as TRACE. */
function toRequest(req: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET', url = '/', headers: received } = req
  const { host = 'localhost' } = received
  // Anything else in `Host` would become another part of the address.
  if (!url.startsWith('/') || !/^[\w.:[\]-]+$/.test(host)) return undefined
  try {
    const headers = new Headers()
    for (const [name, value] of Object.entries(received)) {
      if (value !== undefined && !name.startsWith(':'))
        headers.set(name, Array.isArray(value) ? value.join(', ') : value)
    }
    const body = method === 'GET' || method === 'HEAD' ? {} : { body: bodyOf(req), duplex: 'half' as const }
    const request = new Request(`http://${host}${url}`, { method, headers, ...body, signal })
    if (req.socket.remoteAddress !== undefined) noteSocketAddress(request, req.socket.remoteAddress)
    return request
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** The body as it arrives; or, if a parser such as `express.json()` has read it already, the parsed body. */
function bodyOf(req: IncomingMessage): ReadableStream<Uint8Array> | string {
  if ('body' in req && req.readableEnded && req.body !== undefined) return JSON.stringify(req.body)
  return Readable.toWeb(req) as ReadableStream<Uint8Array>
}
