import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAtomic, toAtomic } from '../../contract/decimal.ts'
import { sandboxArrival } from '../../sandbox/index.ts'
import { type LifecycleRules, withArrival } from '../core/transitions.ts'
import { someCheckout, someOrder, startMs } from '../records/records.testing.ts'
import { createTestShop, type TestShop, type TestShopOptions } from '../shop.testing.ts'

const rules: LifecycleRules = {
  phaseOf: { open: 'waiting', pending: 'seen', confirmed: 'paid', canceled: 'ended' },
  eventId: (id, status) => `${id} ${status}`,
}

function at(seconds: number) {
  const ms = startMs + seconds * 1_000
  return { sentAtMs: ms, answeredAtMs: ms, serviceDateMs: ms }
}

/** A shop with one checkout, whose order is known. */
async function setUp(options: TestShopOptions = {}) {
  const shop = createTestShop({ sandbox: { creationId: true }, ...options })
  const checkout = await shop.open()
  await shop.pass(5_000)
  await shop.poll(checkout)
  const pay = (amount: string, more: object = {}) =>
    shop.sandbox.payer.deposit({ address: checkout.address, amount, ...more })
  return { shop, checkout, pay, amount: checkout.amount, part: (share: bigint) => partOf(checkout.amount, share) }
}

/** So many hundredths of an amount. */
function partOf(amount: string, hundredths: bigint): string {
  return formatAtomic((toAtomic(amount, 8) * hundredths) / 100n, 8)
}

async function look(shop: TestShop, checkout: Awaited<ReturnType<TestShop['open']>>) {
  await shop.pass(5_000)
  return shop.poll(checkout)
}

describe('what is known of money that arrived', () => {
  it('is nothing, where the service shows the amount that was asked for', async () => {
    const { shop, checkout, pay, part } = await setUp()
    pay(part(50n))
    const answer = await look(shop, checkout)
    expect(answer).toMatchObject({ phase: 'seen', cart: 'seen' })
    expect(answer.arrival).toBeUndefined()
  })

  it('is what the service shows in place of it, until it shows the amount that was asked for', async () => {
    let shown: number | undefined
    const { shop, checkout, pay, amount } = await setUp({
      changeAnswer: (json) =>
        shown === undefined || !('source_amount' in json) ? json : { ...json, source_amount: shown },
    })
    pay(amount)
    shown = 0.0001
    const answer = await look(shop, checkout)
    expect(answer.arrival).toEqual({
      kind: 'short',
      received: { asset: 'BTC', amount: '0.0001' },
      due: { asset: 'BTC', amount: formatAtomic(toAtomic(amount, 8) - 10_000n, 8) },
    })
    expect((await shop.paywindow.checkouts.get(checkout.id))?.arrival).toEqual(answer.arrival)
    shown = Number(amount) * 2
    const more = await look(shop, checkout)
    expect(more.arrival).toMatchObject({ kind: 'over' })
    expect(more.revision).toBeGreaterThan(answer.revision)
    shown = undefined
    expect((await look(shop, checkout)).arrival).toBeUndefined()
  })

  it('is another coin, where the service names one', async () => {
    const { shop, checkout, pay, amount } = await setUp({
      changeAnswer: (json) =>
        json.status === 'pending' ? { ...json, source_asset: 'LTC', source_amount: 1.25 } : json,
    })
    pay(amount)
    expect((await look(shop, checkout)).arrival).toEqual({ kind: 'other', received: { asset: 'LTC', amount: '1.25' } })
  })

  it('comes from the service’s own words through the merchant’s code alone', async () => {
    const { shop, checkout, pay, part } = await setUp({ readArrival: sandboxArrival })
    pay(part(30n))
    const answer = await look(shop, checkout)
    expect(answer.arrival).toMatchObject({ kind: 'short', received: { amount: part(30n) } })
    expect(JSON.stringify(answer)).not.toContain('top-up')
  })

  it('is seen, where the service still calls the order open', async () => {
    const { shop, checkout } = await setUp({
      readArrival: ({ message }) => (message === 'half' ? { kind: 'short' } : null),
      changeAnswer: (json, _, isListed) => ('status' in json && !isListed ? { ...json, message: 'half' } : json),
    })
    expect(await look(shop, checkout)).toMatchObject({ status: 'open', phase: 'seen', cart: 'seen' })
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
    ['returns no arrival', () => ({ kind: 'gone' }) as never],
    ['returns an amount that is none', () => ({ kind: 'short', due: { asset: 'BTC', amount: '-1' } }) as never],
  ])('is nothing, where readArrival %s, and that is reported once', async (_, readArrival) => {
    const { shop, checkout, pay, part } = await setUp({ readArrival })
    pay(part(50n))
    expect((await look(shop, checkout)).arrival).toBeUndefined()
    await look(shop, checkout)
    expect(shop.errors.map(({ code, message }) => [code, message])).toEqual([
      ['callback_failed', expect.stringContaining('readArrival failed for order')],
    ])
  })

  it('misses what was asked for less what came, however it comes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.bigInt(1n, 70n), { minLength: 1, maxLength: 4 }), async (parts) => {
        const { shop, checkout, pay, amount, part } = await setUp({ readArrival: sandboxArrival })
        let sum = 0n
        for (const share of parts) {
          pay(part(share))
          sum += toAtomic(part(share), 8)
          const { arrival, phase } = await look(shop, checkout)
          const missing = toAtomic(amount, 8) - sum
          expect(phase).toBe('seen')
          expect(arrival?.received?.amount).toBe(missing === 0n ? undefined : formatAtomic(sum, 8))
          expect(arrival?.due?.amount).toBe(missing > 0n ? formatAtomic(missing, 8) : undefined)
          expect(arrival?.returned?.amount).toBe(missing < 0n ? formatAtomic(-missing, 8) : undefined)
        }
      }),
      { numRuns: 15 },
    )
  })
})

describe('an answer that shows nothing different', () => {
  const half = someOrder({ from: 'details', status: 'pending', sourceAmount: '0.00075', timing: at(0) })
  const known = withArrival(someCheckout({ status: 'pending' }), half, rules)

  it.each([
    ['of the details takes back what they showed', 'details', 1, false],
    ['of the list, which may show less, does not', 'list', 60, true],
    ['of the list does, after a minute in which the details said no more', 'list', 61, false],
    ['that is older does not', 'details', -1, true],
  ] as const)('%s', (_, from, seconds, stays) => {
    const after = withArrival(known, someOrder({ from, status: 'pending', timing: at(seconds) }), rules)
    expect(after.arrival?.due?.amount).toBe(stays ? '0.00075' : undefined)
    expect(after.revision - known.revision).toBe(stays ? 0 : 1)
  })

  it('is what the list shows, too, and told once', () => {
    const same = someOrder({ ...half, from: 'list', timing: at(5) })
    expect(withArrival(known, same, rules)).toBe(known)
  })
})
