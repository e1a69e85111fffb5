import { beforeEach, describe, expect, it } from 'vitest'
import type { PaywindowOptions } from '../server/options.ts'
import type { Store } from '../server/store/store.ts'
import { systemClock } from '../service/clock.ts'
import { createCommandShop, createStoreIn } from './shop.testing.ts'
import { makeFolder, setUp } from './world.testing.ts'

const minuteMs = 60_000

describe('paywindow reconcile', () => {
  let folder: string
  beforeEach(() => {
    folder = makeFolder()
  })

  /** A shop with one bound checkout, which is an hour old by default. */
  async function shopWith(store: Store, agoMs = 60 * minuteMs) {
    const shop = createCommandShop(store, folder)
    const clock: PaywindowOptions['service']['clock'] = { ...systemClock, now: () => Date.now() - agoMs }
    shop.sandbox.clock.advance(-agoMs)
    const old = createCommandShop(store, folder, { service: { ...shop.sandbox.access, clock } })
    const id = await old.open('=cart-1')
    const [order] = shop.sandbox.orders()
    if (!order) throw new Error('The sandbox has no order')
    await old.paywindow.bind(id, order.id)
    /** Changes the orders that the service shows from now on. */
    let change = (body: string) => body
    const answer: typeof fetch = async (input, init) => {
      const response = await shop.sandbox.fetch(input, init)
      const text = change(await response.text())
      return new Response(text, { status: text === '' ? 404 : response.status, headers: response.headers })
    }
    return {
      ...shop,
      id,
      order,
      changeAnswers: (next: typeof change) => {
        change = next
      },
      reconcile: async (...line: string[]) => {
        shop.sandbox.clock.advance(agoMs)
        return setUp().command(['reconcile', ...line], {}, answer, folder)
      },
    }
  }
  const sqlite = () => createStoreIn(folder)
  const kindsIn = (stdout: string) => JSON.parse(stdout).differences.map(({ kind }: { kind: string }) => kind)

  it('finds no difference where there is none', async () => {
    const { reconcile } = await shopWith(sqlite())
    const { code, stdout, stderr } = await reconcile()
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^1 order and 1 checkout since \S+: 0 differences, 0 not compared\.\n$/)
  })

  it('finds none either where a neighbour on the list has an order with the same id', async () => {
    const { changeAnswers, sandbox, reconcile } = await shopWith(sqlite())
    const own = sandbox.access.subAccountId
    changeAnswers((body) =>
      body.replace(/"orders":\[(.*)\]/, (_, item: string) => `"orders":[${item},${item.replace(own, 'wine')}]`),
    )
    expect((await reconcile()).stdout).toMatch(/^1 order and 1 checkout since \S+: 0 differences, 0 not/)
  })

  it('compares the checkouts of the account of the variables, where the store has another, too', async () => {
    const store = sqlite()
    await createCommandShop(store, folder, { baseUrl: 'https://former.example' }).open('=cart-1')
    const { reconcile } = await shopWith(store)
    expect((await reconcile()).stdout).toMatch(/^1 order and 1 checkout since \S+: 0 differences, 0 not/)
  })

  it('names orders without a checkout, and paid orders apart', async () => {
    const { sandbox, reconcile } = await shopWith(sqlite())
    const other = { sourceAsset: 'BTC', targetAsset: 'USD', network: 'bitcoin', targetAmount: '0.10' }
    const open = sandbox.addOrder(other)
    sandbox.clock.advance(1_000)
    const paid = sandbox.addOrder({ ...other, targetAmount: '7' })
    sandbox.payer.deposit({ address: paid.address ?? '', amount: paid.sourceAmount })
    sandbox.payer.confirm(paid.id)
    const { stdout } = await reconcile('--json')
    expect(JSON.parse(stdout).differences).toEqual([
      expect.objectContaining({ kind: 'paid_order_without_checkout', order_id: paid.id, order_status: 'confirmed' }),
      expect.objectContaining({ kind: 'order_without_checkout', order_id: open.id, checkout_id: null }),
    ])
  })

  it('does not compare orders that are too young', async () => {
    const { sandbox, reconcile } = await shopWith(sqlite(), 0)
    sandbox.addOrder({ sourceAsset: 'BTC', targetAsset: 'USD', network: 'bitcoin', targetAmount: '5' })
    const { stdout } = await reconcile()
    expect(stdout).toContain('too young to be compared')
    expect(stdout).toContain('0 differences, 1 not compared')
  })

  it('names a status that the store does not have, and compares nothing older than --since', async () => {
    const { sandbox, id, order, reconcile } = await shopWith(sqlite())
    sandbox.payer.deposit({ address: order.address ?? '', amount: order.sourceAmount })
    const { stdout } = await reconcile()
    expect(stdout).toMatch(
      new RegExp(`^status +${order.id} +${id} +=cart-1 +the service says pending, the store open; it`, 'm'),
    )
    sandbox.clock.advance(-60 * minuteMs)
    expect((await reconcile('--since', '30m')).stdout).toContain('0 orders and 0 checkouts')
  })

  it.each([
    ['amount', (body: string) => body.replace('"target_amount":49.9', '"target_amount":49.8'), 'not 49.90'],
    ['asset_or_address', (body: string) => body.replace('"BTC"', '"ETH"'), 'its source asset is ETH'],
    ['unknown', (body: string) => body.replace('"open"', '"frozen"'), 'frozen is not known'],
  ])('names a difference of %s', async (kind, change, words) => {
    const { changeAnswers, reconcile } = await shopWith(sqlite())
    changeAnswers(change)
    const { stdout } = await reconcile('--json')
    expect(kindsIn(stdout)).toEqual([kind])
    expect(stdout).toContain(words)
  })

  it.each([
    [
      'order_not_listed',
      (body: string) => (body.includes('"orders"') ? body.replace(/"orders":\[.*\]/, '"orders":[]') : body),
    ],
    [
      'order_not_found',
      (body: string) => (body.includes('"orders"') ? body.replace(/"orders":\[.*\]/, '"orders":[]') : ''),
    ],
    [
      'unknown',
      (body: string) => (body.includes('"orders"') ? body.replace(/"orders":\[.*\]/, '"orders":[{}]') : body),
    ],
  ])('reads the details of an order that the list does not show: %s', async (kind, change) => {
    const { changeAnswers, reconcile } = await shopWith(sqlite())
    changeAnswers(change)
    const { stdout } = await reconcile('--json')
    expect(kindsIn(stdout)).toEqual([kind])
    expect(JSON.parse(stdout).isComplete).toBe(kind !== 'unknown')
  })

  it('writes exact decimals and no formulas as CSV', async () => {
    const { sandbox, order, reconcile } = await shopWith(sqlite())
    sandbox.payer.deposit({ address: order.address ?? '', amount: order.sourceAmount })
    const [heads, row, ...rest] = (await reconcile('--csv')).stdout.split('\n')
    expect(heads).toMatch(/^kind,order_id,order_status,source_amount,/)
    expect(row).toContain(`status,${order.id},pending,${order.sourceAmount},BTC,49.9,USD,`)
    expect(row).toContain(`,'=cart-1,open,${order.sourceAmount},BTC,49.90,USD,`)
    expect(rest).toEqual([''])
  })

  it.each(['2999-01-01', '2026-02-31', 'yesterday', '7w'])('refuses --since %s', async (since) => {
    expect(await setUp().command(['reconcile', '--since', since])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Must be a time in the past'),
    })
  })
})
