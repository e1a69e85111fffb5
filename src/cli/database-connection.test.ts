import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createPostgresStore } from '../server/store/postgres.ts'
import { connectPostgres, connectRedis } from './database-connection.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paywindow-driver-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A project with a driver that behaves so. */
function install(name: string, source: string): void {
  const place = join(folder, 'node_modules', name)
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name, main: 'index.cjs' }))
  writeFileSync(join(place, 'index.cjs'), source)
}

/** Fails once with each of these codes, and shows how its pool was opened. */
const pg = (...codes: readonly string[]) => `
  const codes = ${JSON.stringify(codes)}
  exports.Pool = class {
    constructor(options) { this.options = options }
    on() {}
    async end() {}
    async query(text) {
      if (text === 'SELECT 1') return { rows: [] }
      if (text === 'SELECT options') return { rows: [this.options] }
      if (text.includes('server_encoding')) return { rows: [{ encoding: 'UTF8', replica: 'off' }] }
      if (text.includes('paywindow_versions v')) return { rows: [{ version: '2', oldest: '2' }] }
      const code = codes.shift()
      if (code) throw Object.assign(new Error('refused'), { code })
      return { rows: [] }
    }
  }`

it('tells a store of Postgres what was refused, so that it sends again what may be sent', async () => {
  install('pg', pg('57P03', 'ECONNREFUSED'))
  const { query } = await connectPostgres('postgres://localhost/shop', { folder })
  expect(await createPostgresStore({ query }).read('a')).toBeUndefined()
})

it('tells a store of Postgres what its role may not do, so that it says what to grant', async () => {
  install('pg', pg('42501'))
  const { query } = await connectPostgres('postgres://localhost/shop', { folder })
  await expect(createPostgresStore({ query }).read('a')).rejects.toThrow(/42501.*GRANT USAGE/)
})

it('opens the pool as it is told', async () => {
  install('pg', pg())
  const options = { max: 10, keepAlive: true, query_timeout: 10_000 }
  const { query } = await connectPostgres('postgres://localhost/shop', { folder }, options)
  expect((await query('SELECT options', [])).rows).toEqual([
    { connectionString: 'postgres://localhost/shop', ...options },
  ])
})

it('ends also while the database is away, for which postgres.js would wait', async () => {
  install(
    'postgres',
    `module.exports = () => ({
      unsafe: async () => [],
      end: ({ timeout } = {}) => timeout > 0 ? Promise.resolve('ended') : new Promise(() => {}),
    })`,
  )
  const { end } = await connectPostgres('postgres://localhost/shop', { folder })
  expect(await Promise.race([end(), new Promise((resolve) => setImmediate(resolve, 'waits'))])).toBe('ended')
})

it('says that there is no Redis, and leaves nothing behind that tries to connect for ever', async () => {
  install(
    'redis',
    `exports.createClient = () => {
      const listeners = []
      const timer = setInterval(() => listeners.forEach((tell) => tell(new Error('connect ECONNREFUSED'))), 1)
      return {
        on: (_, listener) => listeners.push(listener),
        connect: () => new Promise(() => {}),
        destroy: () => { clearInterval(timer); globalThis.destroyedRedis = true },
      }
    }`,
  )
  await expect(connectRedis('redis://localhost', { folder })).rejects.toThrow(
    'The database refused: connect ECONNREFUSED',
  )
  expect(globalThis).toHaveProperty('destroyedRedis', true)
})
