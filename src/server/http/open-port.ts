/** Opens the port of a Node server. */
import type { Server } from 'node:http'

/**
 * @param place - `port`: 0 for any that is free. `host`: the address to listen on; default: all of the machine.
 * @returns Resolves with the port when the server listens. Rejects with Node's error, code `EADDRINUSE` when the port is taken.
 */
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
