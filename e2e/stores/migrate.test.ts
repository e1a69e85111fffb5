import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setUp } from '../../src/cli/world.testing.ts'
import { startPostgres, storeOn, type TestPostgres } from './postgres-server.ts'

const record = { key: 'a', value: '{}', labels: [], due: [] }

describe('paywindow migrate', () => {
  let postgres: TestPostgres
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-migrate-'))
  /** A folder in which only this driver is installed, or none. */
  const projectWith = (driver?: string) => {
    const project = join(folder, driver ?? 'none')
    mkdirSync(join(project, 'node_modules'), { recursive: true })
    if (driver) symlinkSync(join(import.meta.dirname, 'node_modules', driver), join(project, 'node_modules', driver))
    return project
  }
  beforeAll(async () => {
    postgres = await startPostgres()
  }, 60_000)
  afterAll(async () => {
    await postgres?.stop()
    rmSync(folder, { recursive: true })
  })
  const migrate = (at: string, url: string, ...more: string[]) =>
    setUp().command(['migrate', ...more], { DATABASE_URL: url }, undefined, at)

  it.each(['pg', 'postgres'])('makes the tables with %s, any number of times', async (driver) => {
    const project = projectWith(driver)
    const schema = `by_${driver}`
    for (let time = 0; time < 2; time++)
      expect(await migrate(project, postgres.url, '--schema', schema)).toEqual({
        code: 0,
        stdout: `The tables in schema ${schema} are up to date.\n`,
        stderr: '',
      })
    const pool = postgres.openPool()
    const { rows } = await pool.query(`SELECT version FROM "${schema}".paywindow_versions`)
    expect(rows).toEqual([{ version: 2 }])
    expect(await storeOn(pool, schema).create(record)).toBe(true)
  })

  it('prints a statement that makes them, and asks for no database', async () => {
    const { code, stdout } = await setUp().command(['migrate', '--print', '--schema', 'printed'])
    expect(code).toBe(0)
    const pool = postgres.openPool()
    await pool.query(stdout)
    expect(await storeOn(pool, 'printed').create(record)).toBe(true)
  })

  it('says what is missing or wrong, and what to do', async () => {
    const project = projectWith()
    expect(await setUp().command(['migrate'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('DATABASE_URL is not set: set it'),
    })
    expect(await migrate(project, postgres.url)).toMatchObject({
      code: 2,
      stderr: `paywindow: Neither pg nor postgres is installed in ${project}: run this where your server is.\n`,
    })
    expect(await migrate(import.meta.dirname, postgres.url, '--schema', 'pg_mine')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('schema is "pg_mine": use'),
    })
    for (const driver of ['pg', 'postgres'] as const) {
      const { code, stderr } = await migrate(join(folder, driver), postgres.url.replace(/:[^:@]+@/, ':secret-word@'))
      expect(code).toBe(1)
      expect(stderr).toContain('The database refused: password authentication failed')
      expect(stderr).not.toContain('secret-word')
    }
  })
})
