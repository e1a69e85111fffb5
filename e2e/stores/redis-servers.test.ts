/** Two merchant servers on one Redis, each with a client of its own. */
import { afterAll, beforeAll, it } from 'vitest'
import { connectIoredis, connectNodeRedis, storeOn, type TestClient } from './redis-clients.ts'
import { describeRedis, startRedis, type TestRedis } from './redis-server.ts'
import { sellOnTwoServers } from './two-servers.ts'

describeRedis('two servers on one Redis', (program) => {
  let server: TestRedis
  let clients: [TestClient, TestClient]
  beforeAll(async () => {
    server = await startRedis(program)
    clients = [await connectNodeRedis(server), connectIoredis(server)]
  }, 60_000)
  afterAll(async () => {
    for (const client of clients ?? []) client.close()
    await server?.stop()
  })

  it('create each order once, both show it paid, and tell each change once', async () => {
    await sellOnTwoServers([storeOn(clients[0]), storeOn(clients[1])])
  }, 60_000)
})
