import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSqliteStore } from '../server/store/sqlite.ts'
import type { Store } from '../server/store/store.ts'
import type { MerchantCheckout } from '../server/views/merchant-view.ts'
import { searchCheckouts } from './checkouts.ts'
import { createCommandShop } from './shop.testing.ts'
import { setUp } from './world.testing.ts'

describe('the commands for checkouts', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'paywindow-checkouts-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** A shop with a checkout for each cart, whose server has ended. */
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
    // A spreadsheet would take the reference for a formula.
    expect(csv[1]).toContain(`${ids[1]},'=cart-2,open,49.90,USD,`)
    expect((await run('checkouts', '--limit', '1')).stdout).toContain(`There may be more: --before ${ids[1]}\n`)
    expect((await run('checkouts', '--before', String(ids[0]))).stdout).toBe('No checkouts.\n')
  })

  it('shows one checkout, and binds its order by hand', async () => {
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

  it('says what is wrong, and creates no store', async () => {
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

const paid = { status: 'confirmed', phase: 'paid' } as const

function checkout(id: number, of: Partial<MerchantCheckout> = {}): MerchantCheckout {
  return {
    id: `c${String(id).padStart(5, '0')}`,
    reference: `cart-${id}`,
    status: 'open',
    phase: 'waiting',
    price: { asset: 'USD', amount: '49.9' },
    asset: 'BTC',
    network: 'bitcoin',
    createdAt: '2026-11-01T09:00:00.000Z',
    history: [],
    test: false,
    order: null,
    candidates: [],
    deposit: { amount: '0.001', address: 'bc1q', tag: null, expiresAt: '2026-11-01T09:20:00.000Z' },
    received: null,
    arrival: null,
    isLate: false,
    untoldEvents: 0,
    ...of,
  }
}

/** A store of these checkouts. It returns at most a thousand at once, without an unreadable one. */
function storeOf(checkouts: readonly MerchantCheckout[], unreadable?: string) {
  const newestFirst = checkouts.toSorted((a, b) => (a.id < b.id ? 1 : -1))
  return {
    list: async ({ before, limit = 100 }: { before?: string; limit?: number } = {}) =>
      newestFirst
        .filter(({ id }) => before === undefined || id < before)
        .slice(0, Math.min(limit, 1_000))
        .filter(({ id }) => id !== unreadable),
  }
}

const idsOf = (found: readonly MerchantCheckout[]) => found.map(({ id }) => id)

describe('checkouts that are', () => {
  it('late', async () => {
    const checkouts = storeOf([checkout(1, { isLate: true }), checkout(2), checkout(3, { isLate: true })])
    expect(idsOf(await searchCheckouts(checkouts, 'late', { limit: 10 }))).toEqual(['c00003', 'c00001'])
    expect(idsOf(await searchCheckouts(checkouts, 'late', { limit: 1 }))).toEqual(['c00003'])
    expect(idsOf(await searchCheckouts(checkouts, 'late', { limit: 1, before: 'c00003' }))).toEqual(['c00001'])
  })

  it('late, although a newer checkout cannot be read', async () => {
    const late = checkout(0, { isLate: true })
    const checkouts = storeOf([late, ...Array.from({ length: 1_500 }, (_, at) => checkout(at + 1))], 'c01200')
    expect(idsOf(await searchCheckouts(checkouts, 'late', { limit: 10 }))).toEqual(['c00000'])
  })

  it('paid twice, however far they are apart', async () => {
    const others = Array.from({ length: 2_500 }, (_, at) => checkout(at, { ...paid }))
    const same = { ...paid, reference: 'cart-x' }
    const checkouts = storeOf([
      ...others.slice(1, -1),
      checkout(0, same),
      checkout(2_499, same),
      checkout(2_500, { reference: 'cart-x' }),
    ])
    expect(idsOf(await searchCheckouts(checkouts, 'paid-twice', { limit: 10 }))).toEqual(['c02499', 'c00000'])
    expect(idsOf(await searchCheckouts(checkouts, 'paid-twice', { limit: 1, before: 'c02499' }))).toEqual(['c00000'])
  })
})
