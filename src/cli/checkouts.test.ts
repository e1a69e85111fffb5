import { beforeEach, describe, expect, it } from 'vitest'
import { deposit, order } from '../server/shop.testing.ts'
import type { Store } from '../server/store/store.ts'
import { createCommandShop, createStoreIn } from './shop.testing.ts'
import { makeFolder, setUp } from './world.testing.ts'

describe('the commands for checkouts', () => {
  let folder: string
  beforeEach(() => {
    folder = makeFolder()
  })

  /** A shop with a checkout for each cart, whose server has ended. */
  async function shopWith(store: Store, ...references: string[]) {
    const { sandbox, paywindow, open, run, runWith } = createCommandShop(store, folder)
    const ids: string[] = []
    for (const reference of references) ids.push(await open(reference))
    await paywindow.close()
    return { sandbox, ids, run, runWith }
  }

  const sqlite = () => createStoreIn(folder)

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
    const cut = await run('checkouts', '--csv', '--limit', '1')
    expect(cut.stderr).toBe(`paywindow: There may be more: --before ${ids[1]}\n`)
    expect((await run('checkouts', '--json', '--limit', '1')).stderr).toBe(cut.stderr)
    expect((await run('checkouts', '--csv')).stderr).toBe('')
    const csv = cut.stdout.split('\n')
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

  it('needs no access to the service', async () => {
    const { ids, runWith } = await shopWith(sqlite(), 'cart-1')
    const none = { PAYWINDOW_SERVICE_URL: '', PAYWINDOW_ACCESS_TOKEN: '', PAYWINDOW_SUB_ACCOUNT_ID: '' }
    const refused: typeof fetch = async () => Promise.reject(new Error('the service was asked'))
    for (const environment of [none, { PAYWINDOW_ACCESS_TOKEN: '' }, { ...none, PAYWINDOW_SUB_ACCOUNT_ID: 'other' }]) {
      const listed = await runWith(environment, 'checkouts', '--json')
      expect([listed.code, listed.stderr, JSON.parse(listed.stdout)]).toMatchObject([0, '', [{ id: ids[0] }]])
      expect((await runWith(environment, 'checkout', String(ids[0]))).stdout).toMatch(/^Reference: +cart-1$/m)
    }
    expect((await setUp().command(['checkouts'], none, refused, folder)).code).toBe(0)
  })

  it('filters by a part of a text, and by times of payment', async () => {
    const { ids, run } = await shopWith(sqlite(), 'cart-1', 'cart-2')
    const found = async (...line: string[]) =>
      (JSON.parse((await run('checkouts', '--json', ...line)).stdout) as { id: string }[]).map(({ id }) => id)
    expect(await found('--search', 'CART-2')).toEqual([ids[1]])
    expect(await found('--only', 'open', '--from', '1h')).toEqual([ids[1], ids[0]])
    expect(await found('--to', '1h')).toEqual([])
    expect(await found('--only', 'attention')).toEqual([])
    expect(await run('checkouts', '--from', 'soon')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('from must be a day such as 2026-11-01'),
    })
  })

  it('is not confused by a sandbox whose time was moved, nor is doctor', async () => {
    const shop = createCommandShop(sqlite(), folder)
    const { sandbox, paywindow, run, runWith } = shop
    const id = await shop.open('cart-1')
    sandbox.clock.advance(30 * 60_000)
    deposit(shop)
    await paywindow.bind(id, order(shop).id)
    const watching = paywindow.watch()
    const late = JSON.parse((await run('checkouts', '--only', 'late', '--json')).stdout)
    expect(late).toMatchObject([{ id, phase: 'seen', isLate: true }])
    const { code, stdout } = await runWith({ PAYWINDOW_SERVICE_URL: 'http://127.0.0.1:4300' }, 'doctor')
    expect(stdout).toMatch(/^– Clock: The sandbox's clock was moved on: it is (?:1799|1800) s ahead\.$/m)
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('✗')])
    await watching.stop()
    await paywindow.close()
  })
})
