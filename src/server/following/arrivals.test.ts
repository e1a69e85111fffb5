import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Arrival } from '../../contract/checkout.ts'
import { formatAtomic, toAtomic } from '../../contract/decimal.ts'
import { sandboxArrival } from '../../sandbox/index.ts'
import { arrivalFor, stillTrue, withArrival } from '../core/arrivals.ts'
import { type LifecycleRules, withoutBinding } from '../core/transitions.ts'
import type { CheckoutRecord } from '../core/types.ts'
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
  const shop = createTestShop(options)
  const checkout = await shop.open()
  await shop.pass(5_000)
  await shop.poll(checkout)
  await shop.pass(70_000)
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

  it('is what the service shows in place of what was asked for, until it shows the amount that was asked for', async () => {
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
    // So nobody gets another quote to pay.
    const renewed = await shop.run(
      shop.send('POST', `/checkouts/${checkout.id}/renew`, { key: checkout.key, body: {} }),
    )
    expect(renewed.json.error).toMatchObject({ code: 'already_seen' })
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
    ['is not done yet', () => Promise.reject(new Error('no')) as never],
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
          // Parts are rounded down. An amount with a digit less may be the whole, rounded, too.
          const isWhole = missing < parts.length && amount.startsWith(formatAtomic(sum, 8))
          expect(arrival?.due?.amount).toBe(missing > 0n && !isWhole ? formatAtomic(missing, 8) : undefined)
          expect(arrival?.returned?.amount).toBe(missing < 0n ? formatAtomic(-missing, 8) : undefined)
        }
      }),
      { numRuns: 15, examples: [[[23n, 46n, 3n, 28n]]] },
    )
  })
})

describe('what the merchant is told of it', () => {
  type Words = Record<string, Arrival>
  const words: Words = {
    half: { kind: 'short' },
    double: { kind: 'over' },
    all: { kind: 'exact' },
    back: { kind: 'returning' },
  }

  /** A shop whose service's details say the words that the test sets. */
  async function setUpWords(options: TestShopOptions = {}) {
    const say: { message: string } = { message: '' }
    const made = await setUp({
      readArrival: ({ message }) => words[message ?? ''] ?? null,
      changeAnswer: (json, _, isListed) =>
        'status' in json ? { ...json, message: isListed ? '' : say.message } : json,
      ...options,
    })
    const { shop, checkout } = made
    const look = async (message: string) => {
      say.message = message
      await shop.pass(5_000)
      await shop.poll(checkout)
      await shop.pass(1_000)
    }
    const told = () =>
      shop.events.map(({ phase, previousStatus, status, checkout: { arrival } }) => [
        phase,
        `${previousStatus} ${status}`,
        arrival?.kind ?? null,
      ])
    return { ...made, told, look, orderId: () => shop.sandbox.orders()[0]?.id ?? '' }
  }

  it('is each kind once for a status, where it becomes known after the status', async () => {
    const { pay, part, look, told, shop } = await setUpWords()
    pay(part(30n))
    for (const message of ['', 'half', 'all', 'half', '', 'all', 'double', 'half']) await look(message)
    expect(told()).toEqual([
      ['seen', 'open pending', null],
      ['seen', 'pending pending', 'short'],
      ['seen', 'pending pending', 'exact'],
      ['seen', 'pending pending', 'over'],
    ])
    expect(new Set(shop.events.map(({ eventId }) => eventId)).size).toBe(4)
  })

  it('is that money has arrived, where the service still calls the order open', async () => {
    const { pay, part, look, told, shop, checkout } = await setUpWords()
    await look('half')
    expect(await shop.paywindow.checkouts.get(checkout.id)).toMatchObject({ status: 'open', phase: 'seen' })
    pay(part(30n))
    await look('half')
    expect(told()).toEqual([
      ['seen', 'open open', 'short'],
      ['seen', 'open pending', 'short'],
    ])
  })

  it('is that the money of an order that is over comes back, and nothing else of it', async () => {
    const { pay, part, look, told, shop, orderId } = await setUpWords()
    pay(part(30n))
    await look('')
    shop.sandbox.payer.cancel(orderId())
    await shop.pass(200_000)
    for (const message of ['', 'double', 'back', 'back']) await look(message)
    expect(told()).toEqual([
      ['seen', 'open pending', null],
      ['ended', 'pending canceled', null],
      ['ended', 'canceled canceled', 'returning'],
    ])
  })

  it('is nothing more of an order that was told as paid', async () => {
    const { pay, amount, look, told, shop, orderId } = await setUpWords()
    pay(amount)
    shop.sandbox.payer.confirm(orderId())
    for (const message of ['', 'double', 'back']) await look(message)
    expect(told()).toEqual([['paid', 'open confirmed', null]])
  })

  it('is the same at each try at telling it, whatever becomes known in between', async () => {
    const tries: unknown[] = []
    const { pay, part, look, shop } = await setUpWords({
      onStatusChange: ({ eventId, checkout: { arrival } }) => {
        tries.push([eventId.split('-')[1], arrival?.kind ?? null])
        if (tries.length < 4) throw new Error('the shop is away')
      },
    })
    pay(part(30n))
    for (const message of ['', 'half']) await look(message)
    for (let minutes = 0; minutes < 3; minutes++) {
      await shop.pass(60_000)
      await shop.run(shop.paywindow.watchOnce())
    }
    expect(tries).toEqual([...Array.from({ length: 4 }, () => ['pending', null]), ['pending', 'short']])
  })

  it('is not that a cart has lapsed to which money has come', async () => {
    const lapsed: string[] = []
    const { look, shop } = await setUpWords({ onLapsed: ({ reference }) => void lapsed.push(reference) })
    await look('half')
    for (let hours = 0; hours < 40; hours++) {
      await shop.pass(3_600_000)
      await shop.run(shop.paywindow.watchOnce())
    }
    expect(lapsed).toEqual([])
  })
})

/** A checkout whose order was found by its time, and has a deposit since a minute after that. */
const found = someCheckout({
  status: 'pending',
  binding: { orderId: 'order-1', evidence: 'timestamp', boundAtMs: startMs, isProvisional: false },
  history: [{ status: 'pending', phase: 'seen', at: new Date(startMs + 60_000).toISOString() }],
})
const half = someOrder({ from: 'details', status: 'pending', sourceAmount: '0.00075', timing: at(0) })
const known = withArrival(found, half, rules)
/** The merchant reads this out of every order. */
const readingOf = (arrival: Arrival): LifecycleRules => ({ ...rules, readArrival: () => arrival })

describe('an answer that shows nothing different', () => {
  it.each([
    ['of the details takes back what they showed', 'details', 1, false],
    ['of the list, which may show less, does not', 'list', 600, true],
    ['that is older does not', 'details', -1, true],
    ['that is far older does, because a clock was set', 'details', -300, false],
  ] as const)('%s', (_, from, seconds, stays) => {
    const after = withArrival(known, someOrder({ from, status: 'pending', timing: at(seconds) }), rules)
    expect(after.arrival?.due?.amount).toBe(stays ? '0.00075' : undefined)
    expect(after.revision - known.revision).toBe(stays ? 0 : 1)
  })

  it('takes nothing back where the merchant reads the service’s words, which may be unreadable once', () => {
    const reading = { ...rules, readArrival: () => null }
    expect(withArrival(known, someOrder({ from: 'details', status: 'pending', timing: at(9) }), reading)).toBe(known)
    expect(withArrival(known, { ...half, sourceAmount: null, timing: at(9) }, rules)).toBe(known)
  })

  it('is what the list shows, too, and told once', () => {
    const same = someOrder({ ...half, from: 'list', timing: at(5) })
    expect(withArrival(known, same, rules)).toBe(known)
  })

  it('of the list does not replace what the details said either', () => {
    const late = withArrival(found, someOrder({ ...half, timing: at(0) }), readingOf({ kind: 'late' }))
    const listed = someOrder({ ...half, from: 'list', timing: at(5) })
    expect(withArrival(late, listed, rules).arrival?.kind).toBe('late')
  })
})

describe('a change of the status', () => {
  it.each([
    ['exact', 'open', 'pending', true],
    ['exact', 'pending', 'confirmed', true],
    ['exact', 'pending', 'open', false],
    ['over', 'pending', 'confirmed', true],
    ['late', 'pending', 'confirmed', true],
    ['other', 'pending', 'canceled', true],
    ['short', 'open', 'pending', true],
    ['short', 'pending', 'confirmed', false],
    ['short', 'pending', 'canceled', false],
    ['returning', 'open', 'pending', true],
    ['returning', 'pending', 'canceled', true],
    ['returning', 'pending', 'confirmed', false],
    ['returning', 'canceled', 'pending', false],
    ['exact', 'canceled', 'pending', false],
  ] as const)(
    'of an order to which %s came, from %s to %s: what came stays known: %s',
    (kind, before, status, stays) => {
      const arrival = { kind, from: 'details', asOfMs: startMs } as const
      expect(stillTrue({ arrival, status: before }, status)).toBe(stays ? arrival : undefined)
    },
  )

  it('that comes without the service’s words takes back nothing that they will say again', async () => {
    let isSilent = false
    const { shop, checkout, pay, part } = await setUp({
      readArrival: sandboxArrival,
      changeAnswer: (json) => ('status' in json && isSilent ? { ...json, message: '' } : json),
    })
    pay(part(200n))
    expect((await look(shop, checkout)).arrival?.kind).toBe('over')
    isSilent = true
    shop.sandbox.payer.confirm(shop.sandbox.orders()[0]?.id ?? '')
    expect(await look(shop, checkout)).toMatchObject({ phase: 'paid', arrival: { kind: 'over' } })
  })
})

describe('a difference', () => {
  it.each([
    [
      'of an order that the answer to the creation named, whose amounts may have a fee in them',
      { evidence: 'response_id' },
    ],
    ['of an order that was found with its deposit', { boundAtMs: startMs + 60_000 }],
  ] as const)('%s says nothing', (_, binding) => {
    const checkout = { ...found, binding: found.binding && { ...found.binding, ...binding } }
    expect(withArrival(checkout, half, rules)).toBe(checkout)
  })

  it.each([
    ['the price alone, which may be after fees', { sourceAmount: '0.0015', targetAmount: '49.4' }],
    ['a coin of an amount with words in it', { sourceAsset: 'LTC', sourceAmount: '1.25 LTC' }],
    ['a coin of a long name', { sourceAsset: 'L'.repeat(60), sourceAmount: '1.25' }],
  ])('in %s says nothing', (_, shown) => {
    expect(withArrival(found, { ...half, ...shown }, rules)).toBe(found)
  })

  it.each([
    ['0.0015', 'exact', undefined],
    ['0.00150', 'exact', undefined],
    ['0.0005', 'short', '0.001'],
  ])('that the merchant reads as too little, of %s: is %s', (amount, kind, due) => {
    const reading = readingOf({ kind: 'short', received: { asset: 'BTC', amount } })
    const { arrival } = withArrival(found, half, reading)
    expect([arrival?.kind, arrival?.due?.amount]).toEqual([kind, due])
  })

  it('goes with the order that showed it', () => {
    expect(withoutBinding(known, 'order-1', startMs, rules).arrival).toBeUndefined()
  })
})

describe('what a payer is told arrived', () => {
  const returned = someCheckout({
    id: 'a',
    status: 'canceled',
    arrival: { kind: 'returning', from: 'details', asOfMs: 0 },
  })
  const open = someCheckout({ id: 'b' })
  const seen = someCheckout({ id: 'b', status: 'pending' })
  const told = (checkout: CheckoutRecord, other: CheckoutRecord) =>
    arrivalFor(checkout, { checkouts: [checkout, other] }, rules)?.kind

  it('is that of the quote with the deposit, whichever is on the screen', () => {
    expect(told(returned, open)).toBe('returning')
    expect(told(open, returned)).toBeUndefined()
    expect(told(returned, seen)).toBeUndefined()
    expect(told(seen, returned)).toBeUndefined()
    expect(told(open, { ...known, id: 'c' })).toBe('short')
  })
})
