/** A name leads to another Redis after a failover, but an open connection stays at the old one. */
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { freePort } from '../../src/server/store/losing-replies.testing.ts'
import { record } from '../../src/server/store/store-cases.testing.ts'
import { connectIoredis, connectNodeRedis, storeOn } from './redis-clients.ts'
import { describeRedis, startRedis } from './redis-server.ts'

/** New connections go to the present primary. */
async function startName(primaryPort: () => number) {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    const to = connect(primaryPort(), '127.0.0.1')
    for (const [from, into] of [
      [socket, to],
      [to, socket],
    ] as const) {
      open.add(from)
      from.on('error', () => into.destroy()).on('close', () => into.destroy())
      from.pipe(into)
    }
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port,
    close: () => {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

describeRedis('a Redis that another has taken over from', (program) => {
  it.each([
    ['node-redis', connectNodeRedis],
    ['ioredis', connectIoredis],
  ])(
    'is left by a store on %s, which goes on with the new one',
    async (_, connectClient) => {
      const ports = [await freePort(), await freePort()] as const
      const servers = await Promise.all(
        ports.map((port) => startRedis(program, '--port', `${port}`, '--repl-diskless-sync-delay', '0')),
      )
      const [one, two] = await Promise.all(servers.map((server) => connectNodeRedis(server)))
      let primary: number = ports[0]
      const name = await startName(() => primary)
      const client = await connectClient({ port: name.port })
      closing.push(...[client, one, two, name].map((each) => () => each?.close()), ...servers.map(({ stop }) => stop))
      const store = storeOn(client)
      await two?.send('REPLICAOF', '127.0.0.1', `${ports[0]}`)
      await store.create(record('a'))
      expect(await client.send('WAIT', '1', '20000')).toBe(1)

      await two?.send('REPLICAOF', 'NO', 'ONE')
      await one?.send('REPLICAOF', '127.0.0.1', `${ports[1]}`)
      primary = ports[1]
      await expect.poll(() => store.replace(record('a'), 1).catch(() => undefined), { timeout: 20_000 }).toBe(true)
      expect((await store.read('a'))?.version).toBe(2)
    },
    60_000,
  )
})
