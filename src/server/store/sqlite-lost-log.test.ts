/**
 * SQLite's locks belong to the process and not to the connection: closing the database's file in
 * the same process releases them. Another process then takes itself for the last one, and removes
 * the log when it ends. See https://sqlite.org/howtocorrupt.html, 2.2.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, expect, it } from 'vitest'
import { createSqliteStore } from './sqlite.ts'
import type { Store } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'paywindow-log-'))
const path = join(folder, 'paywindow.sqlite')
const stores: Store[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
})

function open(): Store {
  const store = createSqliteStore(path)
  stores.push(store)
  return store
}

/** As a bundler that watches the folder, with a process that loads the server for a moment. */
function removeLog(): void {
  for (const file of readdirSync(folder)) readFileSync(join(folder, file))
  const script = `const database = new (require('node:sqlite').DatabaseSync)(process.argv[1])
    database.prepare('SELECT count(*) FROM records').get()
    database.close()`
  const { status, stderr } = spawnSync(process.execPath, ['-e', script, path], { encoding: 'utf8' })
  expect(status, stderr).toBe(0)
}

/** The keys that another process reads. */
function keysElsewhere(): readonly string[] {
  const script = `const database = new (require('node:sqlite').DatabaseSync)(process.argv[1])
    console.log(JSON.stringify(database.prepare('SELECT key FROM records ORDER BY key').all().map(({ key }) => key)))`
  return JSON.parse(spawnSync(process.execPath, ['-e', script, path], { encoding: 'utf8' }).stdout)
}

const record = (key: string) => ({ key, value: '{}', labels: [], due: [] })

it.skipIf(process.platform === 'win32')('no write is confirmed that is only in a log which was removed', async () => {
  const store = open()
  await store.create(record('before'))
  const confirmed = ['before']
  for (const key of ['a', 'b', 'c', 'd']) {
    removeLog()
    await store.create(record(key)).then(
      () => confirmed.push(key),
      () => undefined,
    )
    await store.create(record(`${key}, again`))
    confirmed.push(`${key}, again`)
  }
  expect(keysElsewhere()).toEqual(expect.arrayContaining(confirmed))
  expect(await store.read('d, again')).toMatchObject({ key: 'd, again' })
})

it.skipIf(process.platform === 'win32')('a store that was not used since can be closed', async () => {
  const [one, other] = [open(), createSqliteStore(path)]
  await one.create(record('one'))
  removeLog()
  await one.create(record('again'))
  await other.close()
  expect(keysElsewhere()).toEqual(['again', 'one'])
})

it.skipIf(process.platform === 'win32')('what others write is read again, and a new store opens', async () => {
  const [one, other] = [open(), open()]
  await one.create(record('one'))
  removeLog()
  const late = open()
  await late.create(record('late'))
  expect(await one.read('late')).toMatchObject({ key: 'late' })
  expect(await other.read('late')).toMatchObject({ key: 'late' })
  expect(keysElsewhere()).toEqual(['late', 'one'])
})
