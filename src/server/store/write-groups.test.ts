import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { createSqliteStore } from './sqlite.ts'
import { createWriteGroups } from './write-groups.ts'

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
function setUp({
  giveUpAfterMs,
  committed = async () => {},
}: {
  giveUpAfterMs?: number
  committed?: () => Promise<void>
} = {}) {
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
  const groups = createWriteGroups(database, { committed }, giveUpAfterMs)
  return {
    path,
    database,
    transactions,
    add: (n: number) => groups.add(() => insert.run(n).changes),
    addMany: (all: readonly number[]) => groups.add(() => all.map((n) => insert.run(n).changes), all.length),
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
    expect(await Promise.all([3, 1, 2].map(add))).toEqual([1, 1, 1])
    expect(numbers()).toEqual([1, 2, 3])
    expect(transactions).toEqual(['COMMIT'])
  })

  it('are divided into groups, so that other work can run in between', async () => {
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

  it('count by their records, not by their calls', async () => {
    const { addMany, transactions } = setUp()
    const fifty = Array.from({ length: 50 }, (_, n) => n)
    await Promise.all([fifty, fifty, fifty, [1]].map(addMany))
    expect(transactions).toEqual(['COMMIT', 'COMMIT'])
  })

  it('are one group alone where one has more records than a group', async () => {
    const { addMany, transactions } = setUp()
    const many = Array.from({ length: 150 }, (_, n) => n)
    await Promise.all([[1], many, [2]].map(addMany))
    expect(transactions).toEqual(['COMMIT', 'COMMIT', 'COMMIT'])
  })

  it('are done when their commit is on the disk, and fail when it cannot be brought there', async () => {
    const asked: { resolve: () => void; reject: (reason: Error) => void }[] = []
    const { add, numbers } = setUp({
      committed: () => new Promise((resolve, reject) => asked.push({ resolve, reject })),
    })
    const done: unknown[] = []
    const first = add(1).then((result) => done.push(result))
    await expect.poll(() => asked.length).toBe(1)
    expect([numbers(), done]).toEqual([[1], []])
    asked[0]?.resolve()
    await first
    expect(done).toEqual([1])
    const second = add(2)
    await expect.poll(() => asked.length).toBe(2)
    asked[1]?.reject(new Error('no disk'))
    await expect(second).rejects.toThrow('no disk')
  })

  it('do not fail with one of them that does', async () => {
    const { add, numbers } = setUp()
    const [first, bad, last] = await Promise.allSettled([1, -1, 2].map(add))
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
    expect(await written).toBe(1)
    expect(numbers()).toEqual([1, 7])
  })

  it('give up when that lasts too long, and say so', async () => {
    const { path, add, numbers } = setUp({ giveUpAfterMs: 30 })
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
  const created = store.create({ key: 'a', value: '{}', labels: ['x'], due: [] })
  await store.close()
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
  const groups = createWriteGroups(database, { committed: async () => {} })
  const insert = database.prepare('INSERT INTO texts VALUES (?)')
  const add = (length: number) => groups.add(() => void insert.run('x'.repeat(length)))
  await expect(add(100_000)).rejects.toThrow('database or disk is full')
  await add(10)
  expect(database.prepare('SELECT count(*) AS n FROM texts').get()).toEqual({ n: 1 })
  database.close()
})
