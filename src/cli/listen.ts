/** Serves a `Request -> Response` function on a loopback port, under loopback names only. */
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
 * Loopback names. Another site's name may resolve to this machine, and its pages could then read
 * the answers (DNS rebinding). Ports are not compared, because forwarding changes them. The demo
 * has the same list, because it imports public entries only.
 */
const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether an address has a loopback name, as the sandbox's address does. */
export function isLoopback(url: string): boolean {
  return URL.canParse(url) && loopbackNames.has(new URL(url).hostname)
}

/** A request with a larger body is refused with 413. */
const maxBodyBytes = 1_048_576

/**
 * @param port - 0 for any free port.
 * @returns Resolves when the server listens. Rejects with Node's error, such as `EADDRINUSE`.
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

/** Refuses other names and large bodies. Reads the body before it calls the handler. */
function guarded(handler: Handler): Handler {
  return async (request) => {
    try {
      const body = await readBytes(request, maxBodyBytes)
      if (!loopbackNames.has(new URL(request.url).hostname)) return new Response(null, { status: 403 })
      const { url, method, headers, signal } = request
      return await handler(new Request(url, { method, headers, signal, ...(body.byteLength > 0 && { body }) }))
    } catch (error) {
      if (error instanceof BodyTooLargeError) return new Response(null, { status: 413 })
      throw error
    }
  }
}
