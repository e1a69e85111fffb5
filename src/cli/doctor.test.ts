import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { deposit, order } from '../server/shop.testing.ts'
import { createSqliteStore } from '../server/store/sqlite.ts'
import { newestSqliteVersion } from '../server/store/sqlite-schema.ts'
import { systemClock } from '../service/clock.ts'
import { createCommandShop } from './shop.testing.ts'
import { makeFolder, setUp } from './world.testing.ts'

describe('paywindow doctor', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = makeFolder()
    file = join(folder, '.paywindow/paywindow.sqlite')
  })

  /** A fetch that changes the `Date` of its answers. */
  const dated = (answer: typeof fetch, date: Date | null): typeof fetch => {
    return async (input, init) => {
      const response = await answer(input, init)
      const headers = new Headers(response.headers)
      if (date) headers.set('date', date.toUTCString())
      else headers.delete('date')
      return new Response(response.body, { status: response.status, headers })
    }
  }
  const local = { PAYWINDOW_SERVICE_URL: 'http://127.0.0.1:4300' }

  it('finds nothing wrong with a shop that works, and changes nothing', async () => {
    const shop = createCommandShop(createSqliteStore(file), folder, { baseUrl: local.PAYWINDOW_SERVICE_URL })
    await shop.open('cart-1')
    await shop.open('cart-2')
    const watching = shop.paywindow.watch()
    const before = new DatabaseSync(file, { readOnly: true }).prepare('SELECT key, version, value FROM records').all()
    const { code, stdout, stderr } = await shop.runWith(local, 'doctor')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.split('\n').map((line) => line.replace(/:.*/, ''))).toEqual([
      '✓ Service',
      '✓ Access token',
      '✓ Sub-account',
      '✓ Clock',
      '✓ Order list',
      '✓ Store',
      '✓ Watching',
      '✓ Unknown orders',
      '✓ Changes to deliver',
      '– Test mode',
      '',
    ])
    expect(stdout).toContain('sorted from the newest to the oldest')
    expect(stdout).toContain(`version ${newestSqliteVersion}, the newest`)
    await watching.stop()
    const after = new DatabaseSync(file, { readOnly: true }).prepare('SELECT key, version, value FROM records').all()
    expect(after).toEqual(before)
    expect(shop.sandbox.orders()).toHaveLength(2)
    await shop.paywindow.close()
  })

  it('prints JSON, and calls a test at a real service wrong', async () => {
    const shop = createCommandShop(createSqliteStore(file), folder)
    await shop.open('cart-1')
    const { code, stdout } = await shop.run('doctor', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toContainEqual({
      check: 'Test mode',
      result: 'wrong',
      words: expect.stringContaining('Remove test: true'),
    })
    await shop.paywindow.close()
  })

  it.each([
    ['Service', { PAYWINDOW_ACCESS_TOKEN: '' }, 'Not set: PAYWINDOW_ACCESS_TOKEN'],
    ['Service', { PAYWINDOW_SERVICE_URL: 'ftp://x' }, 'PAYWINDOW_SERVICE_URL'],
    ['Access token', { PAYWINDOW_ACCESS_TOKEN: 'another-token' }, 'Check PAYWINDOW_ACCESS_TOKEN'],
    ['Sub-account', { PAYWINDOW_SUB_ACCOUNT_ID: 'another' }, 'Check that PAYWINDOW_SUB_ACCOUNT_ID is yours'],
  ])('says that the %s is wrong with %j', async (check, environment, words) => {
    const { code, stdout } = await setUp().command(['doctor'], environment, undefined, folder)
    expect(code).toBe(1)
    expect(stdout).toMatch(new RegExp(`^✗ ${check}: .*${words}`))
    expect(stdout).toContain('✗ Store: There is no store at ')
  })

  it('prints no secret that the service repeats', async () => {
    const answer: typeof fetch = async () => new Response('{"message":"sandbox-token is not known"}', { status: 401 })
    const { stdout, stderr } = await setUp().command(['doctor'], {}, answer, folder)
    expect(stdout).toContain('“[token] is not known”')
    expect(stdout + stderr).not.toContain('sandbox-token')
  })

  it.each([
    ['✗ Clock: This machine is 60 s behind', 60_000],
    ['✗ Clock: This machine is 60 s ahead of', -60_000],
    ['✓ Clock', 3_000],
    ['– Clock: The service sends no Date', null],
  ])('compares the clocks: %s', async (line, aheadMs) => {
    const { sandbox, command } = setUp()
    const date = aheadMs === null ? null : new Date(Math.floor(Date.now() / 1_000) * 1_000 + aheadMs)
    const { stdout } = await command(['doctor'], {}, dated(sandbox.fetch, date), folder)
    // A Date has whole seconds.
    expect(stdout.replace(/(59|61) s/, '60 s')).toContain(line)
  })

  it.each([
    ['✗ Order times: The newest order was made 540 minutes in the future', 540, 'Z'],
    ['– Order times: The newest order was made 180 minutes ago', -180, 'Z'],
    ['– Order times: created_at names no zone, and the newest is 330 minutes ahead', 330, ''],
    ['– Order times: created_at names no zone. ', -180, ''],
    [undefined, 0, 'Z'],
    [undefined, -100, 'Z'],
  ])('compares the newest order with the clock: %s', async (line, aheadMinutes, zone) => {
    const now = Date.now()
    const orders = [0, 20].map((before) => ({
      id: `o-${before}`,
      status: 'open',
      created_at: `${new Date(now + (aheadMinutes - before) * 60_000).toISOString().slice(0, 19)}${zone}`,
    }))
    const answer: typeof fetch = async (input) =>
      Response.json(String(input).includes('/details/') ? orders[0] : { orders, page: 1, size: 100, total_pages: 1 })
    const { stdout } = await setUp().command(['doctor'], {}, answer, folder)
    if (line === undefined) expect(stdout).not.toContain('Order times')
    else expect(stdout).toContain(line)
  })

  it.each([
    [['2026-01-03', '2026-01-02', '2026-01-01'], '✓ Order list: It is sorted from the newest'],
    [['2026-01-01', '2026-01-02'], '✓ Order list: It is sorted from the oldest'],
    [['2026-01-01', '2026-01-03', '2026-01-02'], '✗ Order list: It is not sorted'],
    [['2026-01-01', 'soon'], '✗ Order list: Orders without a readable created_at'],
    [['2026-01-01'], '– Order list: It has too few'],
  ])('judges a list of %j', async (days, line) => {
    const orders = days.map((day, at) => ({ id: `o-${at}`, status: 'open', created_at: `${day}T00:00:00Z` }))
    const answer: typeof fetch = async (input) =>
      Response.json(String(input).includes('/details/') ? orders[0] : { orders, page: 1, size: 100, total_pages: 1 })
    expect((await setUp().command(['doctor'], {}, answer, folder)).stdout).toContain(line)
  })

  it('reads smaller pages of the list where 100 orders are refused', async () => {
    const { sandbox, command } = setUp()
    const answer: typeof fetch = async (input, init) =>
      Number(new URL(String(input)).searchParams.get('size')) > 50
        ? Response.json({ message: 'size must be at most 50' }, { status: 422 })
        : sandbox.fetch(input, init)
    expect((await command(['doctor'], {}, answer, folder)).stdout).toContain('✓ Service')
  })

  it('notices that no process watches, and that changes wait', async () => {
    // In the past, so that everything is late.
    const clock = { ...systemClock, now: () => Date.now() - 3_600_000 }
    const store = createSqliteStore(file)
    const shop = createCommandShop(store, folder)
    const { sandbox } = shop
    const old = createCommandShop(store, folder, { service: { ...sandbox.access, clock } })
    const id = await old.open('cart-1')
    deposit(shop)
    await old.paywindow.bind(id, order(shop).id)
    const { code, stdout } = await shop.run('doctor')
    expect(code).toBe(1)
    expect(stdout).toContain('✗ Changes to deliver: 1 checkout waits, the oldest change for 60 minutes: run watch()')
    expect(stdout).toContain(
      '✗ Watching: 1 checkout has been due for more than ten minutes, and no process follows orders',
    )
    await shop.paywindow.close()
  })

  it('counts what waits in the account of the variables, where the store has another, too', async () => {
    const store = createSqliteStore(file)
    const former = createCommandShop(store, folder, { baseUrl: 'https://former.example' })
    await former.open('cart-1')
    const shop = createCommandShop(store, folder)
    const id = await shop.open('cart-1')
    deposit(shop)
    await shop.paywindow.bind(id, order(shop).id)
    const { stdout } = await shop.run('doctor')
    expect(stdout).toContain('– Store: It has open checkouts of another account of the service')
    expect(stdout).toContain('– Changes to deliver: 1 checkout wait')
    await shop.paywindow.close()
  })

  it.each([
    ['is older', newestSqliteVersion - 1, '– Store: .* has version .* bring it up to date'],
    ['is newer', newestSqliteVersion + 1, '✗ Store: .* upgrade the package'],
    ['has no tables', 0, '✗ Store: .* has no tables yet: start your server once'],
  ])('leaves a store that %s as it is', async (_, version, line) => {
    await createSqliteStore(file).close()
    const database = new DatabaseSync(file)
    database.exec(`PRAGMA user_version = ${version}; PRAGMA application_id = 0`)
    const { stdout } = await setUp().command(['doctor'], {}, undefined, folder)
    expect(stdout).toMatch(new RegExp(line))
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: version })
    database.close()
  })
})
