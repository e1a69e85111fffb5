import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { createSqliteStore } from './sqlite.ts'
import type { NewRecord, Store } from './store.ts'

const folders: string[] = []
const stores: Store[] = []

function sqliteFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-store-'))
  folders.push(folder)
  return join(folder, 'deep', 'store.sqlite')
}

function open(path: string): Store {
  const store = createSqliteStore(path)
  stores.push(store)
  return store
}

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

const record = (key: string, more: Partial<NewRecord> = {}): NewRecord => ({
  key,
  value: `value of ${key}`,
  due: [],
  labels: [],
  ...more,
})
const keys = (records: readonly { key: string }[]) => records.map(({ key }) => key)

/** Has the file to itself for a moment, as a process that makes it or recovers it after a crash. */
const alone = `
  import { DatabaseSync } from 'node:sqlite'
  const [path, mode] = process.argv.slice(1)
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = ' + mode + '; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE other (a); COMMIT')
  setTimeout(() => database.close(), 300)
  console.log('alone')`

it('names the whole path of a file that cannot be opened', () => {
  const path = sqliteFile()
  mkdirSync(path, { recursive: true })
  expect(() => createSqliteStore(relative(process.cwd(), path))).toThrow(
    expect.objectContaining({
      code: 'internal',
      message: expect.stringContaining(`The store ${path} cannot be used: `),
    }),
  )
})

describe.skipIf(process.platform === 'win32')('a file whose path leads elsewhere while it is open', () => {
  const words = 'it is no longer the file that this process opened, but was moved, deleted or replaced'

  it('is used again once it is back', async () => {
    const path = sqliteFile()
    const store = open(path)
    await store.create(record('a'))
    renameSync(dirname(path), `${dirname(path)}-old`)
    await expect(store.read('a')).rejects.toThrow(`The store ${path} cannot be used: ${words}`)
    await expect(store.create(record('b'))).rejects.toThrow(words)
    renameSync(`${dirname(path)}-old`, dirname(path))
    expect(await store.read('a')).toMatchObject({ key: 'a' })
  })

  it('is named where nothing can be looked for there', async () => {
    const path = sqliteFile()
    const store = open(path)
    await store.create(record('a'))
    renameSync(dirname(path), `${dirname(path)}-old`)
    symlinkSync(dirname(path), dirname(path))
    await expect(store.read('a')).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringMatching(`^The store ${path} cannot be used: `),
    })
    rmSync(dirname(path))
    renameSync(`${dirname(path)}-old`, dirname(path))
    expect(await store.read('a')).toMatchObject({ key: 'a' })
  })

  it('is not taken for an empty store where it was deleted', async () => {
    const path = sqliteFile()
    const store = open(path)
    await store.create(record('a'))
    rmSync(dirname(path), { recursive: true })
    await expect(store.read('a')).rejects.toThrow(words)
    expect(existsSync(path)).toBe(false)
  })

  it('is not written to where a backup has its name', async () => {
    const path = sqliteFile()
    const store = open(path)
    await store.create(record('a'))
    const database = new DatabaseSync(path)
    database.exec(`VACUUM INTO '${path}.backup'`)
    database.close()
    renameSync(`${path}.backup`, path)
    await expect(store.create(record('b'))).rejects.toThrow(words)
  })
})

it('names the whole path of a file that cannot be written any more, and why', async () => {
  const path = sqliteFile()
  const store = open(relative(process.cwd(), path))
  const database = new DatabaseSync(path)
  database.exec(
    "CREATE TRIGGER full BEFORE INSERT ON records BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
  )
  database.close()
  await expect(store.create(record('a'))).rejects.toThrow(`The store ${path} cannot be used: database or disk is full`)
})

describe('the SQLite store', () => {
  it('keeps what was written when it is opened again, also by a second process', async () => {
    const path = sqliteFile()
    const first = open(path)
    await first.create(record('a', { labels: ['all'], due: [{ queue: 'look', atMs: 1 }] }))
    const second = open(path)
    expect(keys(await second.listDue('look', 1, 1))).toEqual(['a'])
    expect(await second.replace(record('a', { value: 'two' }), 1)).toBe(true)
    expect((await first.read('a'))?.value).toBe('two')
  })

  it('reads what another connection has written, also of records that it has just read', async () => {
    const path = sqliteFile()
    const [own, other] = [open(path), open(path)]
    await own.create(record('a'))
    const read = async () => {
      const first = await own.read('a')
      // The second time from what is kept.
      expect(await own.readMany(['a'])).toEqual(first ? [first] : [])
      return first && [first.value, first.version, first.due.map(({ atMs }) => atMs)]
    }
    expect(await read()).toEqual(['value of a', 1, []])
    await other.replace(record('a', { value: 'two' }), 1)
    expect(await read()).toEqual(['two', 2, []])
    await other.reschedule([{ key: 'a', version: 2, due: [{ queue: 'look', atMs: 5 }] }])
    expect(await read()).toEqual(['two', 2, [5]])
    await own.reschedule([{ key: 'a', version: 2, due: [{ queue: 'look', atMs: 6 }] }])
    expect(await read()).toEqual(['two', 2, [6]])
    await other.replace(record('a', { value: 'three', isArchived: true }), 2)
    expect(await read()).toEqual(['three', 3, []])
    await own.replaceMany([{ record: record('a', { value: 'four' }), version: 3 }])
    expect(await read()).toEqual(['four', 4, []])
    await other.remove('a', 4)
    expect(await read()).toBeUndefined()
    await own.create(record('a', { value: 'anew' }))
    expect(await read()).toEqual(['anew', 1, []])
  })

  it.each(['DELETE', 'WAL'])('waits for a process that has the file to itself, in the mode %s', async (mode) => {
    const path = sqliteFile()
    mkdirSync(dirname(path))
    // Opening waits in place, so that only another process can end the wait.
    const other = spawn(process.execPath, ['--input-type=module', '--eval', alone, path, mode])
    const ended = once(other, 'exit')
    await once(other.stdout, 'data')
    expect(await open(path).create(record('a'))).toBe(true)
    expect(await ended).toEqual([0, null])
  })

  it('writes labels only where they change', async () => {
    const path = sqliteFile()
    const store = open(path)
    await store.create(record('a', { labels: ['all', 'open'] }))
    const other = new DatabaseSync(path)
    other.exec(`CREATE TABLE seen (what TEXT NOT NULL) STRICT;
      CREATE TRIGGER put AFTER INSERT ON labels BEGIN INSERT INTO seen VALUES ('+' || new.label); END;
      CREATE TRIGGER took AFTER DELETE ON labels BEGIN INSERT INTO seen VALUES ('-' || old.label); END`)
    const seen = () =>
      other
        .prepare('DELETE FROM seen RETURNING what')
        .all()
        .map(({ what }) => what)
        .sort()
    await store.replace(record('a', { value: 'two', labels: ['open', 'all'] }), 1)
    await store.reschedule([{ key: 'a', version: 2, due: [{ queue: 'look', atMs: 1 }] }])
    expect(seen()).toEqual([])
    await store.replaceMany([{ record: record('a', { value: 'three', labels: ['all', 'paid'] }), version: 2 }])
    expect(seen()).toEqual(['+paid', '-open'])
    other.close()
  })

  it('uses write-ahead logging with full synchronisation', () => {
    const path = sqliteFile()
    open(path)
    const database = new DatabaseSync(path)
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
    database.close()
  })

  it('makes the file smaller as records are archived or removed', async () => {
    const path = sqliteFile()
    const store = open(path)
    const value = (number: number) => JSON.stringify({ number, history: 'waiting, seen, paid '.repeat(200) })
    const numbers = Array.from({ length: 2_000 }, (_, number) => number)
    const named = (number: number) => record(`checkout ${number}`, { value: value(number), labels: ['all'] })
    await Promise.all(numbers.map((number) => store.create(named(number))))
    const sizeOf = () => {
      const database = new DatabaseSync(path)
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      database.close()
      return statSync(path).size
    }
    const full = sizeOf()
    const archiving = numbers.map((number) => ({ record: { ...named(number), isArchived: true }, version: 1 }))
    await store.replaceMany(archiving)
    expect(sizeOf()).toBeLessThan(full / 5)
    expect((await store.read('checkout 1999'))?.value).toBe(value(1999))
    await Promise.all(numbers.map((number) => store.remove(`checkout ${number}`, 2)))
    expect(sizeOf()).toBeLessThan(full / 50)
  })
})

it('reads a list and its records as they are at one moment, while another process changes both', async () => {
  const path = sqliteFile()
  const store = open(path)
  await store.create(record('a', { labels: ['all'] }))
  // Writes until it is ended: each time the label moves to the other record.
  const writer = spawn(process.execPath, ['--input-type=module', '--eval', moving, path])
  await once(writer.stdout, 'data')
  for (let read = 0; read < 300; read++) {
    const listed = await store.list('moving', { limit: 9 })
    expect(listed.map(({ key, value }) => `${key} ${value}`)).toEqual([expect.stringMatching(/^(x has|y has)$/)])
  }
  writer.kill()
  await once(writer, 'exit')
})

const moving = `
  import { DatabaseSync } from 'node:sqlite'
  const database = new DatabaseSync(process.argv[1])
  database.exec("PRAGMA busy_timeout = 5000; PRAGMA synchronous = OFF; INSERT INTO records VALUES ('x', 1, 'has'), ('y', 1, 'has not'); INSERT INTO labels VALUES ('moving', 'x')")
  console.log('begun')
  for (let turn = 0; ; turn++) {
    const [to, from] = turn % 2 ? ['x', 'y'] : ['y', 'x']
    database.exec("BEGIN IMMEDIATE; UPDATE records SET value = 'has' WHERE key = '" + to + "'; UPDATE records SET value = 'has not' WHERE key = '" + from + "'; UPDATE labels SET key = '" + to + "' WHERE label = 'moving'; COMMIT")
  }`
