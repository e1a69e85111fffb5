/** Faults of a Redis: crashes, lost replies, full memory, wrong settings and rights. */
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { losingReplies } from '../../src/server/store/losing-replies.testing.ts'
import { expectDoneOnce, look, record } from '../../src/server/store/store-cases.testing.ts'
import { connectIoredis, connectNodeRedis, storeOn, type TestClient } from './redis-clients.ts'
import { describeRedis, startRedis, type TestRedis } from './redis-server.ts'

describeRedis('a Redis that fails', (program) => {
  let server: TestRedis
  let client: TestClient
  beforeAll(async () => {
    server = await startRedis(program)
    client = await connectNodeRedis(server)
  }, 60_000)
  afterAll(async () => {
    client?.close()
    await server?.stop()
  })

  it('and is killed while it writes has all that it has confirmed, and each batch whole or not at all', async () => {
    const named = Array.from({ length: 20 }, (_, index) => `record ${index}`)
    for (const round of [1, 2, 3]) {
      const prefix = `killed-${round}`
      const store = storeOn(client, { prefix })
      for (const key of named) await store.create(record(key))
      let confirmed = 1
      let restarted = false
      const writing = (async () => {
        for (let version = 1; !restarted; version++) {
          const batch = named.map((key) => ({
            record: record(key, { value: `${version}`, labels: [`${version}`] }),
            version,
          }))
          await store.replaceMany(batch)
          confirmed = version + 1
        }
      })()
      // The batch on its way fails. A batch that is not sent yet waits for the new server.
      const written = Promise.allSettled([writing])
      await expect.poll(() => confirmed, { interval: 1, timeout: 20_000 }).toBeGreaterThan(round * 20)
      await server.restart()
      restarted = true
      await written
      const versions = new Set((await store.readMany(named)).map(({ version }) => version))
      expect(versions.size).toBe(1)
      const [version = 0] = versions
      expect([confirmed, confirmed + 1]).toContain(version)
      expect(await store.list(`${version - 1}`, { limit: 99 })).toHaveLength(named.length)
      expect(await store.list(`${version - 2}`, { limit: 99 })).toEqual([])
    }
  })

  it.each([
    ['node-redis', connectNodeRedis],
    ['ioredis', connectIoredis],
  ])('to deliver a reply has written once, and %s does not write again', async (name, connectClient) => {
    const prefix = `lost-${name}`
    await storeOn(client, { prefix }).create(record('a', { due: look }))
    const line = await losingReplies(() => connect(server.path))
    const other = await connectClient({ port: line.port })
    const store = storeOn(other, { prefix })
    expect((await store.read('a'))?.version).toBe(1)
    line.loseNext()
    await expect(store.create(record('b'))).rejects.toThrow()
    expect(await store.create(record('b'))).toBe(false)
    await expectDoneOnce(store, line)
    other.close()
    line.close()
  })

  it('to know the script gets it again, from all that ask at once', async () => {
    const store = storeOn(client, { prefix: 'flushed' })
    await store.create(record('a'))
    await client.send('SCRIPT', 'FLUSH')
    const wins = await Promise.all(Array.from({ length: 10 }, () => store.replace(record('a'), 1)))
    expect(wins.filter(Boolean)).toHaveLength(1)
    expect((await store.read('a'))?.version).toBe(2)
  })

  it('because its memory is full evicts keys of others and none of a store, and writes no half of a batch', async () => {
    const store = storeOn(client, { prefix: 'full' })
    const named = Array.from({ length: 300 }, (_, index) => `record ${index}`)
    await Promise.all(named.map((key) => store.create(record(key, { labels: ['all'], due: look }))))
    const used = async () => Number(/^used_memory:(\d+)/m.exec(String(await client.send('INFO', 'memory')))?.[1])
    await client.send('CONFIG', 'SET', 'maxmemory-policy', 'volatile-random')
    await client.send('CONFIG', 'SET', 'maxmemory', `${(await used()) + 2 ** 20}`)
    for (let index = 0; index < 200; index++)
      await client.send('SET', `cached ${index}`, 'x'.repeat(20_000), 'EX', '3600')
    expect(String(await client.send('INFO', 'stats'))).toMatch(/^evicted_keys:[1-9]/m)
    expect(await store.readMany(named)).toHaveLength(300)
    expect(await store.list('all', { limit: 999 })).toHaveLength(300)

    await client.send('CONFIG', 'SET', 'maxmemory', '1')
    const batch = named.map((key) => ({ record: record(key, { value: 'new', labels: ['new'] }), version: 1 }))
    await store.replaceMany(batch).catch(() => undefined)
    expect(new Set((await store.readMany(named)).map(({ value }) => value)).size).toBe(1)
    await expect(store.create(record('more'))).rejects.toThrow(/OOM/)
    await client.send('CONFIG', 'SET', 'maxmemory', '0')
    expect(await store.create(record('more'))).toBe(true)
  })

  it('to promise that it keeps records is refused, until it is set to', async () => {
    const store = storeOn(client, { prefix: 'evicting' })
    await client.send('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru')
    await expect(store.create(record('a'))).rejects.toThrow(/maxmemory-policy of this Redis is allkeys-lru/)
    await client.send('CONFIG', 'SET', 'maxmemory-policy', 'noeviction')
    expect(await store.create(record('a'))).toBe(true)
  })

  it('to promise it only after it was started again is refused from then on', async () => {
    const store = storeOn(client, { prefix: 'changed' })
    await store.create(record('a'))
    await server.restart('--maxmemory-policy', 'allkeys-lru')
    await expect(store.read('a')).rejects.toThrow(/maxmemory-policy of this Redis is allkeys-lru/)
    await server.restart()
    expect((await store.read('a'))?.version).toBe(1)
  })

  it('to write to the disk at once has this said, once for each way', async () => {
    const warnings: string[] = []
    const store = storeOn(client, { prefix: 'warned', onWarning: (text) => warnings.push(text) })
    await store.create(record('a'))
    expect(warnings).toEqual([])
    for (let time = 0; time < 2; time++) {
      await server.restart('--appendfsync', 'everysec')
      await store.read('a')
    }
    expect(warnings).toEqual([expect.stringMatching(/^paywindow: appendfsync is everysec/)])
    await server.restart('--appendonly', 'no')
    await store.read('a')
    expect(warnings.slice(1)).toEqual([expect.stringMatching(/everything is lost when this Redis ends/)])
    await server.restart()
  })

  it('to say how it is set has this said once, and works', async () => {
    await client.send(
      'ACL',
      'SETUSER',
      'managed',
      'reset',
      'on',
      '>secret',
      '~{managed}:*',
      '+@all',
      '-config',
      '-info',
    )
    const other = await connectNodeRedis(server, 'managed:secret')
    const warnings: string[] = []
    const store = storeOn(other, { prefix: 'managed', onWarning: (text) => warnings.push(text) })
    for (const key of ['a', 'b']) expect(await store.create(record(key))).toBe(true)
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toMatch(/INFO may not be read/)
    other.close()
  })

  it('to allow what a store needs is refused before anything is written', async () => {
    const commands = 'eval evalsha hget hset hdel hlen zadd zrangebylex zrevrangebylex get set time'.split(' ')
    const rights = ['reset', 'on', '>secret', '~{limited}:*', ...commands.map((name) => `+${name}`)]
    await client.send('ACL', 'SETUSER', 'limited', ...rights)
    const other = await connectNodeRedis(server, 'limited:secret')
    await expect(storeOn(other, { prefix: 'limited' }).create(record('a', { labels: ['all'] }))).rejects.toThrow(
      /can't run this command|no permissions/,
    )
    expect(await storeOn(client, { prefix: 'limited' }).read('a')).toBeUndefined()
    await client.send('ACL', 'SETUSER', 'limited', '+zrem')
    const store = storeOn(other, { prefix: 'limited' })
    expect(await store.create(record('a', { labels: ['all'], due: look }))).toBe(true)
    expect(await store.list('all', { limit: 9 })).toEqual(await store.listDue('look', 1, 9))
    expect(await store.lease('turn', 'one', 60_000)).toBe(true)
    expect(await store.remove('a', 1)).toBe(true)
    other.close()
  })

  it('because another uses its keys is refused', async () => {
    await client.send('SET', '{taken}:due', 'theirs')
    await expect(storeOn(client, { prefix: 'taken' }).create(record('a', { due: look }))).rejects.toThrow(/WRONGTYPE/)
    expect(await client.send('EXISTS', '{taken}:records')).toBe(0)
  })
})
