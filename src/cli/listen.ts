/** Serves a `Request -> Response` function on a loopback port, to what knows that it is one. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

type Handler = (request: Request) => Promise<Response>

/** A server that listens. */
export interface Listening {
  readonly port: number
  /** Ends it, and every connection with it. */
  close(): Promise<void>
}

/**
 * Names of this machine. A page of another site can have its own name lead here, and would then read what is answered as its own
 * (DNS rebinding). At any port: a browser names the one it came to, which a forwarding may have changed.
 */
const own: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Requests with more bytes are refused with 413. */
const maxBodyBytes = 1_048_576

/**
 * @param port - 0 for any that is free.
 * @returns When it listens. Rejects with Node's error, code `EADDRINUSE` when the port is taken.
 */
export function listen(handler: Handler, port: number): Promise<Listening> {
  const server = createServer((incoming, outgoing) => {
    // Whatever goes wrong with one request, also its connection, ends that one and not the server.
    answer(handler, incoming, outgoing).catch(() => outgoing.destroy())
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : port,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed())
            server.closeAllConnections()
          }),
      })
    })
  })
}

async function answer(handler: Handler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  const body = await readBody(incoming)
  if (body === undefined) {
    // What is left of the body is not read, so the connection cannot be used again.
    outgoing.writeHead(413, { connection: 'close' }).end()
    return
  }
  const request = toRequest(incoming, body, gone.signal)
  if (request === undefined) {
    outgoing.writeHead(400).end()
    return
  }
  if (!own.has(new URL(request.url).hostname)) {
    outgoing.writeHead(403).end()
    return
  }
  const response = await handler(request)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(Buffer.from(await response.arrayBuffer()))
}

/** Undefined for what Node passes on and `Request` does not take: a broken `Host`, a method such as TRACE. */
function toRequest(incoming: IncomingMessage, body: Uint8Array<ArrayBuffer>, signal: AbortSignal) {
  const { method = 'GET', url = '/' } = incoming
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values]) =>
    (values ?? []).map((value): [string, string] => [name, value]),
  )
  try {
    return new Request(`http://${incoming.headers.host ?? '127.0.0.1'}${url}`, {
      method,
      headers,
      ...(body.length > 0 && method !== 'GET' && method !== 'HEAD' ? { body } : {}),
      signal,
    })
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

async function readBody(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | undefined> {
  let bytes = 0
  const counted = async function* () {
    for await (const chunk of incoming) {
      bytes += chunk.length
      if (bytes > maxBodyBytes) return
      yield chunk
    }
  }
  const body = await buffer(counted())
  return bytes > maxBodyBytes ? undefined : new Uint8Array(body)
}
