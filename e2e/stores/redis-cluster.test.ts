/** The Redis store in a cluster of two servers, through two clients. */
import { Cluster } from 'ioredis'
import { createCluster } from 'redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../src/server/store/losing-replies.testing.ts'
import { createRedisStore } from '../../src/server/store/redis.ts'
import type { Store } from '../../src/server/store/store.ts'
import { testStore } from '../../src/testing/index.ts'
import { connectNodeRedis, type TestClient } from './redis-clients.ts'
import { describeRedis, startRedis, type TestRedis } from './redis-server.ts'

/** Half of the slots for each. */
const slots = [
  ['0', '8191'],
  ['8192', '16383'],
] as const

describeRedis('a cluster', (program) => {
  const servers: TestRedis[] = []
  const direct: TestClient[] = []
  let nodeRedis: ReturnType<typeof clusterOf>
  let ioredis: Cluster

  beforeAll(async () => {
    const ports: number[] = []
    const buses: number[] = []
    for (const index of [0, 1]) {
      const [port, bus] = [await freePort(), await freePort()]
      ports.push(port)
      buses.push(bus)
      const place = ['--port', `${port}`, '--bind', '127.0.0.1', '--cluster-port', `${bus}`]
      servers.push(await startRedis(program, '--cluster-enabled', 'yes', ...place))
      const client = await connectNodeRedis({ port })
      direct.push(client)
      await client.send('CLUSTER', 'ADDSLOTSRANGE', ...(slots[index] ?? []))
    }
    await direct[0]?.send('CLUSTER', 'MEET', '127.0.0.1', `${ports[1]}`, `${buses[1]}`)
    for (const client of direct) while (!(await isWhole(client)));
    nodeRedis = clusterOf(ports)
    await nodeRedis.connect()
    ioredis = new Cluster(
      ports.map((port) => ({ host: '127.0.0.1', port })),
      { retryDelayOnFailover: 0 },
    )
  }, 60_000)
  afterAll(async () => {
    nodeRedis?.destroy()
    ioredis?.disconnect()
    for (const client of direct) client.close()
    for (const server of servers) await server.stop()
  })

  const throughNodeRedis = (prefix: string): Store =>
    createRedisStore({
      command: (parts, key) => nodeRedis.sendCommand(key, false, parts),
      prefix,
      onWarning: () => {},
    })
  const throughIoredis = (prefix: string): Store =>
    createRedisStore({ command: ([name, ...rest]) => ioredis.call(name, ...rest), prefix, onWarning: () => {} })

  let opened = 0
  testStore(
    'with stores through node-redis and ioredis',
    (place) => (opened++ % 2 === 0 ? throughNodeRedis(place) : throughIoredis(place)),
    { describe, it },
  )

  it('has all keys of a store on one server, and stores on both', async () => {
    for (const prefix of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const due = [{ queue: 'look', atMs: 1 }]
      expect(await throughIoredis(prefix).create({ key: 'a', value: '', labels: ['all'], due })).toBe(true)
      expect((await throughNodeRedis(prefix).list('all', { limit: 9 }))[0]?.due).toEqual(due)
    }
    const keys = await Promise.all(direct.map(async ({ send }) => (await send('KEYS', '{?}:*')) as string[]))
    const prefixes = keys.map((found) => new Set(found.map((key) => key.slice(0, 3))))
    expect(prefixes.every(({ size }) => size > 0)).toBe(true)
    expect(prefixes.reduce((sum, { size }) => sum + size, 0)).toBe(6)
  })
})

function clusterOf(ports: readonly number[]) {
  const cluster = createCluster({ rootNodes: ports.map((port) => ({ socket: { host: '127.0.0.1', port } })) })
  cluster.on('error', () => {})
  return cluster
}

/** Whether the server knows the other one, and who has which slots. */
async function isWhole({ send }: TestClient): Promise<boolean> {
  const info = String(await send('CLUSTER', 'INFO'))
  return ['cluster_state:ok', 'cluster_slots_ok:16384', 'cluster_known_nodes:2'].every((line) => info.includes(line))
}
