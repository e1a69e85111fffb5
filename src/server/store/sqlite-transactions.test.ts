import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { createSqliteStore } from './sqlite.ts'
import { createWrites } from './sqlite-transactions.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-'))
  folders.push(folder)
  return join(folder, 'store.sqlite')
}

/** A table of numbers that takes none below zero, and the transactions that were run on it. */
function setUp(giveUpAfterMs?: number) {
  const path = file()
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE numbers (n INTEGER CHECK (n >= 0)) STRICT')
  const insert = database.prepare('INSERT INTO numbers VALUES (?)')
  const transactions: string[] = []
  const exec = database.exec.bind(database)
  database.exec = (sql: string) => {
    if (/^(COMMIT|ROLLBACK)/.test(sql)) transactions.push(sql)
    exec(sql)
  }
  const { run } = createWrites(database, giveUpAfterMs)
  return {
    path,
    transactions,
    add: (...all: readonly number[]) => run(() => all.map((n) => insert.run(n).changes)),
    numbers: () =>
      database
        .prepare('SELECT n FROM numbers ORDER BY n')
        .all()
        .map(({ n }) => n),
  }
}

describe('writes of one turn of the event loop', () => {
  it('share a transaction, and each gets its own result', async () => {
    const { add, transactions, numbers } = setUp()
    expect(await Promise.all([add(3), add(1, 2)])).toEqual([[1], [1, 1]])
    expect(numbers()).toEqual([1, 2, 3])
    expect(transactions).toEqual(['COMMIT'])
  })

  it('are divided, so that other work can run in between', async () => {
    const { add, transactions } = setUp()
    const many = Array.from({ length: 250 }, (_, n) => add(n))
    let turns = 0
    const turn = () => {
      turns += 1
      if (transactions.length < 3) setImmediate(turn)
    }
    setImmediate(turn)
    await Promise.all(many)
    expect(transactions).toEqual(['COMMIT', 'COMMIT', 'COMMIT'])
    expect(turns).toBeGreaterThan(1)
  })

  it('are made as a whole or not at all', async () => {
    const { add, numbers } = setUp()
    await expect(add(1, -1)).rejects.toThrow(/CHECK/)
    expect(numbers()).toEqual([])
  })

  it('do not fail with one of them that does', async () => {
    const { add, numbers } = setUp()
    const [first, bad, last] = await Promise.allSettled([1, -1, 2].map((n) => add(n)))
    expect([first?.status, bad?.status, last?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(numbers()).toEqual([1, 2])
    await add(3)
    expect(numbers()).toEqual([1, 2, 3])
  })

  it('wait for another process that writes, without holding up the event loop', async () => {
    const { path, add, numbers } = setUp()
    const other = new DatabaseSync(path)
    other.exec('BEGIN IMMEDIATE; INSERT INTO numbers VALUES (7)')
    const written = add(1)
    let longestMs = 0
    for (let turn = 0, before = performance.now(); turn < 20; turn++) {
      await new Promise((resolve) => setImmediate(resolve))
      longestMs = Math.max(longestMs, performance.now() - before)
      before = performance.now()
    }
    expect(longestMs).toBeLessThan(1_000)
    other.exec('COMMIT')
    other.close()
    expect(await written).toEqual([1])
    expect(numbers()).toEqual([1, 7])
  })

  it('give up when that lasts too long, and say so', async () => {
    const { path, add, numbers } = setUp(30)
    const other = new DatabaseSync(path)
    other.exec('BEGIN IMMEDIATE')
    await expect(add(1)).rejects.toThrow(/locked/)
    other.exec('COMMIT')
    other.close()
    await add(2)
    expect(numbers()).toEqual([2])
  })
})

it('writes that were begun are finished before the store is closed', async () => {
  const path = file()
  const store = createSqliteStore(path)
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  const created = store.create({ key: 'a', value: '{}', labels: ['x'], due: [] })
  const closed = store.close()
  other.exec('COMMIT')
  other.close()
  await closed
  expect(await created).toBe(true)
  const again = createSqliteStore(path)
  expect(await again.read('a')).toEqual({ key: 'a', value: '{}', version: 1, due: [] })
  expect((await again.list('x', { limit: 1 })).length).toBe(1)
  await again.close()
})

it('rejects with the words of a disk that is full, and goes on when there is room', async () => {
  const path = file()
  const database = new DatabaseSync(path)
  database.exec('CREATE TABLE texts (t TEXT); PRAGMA max_page_count = 4')
  const { run } = createWrites(database)
  const insert = database.prepare('INSERT INTO texts VALUES (?)')
  const add = (length: number) => run(() => void insert.run('x'.repeat(length)))
  await expect(add(100_000)).rejects.toThrow('database or disk is full')
  await add(10)
  expect(database.prepare('SELECT count(*) AS n FROM texts').get()).toEqual({ n: 1 })
  database.close()
})
