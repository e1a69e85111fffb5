/** Serves a `Request -> Response` function on a loopback port, to what knows that it is one. */
import { createServer } from 'node:http'
import { toNodeListener } from '../server/http/node-listener.ts'
import { BodyTooLargeError, readBytes } from '../service/body.ts'

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
  const server = createServer(toNodeListener({ fetch: guarded(handler) }))
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

/** Refuses requests that were meant for another name, or whose body is too large. The body is read before the handler is asked. */
function guarded(handler: Handler): Handler {
  return async (request) => {
    try {
      const body = await readBytes(request, maxBodyBytes)
      if (!own.has(new URL(request.url).hostname)) return new Response(null, { status: 403 })
      const { url, method, headers, signal } = request
      return await handler(new Request(url, { method, headers, signal, ...(body.byteLength > 0 && { body }) }))
    } catch (error) {
      // What is left of the body is not read, so the connection cannot be used again.
      if (error instanceof BodyTooLargeError)
        return new Response(null, { status: 413, headers: { connection: 'close' } })
      throw error
    }
  }
}
