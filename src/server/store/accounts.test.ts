import { describe, expect, it } from 'vitest'
import type { KeyedCheckout } from '../../contract/checkout.ts'
import { seededRandom } from '../../sandbox/index.ts'
import { createTestShop, pay, type TestShop } from '../shop.testing.ts'
import { createMemoryStore } from './memory.ts'
import type { Store } from './store.ts'
import { accountName } from './store-calls.ts'

const minuteMs = 60_000

/** Two shops with one store, each with an account of its own at the service. */
function shopsOfTwoAccounts() {
  const store = createMemoryStore()
  const first = createTestShop({ store, sandbox: { subAccountIds: ['books'] } })
  const other = createTestShop({ store, sandbox: { subAccountIds: ['wine'], random: seededRandom(2) } })
  return { store, first, other }
}

describe('a store that two accounts share', () => {
  it('gives each its own carts, orders and changes', async () => {
    const { first, other } = shopsOfTwoAccounts()
    const ofFirst = await first.open({ reference: 'order-1001' })
    const ofOther = await other.open({ reference: 'order-1001' })
    expect(ofOther.address).not.toBe(ofFirst.address)
    await Promise.all([first.settle(), other.settle()])
    const [one, two] = [first.paywindow.watch(), other.paywindow.watch()]
    pay(first)
    await first.pass(minuteMs)
    await other.pass(minuteMs)
    expect(first.events.map(({ reference, phase }) => `${reference} ${phase}`)).toEqual(['order-1001 paid'])
    expect(other.events).toEqual([])
    expect((await other.poll(ofOther)).phase).toBe('waiting')
    expect(await other.open({ reference: 'order-1001' })).toMatchObject({ id: ofOther.id, cart: 'open' })
    await first.run(one.stop())
    await other.run(two.stop())
  })

  it('follows, and shows to payers, nothing of the one before, and says so once', async () => {
    const { first, other } = shopsOfTwoAccounts()
    const left = await first.open({ reference: 'left' })
    await first.settle()
    const watch = other.paywindow.watch()
    await other.pass(5 * minuteMs)
    await other.run(watch.stop())
    expect(other.errors.map(({ code }) => code)).toEqual(['account_changed'])
    const poll = await other.send('GET', `/checkouts/${left.id}`, { key: left.key })
    expect(poll).toMatchObject({ status: 404, json: { error: { code: 'not_found' } } })
    expect(await other.paywindow.checkouts.get(left.id)).toMatchObject({ reference: 'left', status: 'open' })
    expect(await other.paywindow.checkouts.list()).toEqual([])
    pay(first)
    await first.pass(minuteMs)
    await first.run(first.paywindow.watchOnce())
    expect(first.events.map(({ phase }) => phase)).toEqual(['paid'])
  })
})

describe('a checkout of the account before', () => {
  it.each([
    [
      'the page asks for a link to another device',
      ({ other, left }: Left) => other.send('POST', `/checkouts/${left.id}/handover`, { key: left.key, body: {} }),
    ],
    [
      'its change is to be told again',
      ({ other, left }: Left) => other.run(other.paywindow.retell(left.id)).catch((error: unknown) => error),
    ],
  ])('stays with the server that follows it, where %s', async (_, act) => {
    const { first, other } = shopsOfTwoAccounts()
    const left = await first.open({ reference: 'left' })
    await first.settle()
    first.sandbox.payer.deposit({ address: left.address, amount: left.amount })
    await first.pass(minuteMs)
    await first.run(first.paywindow.watchOnce())
    expect(JSON.stringify(await act({ other, left }))).toMatch(/"(not_found|invalid_request)"/)
    const [order] = first.sandbox.orders()
    first.sandbox.payer.confirm(order?.id ?? '')
    await first.pass(minuteMs)
    await first.run(first.paywindow.watchOnce())
    expect(first.events.map(({ phase }) => phase)).toEqual(['seen', 'paid'])
  })
})

/** A checkout of the first account, and a server of another. */
interface Left {
  readonly other: TestShop
  readonly left: KeyedCheckout
}

it('binds no checkout of the account before by hand, where both number their orders alike', async () => {
  const { first, other } = shopsOfTwoAccounts()
  const left = await first.open({ reference: 'left' })
  await first.settle()
  await other.open({ reference: 'new' })
  await other.settle()
  pay(other)
  const [order] = other.sandbox.orders()
  const binding = other.paywindow.bind(left.id, order?.id ?? '', { confirmed: true })
  await expect(other.run(binding)).rejects.toMatchObject({ code: 'not_found' })
  await other.pass(minuteMs)
  expect(await first.paywindow.checkouts.get(left.id)).toMatchObject({ reference: 'left', status: 'open' })
  expect([...first.events, ...other.events].map(({ reference }) => reference)).not.toContain('left')
})

describe('payment links of a shop that has changed its account', () => {
  const secret = '0123456789abcdef0123456789abcdef'

  /** A shop that asks for a link. */
  function shopOn(store: Store, account: string, linkSecret: string | string[] = secret) {
    const page = { url: 'https://shop.example/paywindow/pay' }
    const sandbox = { subAccountIds: [account] as const }
    return createTestShop({ store, sandbox, linkSecret, page, admits: ({ link }) => link !== undefined })
  }
  async function tokenOf({ paywindow }: TestShop) {
    const { url } = await paywindow.link({ reference: 'invoice-7', validForMs: 60 * minuteMs })
    return new URL(url).searchParams.get('link')
  }
  const statusOf = async (shop: TestShop, token: string | null) =>
    (await shop.send('POST', `/offer?link=${token}`, { body: { reference: 'invoice-7' } })).status

  it('stay revoked, and those that were made after that stay valid, there and back', async () => {
    const store = createMemoryStore()
    const [before, after] = [shopOn(store, 'books'), shopOn(store, 'new-books')]
    const first = await tokenOf(before)
    await before.paywindow.revokeLinks('invoice-7')
    const second = await tokenOf(before)
    expect([await statusOf(before, first), await statusOf(before, second)]).toEqual([404, 200])
    expect([await statusOf(after, first), await statusOf(after, second)]).toEqual([404, 200])
    await after.paywindow.revokeLinks('invoice-7')
    const third = await tokenOf(after)
    for (const shop of [before, after])
      expect([await statusOf(shop, second), await statusOf(shop, third)]).toEqual([404, 200])
  })

  it('are not those of another shop on the store', async () => {
    const store = createMemoryStore()
    const [books, wine] = [shopOn(store, 'books'), shopOn(store, 'wine', secret.replace('0', 'x'))]
    const token = await tokenOf(books)
    await wine.paywindow.revokeLinks('invoice-7')
    expect(await statusOf(books, token)).toBe(200)
  })

  it('stay revoked with another secret beside theirs', async () => {
    const store = createMemoryStore()
    const before = shopOn(store, 'books')
    const token = await tokenOf(before)
    await before.paywindow.revokeLinks('invoice-7')
    expect(await statusOf(shopOn(store, 'books', [secret.replace('0', 'x'), secret]), token)).toBe(404)
  })
})

describe('the name of an account', () => {
  it('is the same however its address is written, and another for each sub-account', () => {
    const name = (baseUrl: string, subAccountId = 'a') => accountName({ baseUrl, subAccountId })
    expect(name('https://API.example.com/v')).toBe(name('https://api.example.com/v/'))
    expect(name('http://127.0.0.1:4300')).toBe(name('http://127.0.0.1:4301'))
    expect(name('https://api.example.com', 'A')).toBe(name('https://api.example.com', 'a'))
    expect(name('https://api.example.com', 'b')).not.toBe(name('https://api.example.com'))
    expect(name('https://test.example.com')).not.toBe(name('https://api.example.com'))
  })
})
