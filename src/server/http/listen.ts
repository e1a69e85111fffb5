/** A Node server with the times that browsers and proxies need. */
import { createServer, type ServerOptions } from 'node:http'
import { PaywindowError } from '../../contract/errors.ts'
import { checkNames } from '../../contract/option-names.ts'
import { toNodeListener } from './node-listener.ts'
import { openPort } from './open-port.ts'

/** Longer than most proxies keep a connection, which is a minute: if the server closes first, a request may be lost. */
const keepAliveMs = 65_000
/** A request has to arrive whole within this time; checkouts have bodies of some hundred bytes. */
const requestMs = 15_000
/** How often Node looks for requests that are over their time: by itself only every 30 seconds. */
const checkMs = 1_000

/**
 * A server that listens.
 *
 * @example
 * ```ts
 * const listening: Listening = await listen({ fetch: async () => new Response('hello') }, { port: 0 })
 * await listening.close()
 * ```
 */
export interface Listening {
  readonly port: number
  /** Takes no more requests. Resolves when those under way are answered. */
  close(): Promise<void>
}

/**
 * Serves `paywindow` on a port of its own. Connections are kept for 65 seconds, so that one serves all polls of a browser, and
 * requests that do not arrive whole within 15 seconds are cut, at most a second later. For another server, `toNodeListener` is the
 * listener, `server.keepAliveTimeout = 65_000` what browsers need, and `connectionsCheckingInterval` how often Node looks for requests
 * to cut: every 30 seconds by default.
 *
 * @param options - `port`: 0 for any that is free. `host`: the address to listen on; default: all of the machine.
 * @returns Resolves when it listens. Rejects with Node's error, code `EADDRINUSE` where the port is taken, or with `invalid_options`.
 *
 * @example
 * ```ts
 * const paywindow = createPaywindow({ service: createSandbox().access, offer: () => null, storePath: ':memory:' })
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
  // Without one Node takes any that is free.
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new PaywindowError('invalid_options', 'listen: port must be a whole number from 0 to 65535')
  const server = createServer(serverTimes(requestMs), toNodeListener(paywindow))
  return {
    port: await openPort(server, options),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        // A connection that is in use now would be kept after its answer.
        server.keepAliveTimeout = 1
      }),
  }
}

/** Node's settings for a server that cuts requests which do not arrive whole within so many ms, or a second later. */
export function serverTimes(requestMs: number): ServerOptions {
  return {
    keepAliveTimeout: keepAliveMs,
    headersTimeout: requestMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
  }
}
