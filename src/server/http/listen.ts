/** A Node server with the times that browsers and proxies need. */
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import { ReadableStream as Parts } from 'node:stream/web'
import { PaywindowError } from '../../contract/errors.ts'
import { checkNames } from '../../contract/option-names.ts'
import { noteSocketAddress } from './clients.ts'
import { errorAnswer, type FetchServer, type Incoming, respondOf, toPublicError } from './exchange.ts'

/** Proxies keep a connection for a minute. If the server closes first, a request may be lost. */
const keepAliveMs = 65_000
/** A request has to arrive whole within this time. Bodies have some hundred bytes. */
const requestMs = 15_000
/** How often Node looks for late requests. Its default is every 30 seconds. */
const checkMs = 1_000

/**
 * A server that listens.
 *
 * @example
 * ```ts
 * const server = { fetch: async () => new Response('hello') }
 * const listening: Listening = await listen(server, { port: 0 })
 * await listening.close()
 * ```
 */
export interface Listening {
  readonly port: number
  /** Takes no more requests. Resolves when those under way are answered. */
  close(): Promise<void>
}

/**
 * Serves `paywindow` on a port of its own. Connections are kept for 65 seconds, so that a browser
 * needs one for all its polls. Requests that do not arrive whole within 15 seconds are cut, at most
 * a second later. `toNodeListener` is the listener for a server of your own. Set its
 * `keepAliveTimeout` to 65,000 ms, which browsers need, and `connectionsCheckingInterval` to how
 * often Node cuts late requests: by default every 30 seconds.
 *
 * @param options - `port`: 0 for any free port. `host`: the address to listen on; default: all.
 * @returns Resolves when it listens. Rejects with Node's error, code `EADDRINUSE` where the port is
 *   taken, or with `invalid_options`.
 *
 * @example
 * ```ts
 * const service = createSandbox().access
 * const paywindow = createPaywindow({ service, offer: () => null, storePath: ':memory:' })
 * const { port, close } = await listen(paywindow, { port: 0, host: '127.0.0.1' })
 * const answer = await fetch(`http://127.0.0.1:${port}/paywindow/offer?reference=cart-42`)
 * answer.status // => 404
 * await close()
 * ```
 */
export async function listen(
  paywindow: { fetch(request: Request): Promise<Response> },
  options: { readonly port: number; readonly host?: string },
): Promise<Listening> {
  checkNames('listen', options, { port: 0, host: 0 })
  const { port } = options
  // Without a port Node takes any free one.
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new PaywindowError('invalid_options', 'listen: port must be a whole number from 0 to 65535')
  const server = createServer(serverTimes(requestMs), toNodeListener(paywindow))
  return {
    port: await openPort(server, options),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        // Node would keep a connection after the answer to its request.
        server.keepAliveTimeout = 1
      }),
  }
}

/** Node's settings for a server that cuts requests which do not arrive whole within so many ms. */
export function serverTimes(requestMs: number): ServerOptions {
  return {
    keepAliveTimeout: keepAliveMs,
    headersTimeout: requestMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
  }
}

/**
 * Makes a listener for `createServer(listener)` or `app.use('/paywindow', listener)`.
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
    // If the connection breaks during the answer, nobody is left to answer.
    answer(paywindow, req, res).catch(() => res.destroy())
  }
}

async function answer(paywindow: FetchServer, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const request = incoming(req, res)
  const answered = request
    ? await respondOf(paywindow)(request)
    : errorAnswer(toPublicError(new PaywindowError('invalid_request', 'The request has no usable address or method')))
  const { status, headers, body, cookies = [] } = answered
  res.writeHead(status, cookies.length > 0 ? { ...headers, 'set-cookie': [...cookies] } : headers)
  res.end(req.method === 'HEAD' ? undefined : (body ?? undefined))
  // Throws away what was not read.
  req.resume()
}

/** The methods that a web `Request` can have. */
const methods = /^(?!(?:CONNECT|TRACE|TRACK)$)[\w-]+$/i
/**
 * Paths that `URL` and a proxy with rules for paths may read differently: `\`, `#` and steps back.
 */
const ambiguous = /^[^?]*?(?:[\\#]|\/(?:\.|%2e){1,2}(?:[/?]|$))/i

/**
 * Undefined for an ambiguous path, or for what `Request` refuses: a URL for a path, a broken
 * `Host`, the method TRACE.
 */
function incoming(req: IncomingMessage, res: ServerResponse): Incoming | undefined {
  const { method = 'GET', url: path = '/', headers } = req
  const { remoteAddress = '', localPort } = req.socket
  // HTTP/2 has the host under another name.
  const { ':authority': authority, host = textOf(authority) ?? 'localhost' } = headers
  // Other characters in `Host` would become another part of the address.
  if (!path.startsWith('/') || ambiguous.test(path) || !/^[\w.:[\]-]+$/.test(host) || !methods.test(method))
    return undefined
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
  // Not after a sent answer: an abort makes an exception.
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

/** The body as it arrives or, after a parser such as `express.json()`, the parser's result. */
function bodyOf(
  req: IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown },
): ReadableStream<Uint8Array> | Buffer<ArrayBuffer> | string {
  // Not `Readable.toWeb`: it destroys a request that is not read to its end, and the rest of the body
  // would stay on the connection before the next request.
  if (!req.readableEnded) return Parts.from(req.iterator({ destroyOnReturn: false })) as ReadableStream<Uint8Array>
  const { body, rawBody, headers } = req
  // Some parsers keep the text or the bytes, too.
  const exact = [rawBody, body].find((each) => typeof each === 'string' || each instanceof Uint8Array)
  if (exact !== undefined) return typeof exact === 'string' ? exact : Buffer.from(exact as Uint8Array)
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')
  if (isForm) return `${new URLSearchParams(body as Record<string, string> | undefined)}`
  return body === undefined ? '' : JSON.stringify(body, withoutLost)
}

/** A parser has rounded a number with more digits than JavaScript keeps. */
function withoutLost(_: string, value: unknown): unknown {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? null : value
}

/** Options and errors as of `listen`. Resolves with the port when the server listens. */
export function openPort(
  server: Server,
  { port, host }: { readonly port: number; readonly host?: string | undefined },
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}
