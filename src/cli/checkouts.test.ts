import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSqliteStore } from '../server/store/sqlite.ts'
import type { Store } from '../server/store/store.ts'
import { createCommandShop } from './shop.testing.ts'
import { setUp } from './world.testing.ts'

describe('the commands for checkouts', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'paywindow-checkouts-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** A shop that has begun one payment of each cart, and ended. */
  async function shopWith(store: Store, ...references: string[]) {
    const { sandbox, paywindow, open, run } = createCommandShop(store, folder)
    const ids: string[] = []
    for (const reference of references) ids.push(await open(reference))
    await paywindow.close()
    return { sandbox, ids, run }
  }

  const sqlite = () => createSqliteStore(join(folder, '.paywindow/paywindow.sqlite'))

  it('lists them newest first, as a table, JSON or CSV', async () => {
    const { ids, run } = await shopWith(sqlite(), 'cart-1', '=cart-2')
    const { code, stdout, stderr } = await run('checkouts')
    expect([code, stderr]).toEqual([0, ''])
    const lines = stdout.split('\n')
    expect(lines[0]).toMatch(/^ID +REFERENCE +STATUS/)
    expect([lines[1], lines[2]]).toEqual([
      expect.stringContaining(`${ids[1]}  =cart-2`),
      expect.stringContaining(`${ids[0]}  cart-1`),
    ])
    expect(JSON.parse((await run('checkouts', '--reference', 'cart-1', '--json')).stdout)).toMatchObject([
      { id: ids[0], reference: 'cart-1', price: { amount: '49.90', asset: 'USD' } },
    ])
    const csv = (await run('checkouts', '--csv', '--limit', '1')).stdout.split('\n')
    expect(csv[0]).toMatch(/^id,reference,status,price,/)
    // What a spreadsheet would take for a formula.
    expect(csv[1]).toContain(`${ids[1]},'=cart-2,open,49.90,USD,`)
    expect((await run('checkouts', '--limit', '1')).stdout).toContain(`There may be more: --before ${ids[1]}\n`)
    expect((await run('checkouts', '--before', String(ids[0]))).stdout).toBe('No checkouts.\n')
  })

  it('shows one, and settles its order by hand', async () => {
    const { sandbox, ids, run } = await shopWith(sqlite(), 'cart-1')
    const [id = ''] = ids
    const [order] = sandbox.orders()
    expect((await run('checkout', id)).stdout).toMatch(/^Checkout: +\S+\nReference: +cart-1\nStatus: +open/)
    expect((await run('bind', id, order?.id ?? '')).stdout).toBe(
      `Checkout ${id} has order ${order?.id} now, which is open.\n`,
    )
    expect(JSON.parse((await run('checkout', id, '--json')).stdout)).toMatchObject({
      order: { id: order?.id, evidence: 'merchant' },
    })
  })

  it('says what is wrong and makes no store', async () => {
    const { code, stderr } = await setUp().command(['checkouts'], {}, undefined, folder)
    expect([code, stderr]).toEqual([2, expect.stringContaining('There is no store at ')])
    const { run } = await shopWith(sqlite(), 'cart-1')
    expect(await run('checkout', 'c-unknown')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has no checkout'),
    })
    expect(await run('checkouts', '--postgres')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('DATABASE_URL is not set'),
    })
    expect((await run('checkouts', '--reference', 'cart-1', '--only', 'untold')).code).toBe(2)
  })
})
