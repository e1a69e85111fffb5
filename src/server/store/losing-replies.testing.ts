/** A line to a database that loses replies, for tests. */
import { createServer, type Server, type Socket } from 'node:net'

/**
 * A line that can lose a reply: the connection ends after the database's work.
 *
 * @param connect - Opens a connection to the database itself.
 */
export async function losingReplies(connect: () => Socket) {
  let isLosing = false
  const open = new Set<Socket>()
  const line = createServer((client) => {
    const upstream = connect()
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from)
      from.on('error', () => to.destroy()).on('close', () => to.destroy())
      from.on('data', (data) => {
        if (from === upstream && isLosing) {
          isLosing = false
          client.destroy()
        } else to.write(data)
      })
    }
  })
  return {
    /** On 127.0.0.1, for a client. */
    port: await listening(line),
    /** The reply to the next statement is lost. */
    loseNext: () => {
      isLosing = true
    },
    /** Ends the clients' connections, too. */
    close: () => {
      for (const socket of open) socket.destroy()
      line.close()
    },
  }
}

/** Resolves with the port. */
function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
}

/** A port on 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
