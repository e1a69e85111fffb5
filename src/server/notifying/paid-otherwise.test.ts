/** Orders that the service confirms with another amount than requested. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KeyedCheckout } from '../../contract/checkout.ts'
import { formatAtomic, toAtomic } from '../../contract/decimal.ts'
import type { JsonRecord } from '../../contract/parse.ts'
import { createTestShop, pay, requestOf } from '../shop.testing.ts'

/**
 * A shop whose service shows these amounts of an order from its confirmation on, in its list and
 * its details.
 */
async function paidShowing(amounts: (asked: string) => JsonRecord) {
  let asked = ''
  const changeAnswer = (json: JsonRecord) => (json.status === 'confirmed' ? { ...json, ...amounts(asked) } : json)
  const shop = createTestShop({ changeAnswer })
  const checkout = await shop.open()
  asked = checkout.amount
  await shop.settle()
  pay(shop)
  await shop.pass(3_000)
  const shown = await shop.poll(checkout)
  await shop.settle()
  return { shop, shown, event: shop.events.at(-1), codes: shop.errors.map(({ code }) => code) }
}

describe('an order that is confirmed', () => {
  it.each<[string, JsonRecord, string]>([
    ['less than the price', { target_amount: 5 }, 'paid_less'],
    ['more than the price', { target_amount: 60 }, 'paid_more'],
    ['a tenth of the deposit', { source_amount: 0.00007 }, 'paid_less'],
    ['less of one and more of the other', { source_amount: 1, target_amount: 49.8 }, 'paid_less'],
    ['a cent less', { target_amount: 49.89 }, 'paid_less'],
    ['an amount with its currency', { target_amount: '5.00 USD' }, 'paid_less'],
    ['an amount with a comma', { target_amount: '5,00' }, 'paid_less'],
    ['an amount below zero', { target_amount: -5 }, 'paid_less'],
    ['the price with a comma', { target_amount: '49,90' }, 'paid'],
    ['the price with spaces around it', { target_amount: ' 49.90 ' }, 'paid'],
    ['neither amount', { source_amount: 0, target_amount: null }, 'paid'],
    ['the price as a double has it', { target_amount: 49.900000000000006 }, 'paid'],
    ['less of another coin, and the price', { source_asset: 'WBTC', source_amount: 0.0001 }, 'paid'],
    ['more of another coin, and the price', { source_asset: 'USDT', source_amount: 50.1 }, 'paid'],
    ['another coin, and less than the price', { source_asset: 'USDT', target_amount: 5 }, 'paid_less'],
    ['another coin alone', { source_asset: 'USDT', target_amount: null }, 'paid_less'],
  ])('and shows %s is told as what it is', async (_, amounts, phase) => {
    const { shop, shown, event, codes } = await paidShowing(() => amounts)
    expect(event).toMatchObject({ status: 'confirmed', phase, price: { asset: 'USD', amount: '49.90' } })
    expect(codes.filter((code) => code !== 'binding_contradicted')).toEqual(phase === 'paid' ? [] : [phase])
    expect(shown.phase).toBe(phase === 'paid_less' ? 'seen' : 'paid')
    expect(shown.cart).toBe(phase === 'paid_less' ? 'seen' : 'paid')
    expect((await shop.send('POST', '/checkouts', { body: { reference: 'cart-42' } })).json).toMatchObject({
      id: shown.id,
    })
    const { target_amount: target } = amounts
    if (typeof target === 'number' && phase !== 'paid')
      expect(event?.checkout.received?.price).toEqual({ asset: 'USD', amount: String(target) })
  })

  it('and shows less later is reported once', async () => {
    let isLess = false
    const changeAnswer = (json: JsonRecord) => (isLess && 'created_at' in json ? { ...json, target_amount: 5 } : json)
    const shop = createTestShop({ changeAnswer })
    const watching = shop.paywindow.watch()
    await shop.open()
    await shop.settle()
    pay(shop)
    await shop.pass(10_000)
    isLess = true
    await shop.pass(3 * 3_600_000)
    await shop.run(watching.stop())
    expect(shop.events.map(({ phase }) => phase)).toEqual(['paid'])
    expect(shop.errors.map(({ code, message }) => [code, /shows 5 of 49.9 USD/.test(message)])).toEqual([
      ['paid_less', true],
    ])
  })

  /** An order whose details show other amounts from some moment on; without its list, if asked. */
  async function shownLater(first: JsonRecord, later: JsonRecord, afterMs: number) {
    let isLater = false
    const shop = createTestShop({
      // The list would hide it, so the list lacks the order.
      changeAnswer: (json, _, isListed) =>
        json.status !== 'confirmed' ? json : isListed && isLater ? null : { ...json, ...(isLater ? later : first) },
    })
    const watching = shop.paywindow.watch()
    await shop.open()
    await shop.settle()
    pay(shop)
    await shop.pass(afterMs)
    const told = shop.errors.length
    isLater = true
    await shop.pass(3 * 3_600_000)
    await shop.run(watching.stop())
    return { shop, later: shop.errors.slice(told) }
  }

  it('and whose details show more later is reported once', async () => {
    const { shop, later } = await shownLater({}, { target_amount: 60 }, 10_000)
    expect(shop.events.map((event) => event.phase)).toEqual(['paid'])
    const words = /delivered as paid, shows 60 of 49.9 USD/
    expect(later.map((error) => [error.code, words.test(error.message)])).toEqual([['paid_more', true]])
  })

  it('and whose details show the rest later is told as paid, once', async () => {
    const { shop, later } = await shownLater({ target_amount: 5 }, {}, 70_000)
    expect(shop.events.map(({ status, phase, checkout }) => [status, phase, checkout.received?.price?.amount])).toEqual(
      [
        ['confirmed', 'paid_less', '5'],
        ['confirmed', 'paid', '49.9'],
      ],
    )
    expect(shop.events[1]?.eventId).not.toBe(shop.events[0]?.eventId)
    expect(later).toEqual([])
  })

  it('and shows the rest later is told as paid, once, also to so many pages that the list answers', async () => {
    let isLater = false
    const changeAnswer = (json: JsonRecord) =>
      json.status === 'confirmed' && !isLater ? { ...json, target_amount: 5 } : json
    const shop = createTestShop({ changeAnswer })
    const references = Array.from({ length: 6 }, (_, at) => `cart-${at}`)
    const checkouts: KeyedCheckout[] = []
    for (const reference of references) checkouts.push(await shop.open({ reference }))
    const pollOne = ({ id, key }: KeyedCheckout) => shop.paywindow.fetch(requestOf('GET', `/checkouts/${id}`, { key }))
    const poll = async (times: number) => {
      for (let polls = 0; polls < times; polls += 1) {
        await shop.run(Promise.all(checkouts.map(pollOne)))
        await shop.pass(5_000)
      }
    }
    await poll(12)
    for (const at of references.keys()) pay(shop, at)
    await poll(24)
    expect(shop.events.map(({ phase }) => phase)).toEqual(references.map(() => 'paid_less'))
    isLater = true
    await poll(24)
    const told = shop.events.slice(references.length).map(({ reference, phase }) => `${reference} ${phase}`)
    expect(told.sort()).toEqual(references.map((reference) => `${reference} paid`))
  })

  it.each([
    ['the list shows it first', 20_000],
    ['six are confirmed in one moment', 0],
  ])('and shows less in its details alone is told as that, also where %s', async (_, pauseMs) => {
    const changeAnswer = (json: JsonRecord, _: number, isListed: boolean) =>
      json.status === 'confirmed' && !isListed ? { ...json, target_amount: 5 } : json
    const shop = createTestShop({ changeAnswer })
    const references = Array.from({ length: 6 }, (_, at) => `cart-${at}`)
    const watching = shop.paywindow.watch()
    for (const reference of references) await shop.open({ reference })
    await shop.pass(60_000)
    for (const at of references.keys()) {
      pay(shop, at)
      await shop.pass(pauseMs)
    }
    await shop.pass(60_000)
    await shop.run(watching.stop())
    expect(shop.events.map(({ phase }) => phase)).toEqual(references.map(() => 'paid_less'))
    expect(shop.errors.map(({ code }) => code)).toEqual(references.map(() => 'paid_less'))
  })

  it.each([
    ['that a page polls', 1, true],
    ['that nobody polls', 1, false],
    ['with others', 6, true],
  ])('and shows less in its list is told as that, where its details show no amount, %s', async (_, count, isPolled) => {
    const changeAnswer = (json: JsonRecord, _: number, isListed: boolean) => {
      if (json.status !== 'confirmed') return json
      return isListed ? { ...json, target_amount: 5 } : { ...json, source_amount: 0, target_amount: null }
    }
    const shop = createTestShop({ changeAnswer })
    const references = Array.from({ length: count }, (_, at) => `cart-${at}`)
    const watching = shop.paywindow.watch()
    const checkouts = []
    for (const reference of references) checkouts.push(await shop.open({ reference }))
    await shop.pass(60_000)
    for (const at of references.keys()) pay(shop, at)
    for (let polls = 0; polls < 6; polls += 1) {
      if (isPolled) for (const checkout of checkouts) await shop.poll(checkout)
      await shop.pass(5_000)
    }
    await shop.run(watching.stop())
    expect(shop.events.map(({ phase }) => phase)).toEqual(references.map(() => 'paid_less'))
    expect(shop.errors.map(({ code }) => code)).toEqual(references.map(() => 'paid_less'))
  })

  it('is paid only where it shows what was asked for, but for rounding', async () => {
    const cent = fc.bigInt({ min: -4_989n, max: 4_990n })
    // Less than a hundred satoshi may be rounding.
    const deposit = fc.bigInt({ min: -512n, max: 700n }).map((hundreds) => hundreds * 100n)
    await fc.assert(
      fc.asyncProperty(cent, deposit, async (cents, satoshi) => {
        const { event } = await paidShowing((asked) => ({
          target_amount: formatAtomic(4_990n + cents, 2),
          source_amount: formatAtomic(toAtomic(asked, 8) + satoshi, 8),
        }))
        const isLess = cents < 0n || satoshi < 0n
        const isMore = cents > 0n || satoshi > 0n
        expect(event?.phase).toBe(isLess ? 'paid_less' : isMore ? 'paid_more' : 'paid')
      }),
      { numRuns: 30 },
    )
  })
})

describe('the paid order of another quote, which a person binds', () => {
  it.each([
    ['at a lower rate, and paid in full', '64000', '49.90', 'paid'],
    ['at a higher rate, and paid in full', '66000', '49.90', 'paid'],
    ['of a lower price', '65000', '5', 'paid_less'],
  ])('%s, is told as what it is', async (_, rate, targetAmount, phase) => {
    const rates = { now: rate }
    const shop = createTestShop({ sandbox: { rates: (symbol) => (symbol === 'BTC' ? rates.now : undefined) } })
    const lost = shop.sandbox.addOrder({ sourceAsset: 'BTC', network: 'bitcoin', targetAsset: 'USD', targetAmount })
    await shop.pass(60_000)
    rates.now = '65000'
    const checkout = await shop.open()
    await shop.settle()
    shop.sandbox.payer.deposit({ address: lost.address ?? '', amount: lost.sourceAmount })
    shop.sandbox.payer.confirm(lost.id)
    await shop.run(shop.paywindow.bind(checkout.id, lost.id))
    await shop.settle()
    expect(shop.events.map((event) => event.phase)).toEqual([phase])
    expect((await shop.poll(checkout)).phase).toBe(phase === 'paid' ? 'paid' : 'seen')
  })

  it('is told as paid too little where it shows another deposit alone', async () => {
    const changeAnswer = (json: JsonRecord) => ('created_at' in json ? { ...json, target_amount: null } : json)
    const shop = createTestShop({ changeAnswer })
    const lost = shop.sandbox.addOrder({
      sourceAsset: 'BTC',
      network: 'bitcoin',
      targetAsset: 'USD',
      targetAmount: '5',
    })
    await shop.pass(60_000)
    const { id } = await shop.open()
    await shop.settle()
    shop.sandbox.payer.deposit({ address: lost.address ?? '', amount: lost.sourceAmount })
    shop.sandbox.payer.confirm(lost.id)
    await shop.run(shop.paywindow.bind(id, lost.id))
    await shop.settle()
    expect(shop.events.map(({ phase }) => phase)).toEqual(['paid_less'])
  })
})

it('the own order, which a person binds, is told as paid too little where a tenth came', async () => {
  const changeAnswer = (json: JsonRecord) => (json.status === 'confirmed' ? { ...json, source_amount: 0.00007 } : json)
  const shop = createTestShop({ changeAnswer })
  const { id } = await shop.open()
  await shop.settle()
  pay(shop)
  await shop.run(shop.paywindow.bind(id, shop.sandbox.orders()[0]?.id ?? ''))
  await shop.settle()
  expect(shop.events.map(({ phase }) => phase)).toEqual(['paid_less'])
})
