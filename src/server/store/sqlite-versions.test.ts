/** SQLite files of other versions of Paywindow. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSqliteStore } from './sqlite.ts'
import { newestSqliteVersion } from './sqlite-schema.ts'
import { everyVerb, look, record } from './store-cases.testing.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paywindow-versions-'))
  path = join(folder, 'store.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Does what another process does. */
function elsewhere<Result>(work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(path)
  try {
    return work(database)
  } finally {
    database.close()
  }
}
const versionsIn = (database: DatabaseSync) => [
  database.prepare('PRAGMA user_version').get()?.user_version,
  database.prepare('PRAGMA application_id').get()?.application_id,
]
const newer = newestSqliteVersion + 1
/** Writes to the file as a newer version does. */
const upgrade = (oldest: number) =>
  elsewhere((database) => database.exec(`PRAGMA user_version = ${newer}; PRAGMA application_id = ${oldest}`))

describe('the SQLite store', () => {
  it('goes on with a file of a newer version that allows it, and leaves both versions in it as they are', async () => {
    await createSqliteStore(path).close()
    upgrade(newestSqliteVersion)
    const store = createSqliteStore(path)
    expect(await store.create(record('a'))).toBe(true)
    expect((await store.read('a'))?.version).toBe(1)
    await store.close()
    expect(elsewhere(versionsIn)).toEqual([newer, newestSqliteVersion])
  })

  it.each([newer, 0])(
    'refuses a file of a newer version whose oldest version is %i, and leaves it as it is',
    (oldest) => {
      elsewhere((database) => database.exec('CREATE TABLE theirs (a)'))
      upgrade(oldest)
      expect(() => createSqliteStore(path)).toThrow(
        `${path} was written by a newer version of Paywindow (${newer}, this one knows ${newestSqliteVersion}): upgrade, or use another file`,
      )
      expect(elsewhere(versionsIn)).toEqual([newer, oldest])
      expect(elsewhere((database) => database.prepare('SELECT name FROM sqlite_schema').all())).toEqual([
        { name: 'theirs' },
      ])
    },
  )

  it('says in each new file which versions may use it', async () => {
    await createSqliteStore(path).close()
    expect(elsewhere(versionsIn)).toEqual([newestSqliteVersion, 5])
  })

  it('goes on with a file of version 0.1.0, which does not say which versions may use it', async () => {
    await createSqliteStore(path).close()
    elsewhere((database) => database.exec('PRAGMA application_id = 0'))
    const store = createSqliteStore(path)
    expect(await store.create(record('a'))).toBe(true)
    await store.close()
  })

  it('refuses a file of a version from before the first release', () => {
    elsewhere((database) => database.exec('CREATE TABLE records (key TEXT) STRICT; PRAGMA user_version = 4'))
    expect(() => createSqliteStore(path)).toThrow(`The store ${path} cannot be used: table records already exists`)
    expect(elsewhere(versionsIn)).toEqual([4, 0])
  })

  it('refuses every call once another process has changed the tables so that it may not use them', async () => {
    const store = createSqliteStore(path)
    await store.create(record('a', { labels: ['x'], due: look }))
    expect(await store.readMany(['a'])).toHaveLength(1)
    upgrade(newer)
    // The second time nothing has changed any more.
    for (let time = 0; time < 2; time++)
      for (const [verb, call] of everyVerb(store)) await expect(call(), verb).rejects.toThrow(/newer version/)
    await expect(store.list('x', { limit: 9, before: 'b' })).rejects.toThrow(/newer version/)
    const rows = (table: string) => elsewhere((database) => database.prepare(`SELECT * FROM ${table}`).all())
    expect(rows('records')).toEqual([{ key: 'a', version: 1, value: '{}' }])
    expect(rows('leases')).toEqual([])
    await store.close()
  })

  it('makes a write that waits refuse, too', async () => {
    const store = createSqliteStore(path)
    const other = new DatabaseSync(path)
    other.exec('BEGIN IMMEDIATE')
    const writes = ['a', 'b'].map((key) => store.create(record(key)))
    other.exec(`PRAGMA user_version = ${newer}; PRAGMA application_id = ${newer}; COMMIT`)
    other.close()
    for (const { status } of await Promise.allSettled(writes)) expect(status).toBe('rejected')
    expect(elsewhere((database) => database.prepare('SELECT key FROM records').all())).toEqual([])
    await store.close()
  })

  it('goes on where another process has changed the tables so that it may', async () => {
    const store = createSqliteStore(path)
    await store.create(record('a'))
    upgrade(newestSqliteVersion)
    expect((await store.read('a'))?.version).toBe(1)
    expect(await store.replace(record('a'), 1)).toBe(true)
    await store.close()
  })
})
