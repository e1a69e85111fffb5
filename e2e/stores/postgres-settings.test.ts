/** How a Postgres can be set, and what can be between it and a server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPostgresStore } from '../../src/server/store/postgres.ts'
import { look, record } from '../../src/server/store/store-cases.testing.ts'
import { describePostgres, runOn, startPostgres, storeOn, type TestPostgres } from './postgres-server.ts'

describe.each(['serializable', 'repeatable read'])('a Postgres whose transactions are %s', (level) => {
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startPostgres(`default_transaction_isolation=${level}`)
  }, 60_000)
  afterAll(() => postgres?.stop(), 60_000)

  it('is made and written to by servers that start and write at once', async () => {
    const stores = Array.from({ length: 4 }, () => storeOn(postgres.openPool(), 'together'))
    const keys = ['a', 'b', 'c']
    const made = await Promise.all(
      stores.flatMap((store) => keys.map((key) => store.create(record(key, { labels: ['x'] })))),
    )
    expect(made.filter(Boolean)).toHaveLength(keys.length)
    for (const round of [1, 2, 3]) {
      const written = await Promise.all(
        stores.flatMap((store) =>
          keys.map((key) =>
            store.replace(record(key, { labels: ['x'], due: look }), round).then((won) => (won ? key : '')),
          ),
        ),
      )
      expect(written.filter(Boolean).sort()).toEqual(keys)
      const held = await Promise.all(
        stores.map((store, at) => store.lease('turn', `${round} ${at}`, round === 1 ? 60_000 : 1)),
      )
      expect(held.filter(Boolean)).toHaveLength(round === 1 ? 1 : 0)
      expect(await stores[0]?.listDue('look', 9, 9)).toHaveLength(keys.length)
    }
  })
})

describe('a Postgres that confirms what is not on the disk yet', () => {
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startPostgres('synchronous_commit=off', 'wal_writer_delay=10s')
  }, 60_000)
  afterAll(() => postgres?.stop(), 60_000)

  it('has all that it has confirmed to a store after a crash', async () => {
    const store = storeOn(postgres.openPool())
    await store.create(record('a'))
    await store.create(record('b'))
    await store.replace(record('a', { value: 'new' }), 1)
    await postgres.crash()
    expect(await store.read('a')).toMatchObject({ value: 'new', version: 2 })
    expect(await store.read('b')).toMatchObject({ version: 1 })
  })
})

describePostgres('a Postgres', (postgres) => {
  it('in another encoding is refused, and no table is made', async () => {
    await runOn(postgres().url, [
      "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc TEMPLATE template0",
    ])
    const pool = postgres().openPool(undefined, 'latin')
    await expect(storeOn(pool).read('a')).rejects.toThrow('The encoding of this database is LATIN1')
    expect((await pool.query("SELECT to_regnamespace('paywindow') AS made")).rows).toEqual([{ made: null }])
  })

  it('of which each SELECT goes to a replica says so', async () => {
    const [primary, replica] = [postgres().openPool(), postgres().openPool()]
    const store = createPostgresStore({
      schema: 'routed',
      query: async (text, values) => {
        if (!text.startsWith('SELECT')) return primary.query(text, values)
        const client = await replica.connect()
        await client.query('SET default_transaction_read_only = on')
        return client.query(text, values).finally(() => client.release(true))
      },
    })
    await expect(store.read('a')).rejects.toThrow(/it only reads .* each SELECT/)
  })

  it('that becomes a replica says so, and goes on as the primary', async () => {
    // One connection, which is that of a server.
    const pool = postgres().openPool(postgres().port)
    const store = storeOn(pool, 'moved')
    await store.create(record('a'))
    await pool.query('SET default_transaction_read_only = on')
    await expect(store.lease('turn', 'one', 9)).rejects.toThrow('the primary has moved')
    await pool.query('SET default_transaction_read_only = off')
    expect(await store.lease('turn', 'one', 9)).toBe(true)
  })
})
