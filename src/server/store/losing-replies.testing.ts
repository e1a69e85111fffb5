/** A connection to a database that loses replies, for tests. */
import { connect, createServer, type Server, type Socket } from 'node:net'
import pg from 'pg'
import type { TestPostgres } from './postgres-server.testing.ts'

/** A line to the server that can lose a reply: the server has done what it was asked to, and the connection ends before that is said. */
export async function losingReplies(server: TestPostgres) {
  let isLosing = false
  const open = new Set<Socket>()
  const line = createServer((client) => {
    const upstream = connect(server.port, '127.0.0.1')
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
  const port = await listening(line)
  const pool = new pg.Pool({ connectionString: server.url.replace(`:${server.port}/`, `:${port}/`), max: 1 })
  return {
    pool,
    /** The reply to the next statement is lost. */
    loseNext: () => {
      isLosing = true
    },
    close: async () => {
      await pool.end()
      for (const socket of open) socket.destroy()
      line.close()
    },
  }
}

/** Resolves with the port. */
export function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
}
