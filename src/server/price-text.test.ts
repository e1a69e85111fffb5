/** The merchant gets a price back as `offer` wrote it; all other code uses its value. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalDecimal, decimalPlaces } from '../contract/decimal.ts'
import { PaywindowError } from '../contract/errors.ts'
import { askOffer, type MerchantOffer } from './offers.ts'
import { createRepository } from './records/repository.ts'
import { cartOffer, createTestShop, order, pay, type TestShop } from './shop.testing.ts'
import { createMemoryStore } from './store/memory.ts'
import type { Store } from './store/store.ts'

const at = (amount: string): MerchantOffer => ({ ...cartOffer, price: { asset: 'USD', amount } })

/** A decimal of `count` hundredths, in one of the spellings that `offer` may return. */
function spelled(count: number, spelling: number): string {
  const [whole = '', fraction = ''] = (count / 100).toFixed(2).split('.')
  const plain = `${whole}.${fraction}`
  const spellings = [
    plain,
    canonicalDecimal(plain),
    `${plain}00000`,
    `000${plain}`,
    `${count}e-2`,
    `${count}E-02`,
    `0.${String(count).padStart(10, '0')}e+8`,
    whole === '0' ? `.${fraction}` : `${plain}0`,
    fraction === '00' ? `${whole}.` : `${whole}.${fraction}`,
  ]
  return spellings[spelling % spellings.length] ?? plain
}

const spelling = fc.nat(8)

/** Pays the first order of the shop, and lets it be told. */
async function sell(shop: TestShop): Promise<void> {
  pay(shop)
  await shop.run(shop.paywindow.watchOnce())
  await shop.settle()
}

const textsOf = async (shop: TestShop, id: string) => {
  const [event] = shop.events
  return [
    event?.price,
    event?.checkout.price,
    (await shop.run(shop.paywindow.checkouts.get(id)))?.price,
    (await shop.run(shop.paywindow.checkouts.list()))[0]?.price,
    (await shop.run(shop.paywindow.checkouts.list({ reference: 'cart-42' })))[0]?.price,
    (await shop.run(shop.paywindow.retell(id))).price,
  ]
}

describe('the price of a payment', () => {
  it('is the text that offer gave, and other spellings of it make no second order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 10_000_000 }), spelling, spelling, async (count, first, second) => {
        const shop = createTestShop()
        const text = spelled(count, first)
        shop.offer = at(text)
        const checkout = await shop.open()
        shop.offer = at(spelled(count, second))
        expect((await shop.open()).id).toBe(checkout.id)
        expect((await shop.readOffer()).checkout?.id).toBe(checkout.id)
        expect(shop.creations()).toBe(1)
        // The service is asked, and the payer sees, the value.
        expect([order(shop).targetAmount, checkout.price.amount]).toEqual(Array(2).fill(canonicalDecimal(text)))
        await sell(shop)
        expect(shop.events).toMatchObject([{ status: 'confirmed' }])
        expect(await textsOf(shop, checkout.id)).toEqual(Array(6).fill({ asset: 'USD', amount: text }))
        expect(shop.errors).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('is that of the new quote after a renewal', async () => {
    const shop = createTestShop()
    shop.offer = at('49.9')
    const { id, key } = await shop.open()
    await shop.pass(21 * 60_000)
    shop.offer = at('049.90')
    const renewed = await shop.send('POST', `/checkouts/${id}/renew`, { body: {}, key })
    expect(renewed).toMatchObject({ status: 200, json: { price: { amount: '49.9' } } })
    const amounts = (await shop.run(shop.paywindow.checkouts.list())).map(({ price }) => price.amount)
    expect(amounts).toEqual(['049.90', '49.9'])
  })

  it('is what bind answers with', async () => {
    const shop = createTestShop({ sandbox: { appearAfterMs: () => 60_000 } })
    shop.offer = at('49.90')
    const { id } = await shop.open()
    await shop.pass(61_000)
    const bound = await shop.run(shop.paywindow.bind(id, order(shop).id))
    expect(bound.price.amount).toBe('49.90')
  })

  it('is its value where an earlier version made the checkout', async () => {
    const store = createMemoryStore()
    const shop = createTestShop({ store })
    const { id } = await shop.open()
    await rewrite(store, id, ({ offeredAmount, ...earlier }) => {
      expect(offeredAmount).toBe('49.90')
      return earlier
    })
    await sell(shop)
    expect(await textsOf(shop, id)).toEqual(Array(6).fill({ asset: 'USD', amount: '49.9' }))
  })

  it('is stored once where offer wrote it as it is stored', async () => {
    const store = createMemoryStore()
    const shop = createTestShop({ store })
    shop.offer = at('49.9')
    const { id } = await shop.open()
    expect(await createRepository(store).readCheckout(id)).not.toHaveProperty('offeredAmount')
  })

  it.each(['49.91', '', 'much', 49.9, null])('is not told where the record has %j beside it', async (offeredAmount) => {
    const store = createMemoryStore()
    const shop = createTestShop({ store })
    const { id, key } = await shop.open()
    await rewrite(store, id, (record) => ({ ...record, offeredAmount }))
    expect((await shop.send('GET', `/checkouts/${id}`, { key })).status).toBe(500)
    expect(shop.errors).toContainEqual(
      expect.objectContaining({ code: 'record_unreadable', message: expect.stringContaining('offeredAmount') }),
    )
  })
})

/** Changes the text of a checkout's record behind the server's back. */
async function rewrite(
  store: Store,
  id: string,
  change: (json: Readonly<Record<string, unknown>>) => object,
): Promise<void> {
  const found = await store.read(`checkout ${id}`)
  if (!found) throw new Error(`The store has no checkout ${id}`)
  const record = {
    key: found.key,
    value: JSON.stringify(change(JSON.parse(found.value))),
    labels: ['all'],
    due: found.due,
  }
  expect(await store.replace(record, found.version)).toBe(true)
}

describe('an offer', () => {
  const ask = (amount: string) => {
    const offer = () => ({ ...at(amount), price: { asset: 'USDT', amount } })
    return askOffer(offer, 'cart-42', new Request('https://shop.example'))
  }

  it('is refused, or its amount comes back as it was written', async () => {
    const digits = (maxLength: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength })
    const decimal = fc
      .tuple(
        digits(60),
        fc.option(digits(25), { nil: undefined }),
        fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-'), fc.nat(90)), { nil: undefined }),
      )
      .map(
        ([whole, fraction, power]) => `${whole}${fraction === undefined ? '' : `.${fraction}`}${power?.join('') ?? ''}`,
      )
    let accepted = 0
    await fc.assert(
      fc.asyncProperty(decimal, async (amount) => {
        const offer = await ask(amount).catch((error: unknown) => error)
        if (offer instanceof PaywindowError) {
          expect(offer.code).toBe('offer_invalid')
          return
        }
        accepted++
        expect(offer).toMatchObject({ offeredAmount: amount, terms: { price: { amount: canonicalDecimal(amount) } } })
        expect(decimalPlaces(amount)).toBeLessThanOrEqual(18)
      }),
      { numRuns: 1_000 },
    )
    expect(accepted).toBeGreaterThan(200)
  })

  it.each(['049.90', '49.90', '.5', '5.', '1e-18', '1E+3', '1.50e1'])('may ask for %s', async (amount) => {
    expect(await ask(amount)).toMatchObject({ offeredAmount: amount })
  })

  it.each(['+49.90', '-49.90', ' 49.90', '49.90 ', '49,90', '1_000', '0.00', '0e5', '1e-19', '1e-79', '', '١'])(
    'may not ask for %j',
    async (amount) => {
      await expect(ask(amount)).rejects.toMatchObject({ code: 'offer_invalid' })
    },
  )
})
