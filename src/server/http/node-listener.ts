/** Serves a `Request -> Response` handler from node:http, Express and everything else that passes `(req, res)`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { PaywindowError } from '../../contract/errors.ts'
import { type Incoming, respondOf } from './exchange.ts'
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
  const request = incoming(req, res)
  const {
    status,
    headers,
    body,
    cookies = [],
  } = request
    ? await respondOf(paywindow)(request)
    : errorAnswer(new PaywindowError('invalid_request', 'The request has no usable address or method'))
  res.writeHead(status, cookies.length > 0 ? { ...headers, 'set-cookie': [...cookies] } : headers)
  res.end(req.method === 'HEAD' ? undefined : (body ?? undefined))
}

/** The methods that a web `Request` can have. */
const methods = /^(?!(?:CONNECT|TRACE|TRACK)$)[\w-]+$/i

/** Undefined for what Node passes on but `Request` refuses: a whole URL as a path, a broken `Host`, a method such as TRACE. */
function incoming(req: IncomingMessage, res: ServerResponse): Incoming | undefined {
  const { method = 'GET', url: path = '/', headers } = req
  const { remoteAddress = '', localPort } = req.socket
  // HTTP/2 has it under another name.
  const { ':authority': authority, host = textOf(authority) ?? 'localhost' } = headers
  // Anything else in `Host` would become another part of the address.
  if (!path.startsWith('/') || !/^[\w.:[\]-]+$/.test(host) || !methods.test(method)) return undefined
  const url = URL.parse(`http://${host}${path}`)
  if (!url) return undefined
  let made: Request | undefined
  return {
    method,
    url,
    isFromHere: isHere(remoteAddress) && url.port === String(localPort),
    header: (name) => textOf(headers[name]) ?? null,
    web: () => {
      made ??= toRequest(req, url, goneSignal(res))
      return made
    },
  }
}

const isHere = (address: string) => ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(address)

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value
}

/** Aborts when the client leaves before it has its answer. */
function goneSignal(res: ServerResponse): AbortSignal {
  const gone = new AbortController()
  // An answer that was sent is the usual end, and an abort makes an exception.
  res.once('close', () => {
    if (!res.writableFinished) gone.abort()
  })
  if (res.destroyed) gone.abort()
  return gone.signal
}

function toRequest(req: IncomingMessage, url: URL, signal: AbortSignal): Request {
  const { method = 'GET', headers: received } = req
  const headers = new Headers()
  for (const [name, value] of Object.entries(received)) {
    const text = textOf(value)
    if (text !== undefined && !name.startsWith(':')) headers.set(name, text)
  }
  const body = method === 'GET' || method === 'HEAD' ? {} : { body: bodyOf(req), duplex: 'half' as const }
  const request = new Request(url, { method, headers, ...body, signal })
  if (req.socket.remoteAddress !== undefined) noteSocketAddress(request, req.socket.remoteAddress)
  return request
}

/** The body as it arrives; or, if a parser such as `express.json()` or `express.raw()` has read it already, what that has left. */
function bodyOf(
  req: IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown },
): ReadableStream<Uint8Array> | Buffer<ArrayBuffer> | string {
  if (!req.readableEnded) return Readable.toWeb(req) as ReadableStream<Uint8Array>
  const { body, rawBody } = req
  // Some keep it as it came, too.
  const exact = [rawBody, body].find((each) => typeof each === 'string' || Buffer.isBuffer(each))
  if (exact !== undefined) return typeof exact === 'string' ? exact : Buffer.from(exact as Buffer)
  return body === undefined ? '' : JSON.stringify(body, withoutLost)
}

/** A number that has more digits than JavaScript keeps is another one by now. */
function withoutLost(_: string, value: unknown): unknown {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? null : value
}
