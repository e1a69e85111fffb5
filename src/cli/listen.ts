/** Serves a `Request -> Response` function on a loopback port, only to clients that address it by a loopback name. */
import { createServer } from 'node:http'
import { openPort, toNodeListener } from '../server/http/listen.ts'
import { BodyTooLargeError, readBytes } from '../service/body.ts'

type Handler = (request: Request) => Promise<Response>

/** A server that listens. */
export interface Listening {
  readonly port: number
  /** Stops the server and closes all its connections. */
  close(): Promise<void>
}

/**
 * Names of this machine. Another site can make its own name resolve to this machine, and its page could then read the answers as
 * its own (DNS rebinding). With any port: a browser names the port that it connected to, which forwarding may have changed.
 * The demo has a list of its own, because it imports public entries only.
 */
const own: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether an address is one of this machine. Only there may a service be the sandbox. */
export function isOwnMachine(url: string): boolean {
  return URL.canParse(url) && own.has(new URL(url).hostname)
}

/** A request with a larger body is refused with 413. */
const maxBodyBytes = 1_048_576

/**
 * @param port - 0 for any free port.
 * @returns Resolves when the server listens. Rejects with Node's error, code `EADDRINUSE` when the port is taken.
 */
export async function listen(handler: Handler, port: number): Promise<Listening> {
  const server = createServer(toNodeListener({ fetch: guarded(handler) }))
  return {
    port: await openPort(server, { port, host: '127.0.0.1' }),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

/** Refuses requests that are for another name or have a body that is too large. Reads the body before calling the handler. */
function guarded(handler: Handler): Handler {
  return async (request) => {
    try {
      const body = await readBytes(request, maxBodyBytes)
      if (!own.has(new URL(request.url).hostname)) return new Response(null, { status: 403 })
      const { url, method, headers, signal } = request
      return await handler(new Request(url, { method, headers, signal, ...(body.byteLength > 0 && { body }) }))
    } catch (error) {
      // The rest of the body is not read, so the connection cannot be used again.
      if (error instanceof BodyTooLargeError)
        return new Response(null, { status: 413, headers: { connection: 'close' } })
      throw error
    }
  }
}
