/** A service or gateway that takes two requests for one and answers both with the same order. */
import { describe, expect, it } from 'vitest'
import type { JsonRecord } from '../../contract/parse.ts'
import type { SandboxOptions } from '../../sandbox/index.ts'
import { boundTo, mute, orderIdAt, pay } from '../following/binding.testing.ts'
import { createTestShop, order, type TestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'

/**
 * Two servers of one shop. Within some seconds the service answers each creation as it answered the
 * first.
 */
function shopsOfOneService(sandbox: SandboxOptions, forgetsAfterMs = 20_000, timeOf?: (atMs: number) => object) {
  const base = createTestShop({ sandbox })
  const clock = { aheadMs: 0 }
  const store = createMemoryStore(() => base.clock.now() + clock.aheadMs)
  let first: { readonly json: JsonRecord; readonly atMs: number } | undefined
  const changeAnswer = (json: JsonRecord, sentAtMs: number) => {
    if (!('wallet_address' in json) || 'status' in json) return json
    if (first && sentAtMs - first.atMs < forgetsAfterMs) return { ...first.json, ...timeOf?.(sentAtMs) }
    first = { json, atMs: sentAtMs }
    return json
  }
  const beside = { shop: base, store }
  return [createTestShop({ beside, changeAnswer }), createTestShop({ beside, changeAnswer }), clock] as const
}

async function ask(shop: TestShop, reference: string) {
  const { status, headers, json } = await shop.send('POST', '/checkouts', { body: { reference } })
  return { status, retryAfter: headers.get('retry-after'), address: (json as { address?: string }).address }
}

describe.each([{}, { creationId: true }])('an order that is given to two carts (%j)', (sandbox) => {
  it('is shown to the payer of one, however many servers ask at the same time', async () => {
    const [one, other] = shopsOfOneService(sandbox)
    const answers = await Promise.all([ask(one, 'a'), ask(other, 'b'), ask(one, 'c')])
    const shown = answers.flatMap(({ address }) => address ?? [])
    expect(new Set(shown).size).toBe(shown.length)
    expect(shown.length).toBeGreaterThan(0)
    const later: (string | undefined)[] = []
    for (const reference of ['a', 'b', 'c']) {
      await one.pass(20_000)
      later.push((await ask(other, reference)).address)
    }
    expect(new Set(later).size).toBe(3)
    expect(later).not.toContain(undefined)
  })

  it('is shown to one of them, too, where the clock of the store is set forward between the two', async () => {
    const [one, other, clock] = shopsOfOneService(sandbox)
    const first = await ask(one, 'a')
    clock.aheadMs = 24 * 3_600_000
    await one.pass(2_000)
    const second = await ask(other, 'b')
    expect(first.status).toBe(200)
    expect(second.status).toBe(502)
  })

  it('is shown to one of them, too, where each answer names a time of its own', async () => {
    const timeOf = (atMs: number) => ({ date_time: new Date(atMs).toISOString() })
    const [one, other] = shopsOfOneService(sandbox, 20_000, timeOf)
    expect(await ask(one, 'a')).toMatchObject({ status: 200 })
    await one.pass(2_000)
    expect(await ask(other, 'b')).toMatchObject({ status: 502 })
  })

  it('is shown to one of them, too, where it comes again after its end, and only its end says so', async () => {
    const timeOf = (atMs: number) => ({ date_time: new Date(atMs).toISOString() })
    const [one, other] = shopsOfOneService({ ...sandbox, expTime: 'epoch-seconds' }, 24 * 3_600_000, timeOf)
    expect(await ask(one, 'a')).toMatchObject({ status: 200 })
    await one.pass(25 * 60_000)
    expect(await ask(other, 'b')).toMatchObject({ status: 502 })
  })

  it('is asked for again, then refused, and the merchant is told', async () => {
    const [one, other] = shopsOfOneService(sandbox)
    expect(await ask(one, 'a')).toMatchObject({ status: 200 })
    await one.pass(2_000)
    const second = await ask(other, 'b')
    expect(second).toEqual({ status: 502, retryAfter: '5', address: undefined })
    expect(other.creations()).toBe(3)
    expect(other.errors.map(({ message }) => message)).toContain(
      "The service's answer has the deposit of another checkout",
    )
  })

  it('keeps the other payer waiting for minutes only', async () => {
    const [one, other] = shopsOfOneService(sandbox, 60_000)
    expect(await ask(one, 'a')).toMatchObject({ status: 200 })
    const beganAtMs = one.clock.now()
    let answer = await ask(other, 'b')
    while (answer.status !== 200) {
      await one.pass(Number(answer.retryAfter) * 1_000)
      answer = await ask(other, 'b')
    }
    expect(one.clock.now() - beganAtMs).toBeLessThan(5 * 60_000)
    expect(other.creations()).toBeLessThan(9)
  })
})

describe('an address with the same amount of', () => {
  it.each([
    ['two coins', { asset: 'ETH', network: 'erc-20', name: 'Ether' }],
    ['one coin on two networks', { asset: 'USDC', network: 'base', name: 'USD Coin' }],
  ])('%s is shown for both: the coin and the network tell their orders apart', async (_, second) => {
    const first = { asset: 'USDC', network: 'erc-20', name: 'USD Coin' }
    const shop = createTestShop({
      sandbox: { ...mute, rates: { USDC: '1', ETH: '1' } },
      changeAnswer: (json) =>
        'wallet_address' in json && !('status' in json)
          ? { ...json, wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }
          : json,
    })
    shop.offer = shop.offer && { ...shop.offer, methods: [first, second] }
    const watching = shop.paywindow.watch()
    const shown = []
    for (const { asset, network } of [first, second])
      shown.push(await shop.open({ reference: 'cart-42', asset, network }))
    const [one, other] = shown.map(({ address, amount }) => `${amount} to ${address}`)
    expect(other).toBe(one)
    await shop.pass(2 * 60_000)
    const { address, id, sourceAmount } = order(shop, 1)
    shop.sandbox.payer.deposit({ address: address ?? '', amount: sourceAmount })
    shop.sandbox.payer.confirm(id)
    await shop.pass(60_000)
    await shop.run(watching.stop())
    expect(shop.events).toMatchObject([{ phase: 'paid', checkout: { asset: second.asset, network: second.network } }])
  })
})

it('an address that the service gives again once its order is paid is shown to the next payer, and to one alone', async () => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const shop = createTestShop({
    changeAnswer: (json) =>
      'wallet_address' in json && !('status' in json) ? { ...json, wallet_address: address } : json,
  })
  shop.offer = shop.offer && { ...shop.offer, methods: [{ asset: 'ETH', network: 'erc-20', name: 'Ether' }] }
  const watching = shop.paywindow.watch()
  for (const reference of ['a', 'b', 'c']) {
    expect((await ask(shop, reference)).address).toBe(address)
    expect((await ask(shop, `beside ${reference}`)).status).toBe(502)
    await shop.pass(60_000)
    const [checkout] = await shop.paywindow.checkouts.list({ reference })
    const own = shop.sandbox.orders().find(({ id }) => id === checkout?.order?.id) ?? order(shop)
    shop.sandbox.payer.deposit({ address: own.address ?? '', amount: own.sourceAmount })
    shop.sandbox.payer.confirm(own.id)
    await shop.pass(60_000)
  }
  await shop.run(watching.stop())
  expect(shop.events.map(({ reference, phase }) => `${reference} ${phase}`)).toEqual(['a paid', 'b paid', 'c paid'])
})

describe('an id that the service writes into every answer', () => {
  it('names no order: each cart gets its own, and is paid by its own payment alone', async () => {
    const shop = createTestShop({
      sandbox: { ...mute, creationId: true },
      changeAnswer: (json) => ('wallet_address' in json && 'id' in json ? { ...json, id: 1 } : json),
    })
    const watching = shop.paywindow.watch()
    const checkouts = []
    for (const reference of ['a', 'b', 'c']) {
      checkouts.push(await shop.open({ reference }))
      await shop.pass(20_000)
    }
    await shop.pass(5 * 60_000)
    for (const [at, { id, address, amount }] of checkouts.entries()) {
      expect(await boundTo(shop, id)).toMatchObject({ id: orderIdAt(shop, address) })
      pay(shop, address, amount)
      await shop.pass(60_000)
      expect(shop.events.map(({ checkout }) => checkout.id)).toEqual(checkouts.slice(0, at + 1).map((each) => each.id))
    }
    await shop.run(watching.stop())
  })
})
