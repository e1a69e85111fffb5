/** Serves a `Request -> Response` handler from node:http, Express and everything else that passes `(req, res)`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { PaywindowError } from '../contract/errors.ts'
import { errorAnswer } from './answers.ts'
import { noteSocketAddress } from './socket-addresses.ts'

/** Turns `paywindow` into a listener for `createServer(listener)` or `app.use('/paywindow', listener)`. */
export function toNodeListener(paywindow: {
  fetch(request: Request): Promise<Response>
}): (req: IncomingMessage, res: ServerResponse) => void {
  return (req, res) => {
    answer(paywindow, req, res).catch(() => {
      // The connection broke while the answer was written: there is nobody to tell.
      res.destroy()
    })
  }
}

async function answer(
  paywindow: { fetch(request: Request): Promise<Response> },
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const request = toRequest(req)
  const response = request
    ? await paywindow.fetch(request)
    : errorAnswer(new PaywindowError('invalid_request', 'The request has no usable address'))
  const body = Buffer.from(await response.arrayBuffer())
  res.writeHead(response.status, Object.fromEntries(response.headers))
  res.end(req.method === 'HEAD' ? undefined : body)
}

function toRequest(req: IncomingMessage): Request | undefined {
  const url = `http://${req.headers.host ?? 'localhost'}${req.url ?? '/'}`
  if (!URL.canParse(url)) return undefined
  const headers = new Headers()
  for (const [name, value] of Object.entries(req.headers)) {
    if (value !== undefined && !name.startsWith(':')) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const method = req.method ?? 'GET'
  const body = method === 'GET' || method === 'HEAD' ? {} : { body: bodyOf(req), duplex: 'half' as const }
  const request = new Request(url, { method, headers, ...body })
  if (req.socket.remoteAddress !== undefined) noteSocketAddress(request, req.socket.remoteAddress)
  return request
}

/** The body as it comes; or, where a parser such as `express.json()` has read it already, what that left. */
function bodyOf(req: IncomingMessage): ReadableStream<Uint8Array> | string {
  if ('body' in req && req.readableEnded && req.body !== undefined) return JSON.stringify(req.body)
  return Readable.toWeb(req) as ReadableStream<Uint8Array>
}
