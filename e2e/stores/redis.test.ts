/** The Redis store on a real Redis, through two clients, held to the contract of all stores. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRedisStore } from '../../src/server/store/redis.ts'
import type { Store } from '../../src/server/store/store.ts'
import { everyVerb, look, record } from '../../src/server/store/store-cases.testing.ts'
import { type OpenStore, testStore } from '../../src/testing/index.ts'
import { connectIoredis, connectNodeRedis, storeOn, type TestClient } from './redis-clients.ts'
import { describeRedis, startRedis, type TestRedis } from './redis-server.ts'
import { sellOnTwoServers } from './two-servers.ts'

/** Crashes the server and starts it again where a test opens a store that it has closed. */
function afterCrashes(server: () => TestRedis, open: (place: string) => Store): OpenStore {
  const counts = new Map<string, number>()
  return async (place) => {
    if (counts.get(place) === 0) await server().restart()
    counts.set(place, (counts.get(place) ?? 0) + 1)
    const close = async () => void counts.set(place, (counts.get(place) ?? 0) - 1)
    return { ...open(place), close }
  }
}

describeRedis('a Redis', (program) => {
  let server: TestRedis
  let clients: TestClient[] = []
  beforeAll(async () => {
    server = await startRedis(program)
    clients = [...(await Promise.all([server, server].map((each) => connectNodeRedis(each)))), connectIoredis(server)]
  }, 60_000)
  afterAll(async () => {
    for (const client of clients) client.close()
    await server?.stop()
  })
  const client = (index: number) => clients[index] as TestClient

  let opened = 0
  const throughTwo = (place: string) => storeOn(client(opened++ % 2), { prefix: place })
  testStore(
    'with stores through two connections of node-redis',
    afterCrashes(() => server, throughTwo),
    { describe, it },
  )

  // What clients differ in is how they send and read texts and lists.
  testStore('with a store through ioredis', (place) => storeOn(client(2), { prefix: place }), {
    describe,
    it: (name, test) => (/^(stores|reads|lists|leases|changes) /.test(name) ? it(name, test) : undefined),
  })

  it('serves both clients at once', async () => {
    const [one, two] = [storeOn(client(0), { prefix: 'both' }), storeOn(client(2), { prefix: 'both' })]
    const sent = record('a', { value: '\u{1F4B0}', labels: ['é'], due: look })
    expect(await one.create(sent)).toBe(true)
    expect(await two.replace({ ...sent, value: 'new' }, 1)).toBe(true)
    expect(await one.list('é', { limit: 9 })).toEqual([{ key: 'a', value: 'new', version: 2, due: look }])
  })

  it('serves two servers: each order is created once, shown as paid by both, and told once', async () => {
    await sellOnTwoServers([storeOn(client(0), { prefix: 'two' }), storeOn(client(2), { prefix: 'two' })])
  }, 60_000)

  it('gets one command for each verb, after the three that look at it', async () => {
    const names: string[] = []
    const store = createRedisStore({
      command: (parts, key) => {
        names.push(`${parts[0]} ${key}`)
        return client(0).command(parts, key)
      },
      prefix: 'counted',
      onWarning: () => {},
    })
    const taken = async (work: Promise<unknown>) => {
      await work
      return names.splice(0)
    }
    const key = '{counted}:records'
    const first = ['EVAL', 'CONFIG', 'CONFIG', 'EVALSHA'].map((name) => `${name} ${key}`)
    expect(await taken(store.read('a'))).toEqual(first)
    for (const [verb, call] of everyVerb(store)) expect(await taken(call()), verb).toEqual([`EVALSHA ${key}`])
  })

  it('has nothing left of a record that was removed and a lease that was released', async () => {
    const store = storeOn(client(0), { prefix: 'empty' })
    await store.create(record('a', { labels: ['x', ''], due: [...look, { queue: '', atMs: -5 }] }))
    expect((await store.list('', { limit: 9 }))[0]?.due).toEqual([...look, { queue: '', atMs: -5 }])
    expect(await store.listDue('', -5, 9)).toHaveLength(1)
    expect(await store.listDue('', -6, 9)).toEqual([])
    await store.lease('turn', 'one', 9)
    await store.remove('a', 1)
    await store.release('turn', 'one')
    expect(await client(0).send('KEYS', '{empty}:*')).toEqual(['{empty}:version'])
  })

  it('does not respect for a day a lease taken when its clock was a day ahead', async () => {
    const store = storeOn(client(0), { prefix: 'ahead' })
    const takenAhead = (aheadMs: number) =>
      client(0).send('HSET', '{ahead}:leases', 'turn', `${Date.now() + aheadMs} 60000 one`)
    await takenAhead(30_000)
    expect(await store.lease('turn', 'two', 60_000)).toBe(false)
    await takenAhead(24 * 3_600_000)
    expect(await store.lease('turn', 'two', 60_000)).toBe(true)
    expect(await store.lease('turn', 'one', 60_000)).toBe(false)
  })

  it.each(['99', '99 2'])('with keys of the version “%s” is refused, and left as it is', async (version) => {
    const prefix = version.replace(' ', '-')
    await client(0).send('SET', `{${prefix}}:version`, version)
    await expect(storeOn(client(0), { prefix }).create(record('a'))).rejects.toThrow(
      `{${prefix}} were written by a newer version of Paywindow (99`,
    )
    expect(await client(0).send('EXISTS', `{${prefix}}:records`)).toBe(0)
  })

  it('with keys of a newer version that allows it goes on, and leaves their version as it is', async () => {
    await client(0).send('SET', '{allowed}:version', '99 1')
    expect(await storeOn(client(0), { prefix: 'allowed' }).create(record('a'))).toBe(true)
    expect(await client(0).send('GET', '{allowed}:version')).toBe('99 1')
    await storeOn(client(0), { prefix: 'new' }).read('a')
    expect(await client(0).send('GET', '{new}:version')).toBe('1 1')
  })

  it('refuses every call once a newer version has changed the keys so that this one may not use them', async () => {
    const store = storeOn(client(0), { prefix: 'changed' })
    await store.create(record('a', { labels: ['x'], due: look }))
    for (const allowed of ['99 1', '1']) {
      await client(0).send('SET', '{changed}:version', allowed)
      expect(await store.read('a')).toMatchObject({ version: 1 })
    }
    await client(0).send('SET', '{changed}:version', '99 2')
    for (const [verb, call] of everyVerb(store))
      await expect(call(), verb).rejects.toThrow(/newer version of Paywindow \(99, this one knows 1\)/)
    expect(await client(0).send('HGET', '{changed}:records', 'a')).toBe('1 {}')
    expect(await client(0).send('EXISTS', '{changed}:leases')).toBe(0)
  })

  it('refuses a text or time that it cannot store, and stores nothing of it', async () => {
    const store = storeOn(client(0), { prefix: 'unfit' })
    for (const unfit of ['a\u0000b', 'a\ud800b']) {
      await expect(store.create(record(unfit))).rejects.toThrow(/character/)
      await expect(store.create(record('a', { labels: ['all', unfit] }))).rejects.toThrow(/character/)
      await expect(store.create(record('a', { due: [{ queue: unfit, atMs: 1 }] }))).rejects.toThrow(/character/)
    }
    await expect(store.create(record('a', { value: 'a\ud800b' }))).rejects.toThrow(/character/)
    for (const atMs of [0.5, Number.NaN, 2 ** 53])
      await expect(store.create(record('a', { due: [{ queue: 'look', atMs }] }))).rejects.toThrow(/whole milliseconds/)
    expect(await client(0).send('KEYS', '{unfit}:*')).toEqual([])
  })
})

describe('createRedisStore', () => {
  it.each(['', 'a{b', 'a}b', 'a b', 'é', 'a'.repeat(101)])('refuses %j as a prefix', (prefix) => {
    expect(() => createRedisStore({ command: async () => [], prefix })).toThrow(/prefix is/)
  })

  it.each([undefined, 'OK', [1], [new Uint8Array()], { rows: [] }])(
    'says what command has to resolve with: not %j',
    async (reply) => {
      await expect(createRedisStore({ command: async () => reply }).read('a')).rejects.toThrow(/what Redis has replied/)
    },
  )
})
