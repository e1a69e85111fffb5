/** The Postgres store on a real Postgres, through two drivers. */
import { connect } from 'node:net'
import type pg from 'pg'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { losingReplies } from '../../src/server/store/losing-replies.testing.ts'
import { createPostgresStore, type PostgresQuery } from '../../src/server/store/postgres.ts'
import { newestVersion, postgresSchema } from '../../src/server/store/postgres-schema.ts'
import { everyVerb, expectDoneOnce, look, record } from '../../src/server/store/store-cases.testing.ts'
import { testStore } from '../../src/testing/index.ts'
import { noPostgres } from './postgres-programs.ts'
import { startPostgres, storeOn, type TestPostgres } from './postgres-server.ts'
import { sellOnTwoServers } from './two-servers.ts'

let server: TestPostgres
let pool: pg.Pool
let sql: postgres.Sql
beforeAll(async () => {
  if (noPostgres !== undefined) return
  server = await startPostgres()
  pool = server.openPool()
  sql = postgres(server.url, { max: 4 })
}, 60_000)
afterAll(async () => {
  await sql?.end()
  await server?.stop()
}, 60_000)

/** The connection whose statement waits for a lock on a table of this schema. */
async function waiting(schema: string): Promise<number> {
  for (;;) {
    const { rows } = await pool.query(
      "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND position($1 IN query) > 0",
      [`"${schema}"`],
    )
    if (rows[0] !== undefined) return rows[0].pid
  }
}

/** Runs the work while a transaction locks a record, does this, too, and then commits. */
async function whileLocked(statement: string, values: string[], work: () => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query(statement, values)
    await work()
    await client.query('COMMIT')
  } finally {
    client.release()
  }
}

describe.skipIf(noPostgres !== undefined)('a Postgres', () => {
  testStore('with a store through pg', (place) => storeOn(pool, place), { describe, it })

  // Drivers differ in how they send and read texts, numbers and lists.
  testStore(
    'with a store through postgres.js',
    (place) =>
      createPostgresStore({ query: async (text, values) => ({ rows: await sql.unsafe(text, values) }), schema: place }),
    { describe, it: (name, test) => (/^(stores|reads|lists|leases|changes) /.test(name) ? it(name, test) : undefined) },
  )

  it('serves two servers: each order is created once, shown as paid by both, and told once', async () => {
    const open = () => storeOn(server.openPool(), 'two_servers')
    await sellOnTwoServers([open(), open()])
  }, 60_000)

  it('gets one statement for each verb, after the three that look at the database and make its tables', async () => {
    const texts: string[] = []
    const counting: PostgresQuery = (text, values) => {
      texts.push(text)
      return pool.query(text, values)
    }
    const store = createPostgresStore({ query: counting, schema: 'counted' })
    const taken = async (work: Promise<unknown>) => {
      await work
      return texts.splice(0).length
    }
    expect(await taken(store.read('a'))).toBe(4)
    const verbs = everyVerb(store)
    const counts: [string, number][] = []
    for (const [verb, call] of verbs) counts.push([verb, await taken(call())])
    expect(counts).toEqual(verbs.map(([verb]) => [verb, 1]))
  })

  it('gets its tables once from servers that start at once', async () => {
    for (const round of [1, 2, 3]) {
      const stores = Array.from({ length: 6 }, () => storeOn(pool, `start_${round}`))
      await Promise.all(stores.map((store, index) => store.create(record(`record ${index}`, { labels: ['all'] }))))
      expect(await stores[0]?.list('all', { limit: 9 })).toHaveLength(6)
      expect((await pool.query(`SELECT version FROM "start_${round}".paywindow_versions`)).rows).toEqual([
        { version: newestVersion },
      ])
    }
  })

  it('serves a role that may not create tables, once another has made them', async () => {
    await pool.query('CREATE ROLE shop')
    const restricted: PostgresQuery = async (text, values) => {
      const client = await pool.connect()
      try {
        await client.query('SET ROLE shop')
        return await client.query(text, values)
      } finally {
        await client.query('RESET ROLE')
        client.release()
      }
    }
    const store = createPostgresStore({ query: restricted, schema: 'Shop-1' })
    await expect(store.create(record('a'))).rejects.toThrow(/permission denied/)
    await pool.query(postgresSchema('Shop-1'))
    await pool.query('GRANT USAGE ON SCHEMA "Shop-1" TO shop; GRANT ALL ON ALL TABLES IN SCHEMA "Shop-1" TO shop')
    expect(await store.create(record('a'))).toBe(true)
    expect(await store.lease('turn', 'one', 9)).toBe(true)
  })

  it('with tables of a newer version is refused and left as it is, unless they allow it', async () => {
    const newer = async (oldest: number | null) => {
      const schema = `newer_${oldest}`
      await storeOn(pool, schema).read('a')
      await pool.query(`INSERT INTO ${schema}.paywindow_versions (version, oldest) VALUES (99, $1)`, [oldest])
      return storeOn(pool, schema)
    }
    for (const oldest of [99, newestVersion + 1, null])
      await expect((await newer(oldest)).create(record('a'))).rejects.toThrow(/newer version of Paywindow \(99/)
    expect((await pool.query('SELECT key FROM newer_99.paywindow_records')).rows).toEqual([])

    expect(await (await newer(newestVersion)).create(record('a'))).toBe(true)
    const { rows } = await pool.query(`SELECT version FROM newer_${newestVersion}.paywindow_versions ORDER BY version`)
    expect(rows).toEqual([{ version: newestVersion }, { version: 99 }])
  })

  it('says which versions may use its tables', async () => {
    await storeOn(pool, 'oldest').read('a')
    const { rows } = await pool.query('SELECT version, oldest FROM oldest.paywindow_versions')
    expect(rows).toEqual([{ version: 2, oldest: 2 }])
  })

  it('whose table of records has another name fails servers that are running, as a version that they may not use has to', async () => {
    const store = storeOn(pool, 'renamed')
    await store.create(record('a', { labels: ['x'], due: look }))
    await pool.query('ALTER TABLE renamed.paywindow_records RENAME TO paywindow_records_3')
    for (const [verb, call] of everyVerb(store))
      if (!/lease/.test(verb)) await expect(call(), verb).rejects.toThrow(/renamed.paywindow_records" does not exist/)
  })

  it('refuses a text that it cannot store, and stores nothing of it', async () => {
    const store = storeOn(pool, 'unfit')
    for (const unfit of ['a\u0000b', 'a\ud800b']) {
      await expect(store.create(record('a', { value: unfit }))).rejects.toThrow()
      await expect(store.create(record('a', { labels: ['all', unfit] }))).rejects.toThrow()
    }
    expect(await store.read('a')).toBeUndefined()
    expect(await store.list('all', { limit: 9 })).toEqual([])
  })

  it('leaves a record in the queues of a replacement that had to wait for a server that put it off', async () => {
    const store = storeOn(pool, 'waits')
    await store.create(record('a', { due: look }))
    const later = [{ key: 'a', version: 1, due: [{ queue: 'tell', atMs: 1 }] }]
    let replacing: Promise<boolean> | undefined
    await whileLocked('SELECT "waits".paywindow_reschedule($1)', [JSON.stringify(later)], async () => {
      replacing = store.replace(record('a', { due: [{ queue: 'archive', atMs: 1 }] }), 1)
      await waiting('waits')
    })
    expect(await replacing).toBe(true)
    expect((await store.read('a'))?.due).toEqual([{ queue: 'archive', atMs: 1 }])
    expect(await store.listDue('tell', 9, 9)).toEqual([])
  })

  it('locks the records of a batch in the order of their keys, so that no two batches wait for each other', async () => {
    const store = storeOn(pool, 'ordered')
    const named = ['c', 'b', 'a']
    for (const key of named) await store.create(record(key))
    let replacing: Promise<ReadonlySet<string>> | undefined
    await whileLocked('SELECT FROM "ordered".paywindow_records WHERE key = $1 FOR UPDATE', ['a'], async () => {
      replacing = store.replaceMany(named.map((key) => ({ record: record(key), version: 1 })))
      await waiting('ordered')
      const free = await pool.query('SELECT key FROM "ordered".paywindow_records ORDER BY key FOR UPDATE SKIP LOCKED')
      expect(free.rows).toEqual([{ key: 'b' }, { key: 'c' }])
    })
    expect((await replacing)?.size).toBe(3)
  })

  it('that ends a connection during a write has written nothing, and gets the write again', async () => {
    const store = storeOn(pool, 'ended')
    await store.create(record('a', { labels: ['old'], due: look }))
    let writing: Promise<boolean> | undefined
    await whileLocked('SELECT FROM "ended".paywindow_records FOR UPDATE', [], async () => {
      writing = store.replace(record('a', { value: 'new', labels: ['new'] }), 1)
      const ended = await waiting('ended')
      await pool.query('SELECT pg_terminate_backend($1)', [ended])
      await expect.poll(() => waiting('ended')).not.toBe(ended)
      expect(await store.read('a')).toEqual({ key: 'a', value: '{}', version: 1, due: look })
    })
    expect(await writing).toBe(true)
    expect(await store.read('a')).toEqual({ key: 'a', value: 'new', version: 2, due: [] })
    expect(await store.list('new', { limit: 9 })).toHaveLength(1)
  })

  it('whose reply is lost on the way has written once, and says so when it is read', async () => {
    await storeOn(pool, 'lost').create(record('a', { due: look }))
    const line = await losingReplies(() => connect(server.port, '127.0.0.1'))
    const store = storeOn(server.openPool(line.port), 'lost')
    expect((await store.read('a'))?.version).toBe(1)
    await expectDoneOnce(store, line)
    line.close()
  })
})

describe('createPostgresStore', () => {
  it.each(['', 'a"b', "a'b", 'a.b', 'pg_shop', '1a', 'é', 'a'.repeat(64)])('refuses %j as a schema', (schema) => {
    expect(() => createPostgresStore({ query: async () => ({ rows: [] }), schema })).toThrow(/schema is/)
    expect(() => postgresSchema(schema)).toThrow(/schema is/)
  })

  it.each([[[]], [undefined], [{ rows: [[1]] }], [{ rows: {} }]])(
    'says what query has to resolve with: not %j',
    async (result) => {
      const store = createPostgresStore({ query: async () => result as never })
      await expect(store.read('a')).rejects.toThrow(/query must resolve with an object that has `rows`/)
    },
  )
})
