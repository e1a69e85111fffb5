import { describe, expect, it } from 'vitest'
import type { Order } from '../../service/types.ts'
import { bitcoinAddress, someCheckout, someInstructions, someOrder, startMs } from '../records/records.testing.ts'
import { type Situation, weigh } from './evidence.ts'
import { someSituation } from './situation.testing.ts'
import type { Instructions } from './types.ts'

function situation({ orders = [someOrder()], ...more }: Partial<Situation> = {}): Situation {
  return someSituation(orders, more)
}

describe('weigh', () => {
  it('binds the only order that fits in every respect', () => {
    expect(weigh(situation())).toEqual({
      kind: 'found',
      orderId: 'order-1',
      evidence: 'only_candidate',
      isCertain: false,
    })
  })

  it.each<[string, Partial<Situation>]>([
    ['two equal orders', { orders: [someOrder(), someOrder({ id: 'order-2' })] }],
    [
      'another creation that could be confused at that time',
      { rivals: [{ fromMs: startMs + 2_000, toMs: Number.POSITIVE_INFINITY }] },
    ],
    ['an order of somebody else at that time', { foreignInWindow: true }],
    ['an order that was listed before the request', { checkout: wasListed('order-1') }],
    ['an order created before the request', { orders: [someOrder({ createdAt: '2026-11-21T09:59:59.9Z' })] }],
    ['an order created after the answer', { orders: [someOrder({ createdAt: '2026-11-21T10:00:03.1Z' })] }],
    ['an order without a time', { orders: [someOrder({ createdAt: null })] }],
    ['a service that sends no date', { window: null }],
    ['another source amount', { orders: [someOrder({ sourceAmount: '0.00151' })] }],
    ['a source amount that is not shown', { orders: [someOrder({ sourceAmount: null })] }],
    ['a source amount of 0', { orders: [someOrder({ sourceAmount: '0' })] }],
    [
      'an order beside it that shows no source amount, and may be the right one',
      { orders: [someOrder(), someOrder({ id: 'order-2', sourceAmount: '0.00' })] },
    ],
    ['another target amount', { orders: [someOrder({ targetAmount: '49.91' })] }],
    ['another source asset', { orders: [someOrder({ sourceAsset: 'LTC' })] }],
    ['another network', { orders: [someOrder({ network: 'lightning' })] }],
    ['an order it was once bound to wrongly', { checkout: someCheckout({ excluded: ['order-1'] }) }],
    ['no order at all', { orders: [] }],
  ])('binds nothing with %s', (_, more) => {
    expect(weigh(situation(more)).kind).toBe('unknown')
  })

  it.each([
    ['gives the later order to a request that was sent after the answer to an equal one', 400, 'found'],
    ['gives it to neither where the clock of the service was set back in between', 90_000, 'unknown'],
    ['gives it to neither where the clock of the service was set forward in between', -90_000, 'unknown'],
  ])('%s', (_, passedMs, kind) => {
    const window = { fromMs: startMs, toMs: startMs + 3_000 }
    const sent = (id: string, sentAtMs: number, after: readonly string[]) =>
      someCheckout({
        id,
        attempts: [{ id, sentAtMs, outcome: 'answered', window, after }],
        instructions: { ...someInstructions, attemptId: id },
      })
    const orders = [someOrder(), someOrder({ id: 'order-2', createdAt: '2026-11-21T10:00:02.1Z' })]
    const fits = new Set(orders.map(({ id }) => id))
    const checkout = sent('second', startMs + passedMs, ['first'])
    const others = [{ checkout: sent('first', startMs, []), fits }]
    const verdict = weigh(situation({ checkout, others, orders, listed: orders, isListed: true }))
    expect(verdict).toMatchObject(kind === 'found' ? { kind, orderId: 'order-2' } : { kind })
  })

  it('goes by time and place where the service rounds amounts, and counts where no order shows ours', () => {
    const instructions = { ...someInstructions, amount: '0.001500004', dateTime: someOrder().createdAt }
    const orders = [someOrder({ sourceAmount: '0.0015' })]
    expect(weigh(situation({ instructions, orders }))).toMatchObject({ orderId: 'order-1', evidence: 'timestamp' })
    const untimed = { ...instructions, dateTime: null }
    expect(weigh(situation({ instructions: untimed, orders })).kind).toBe('unknown')
    expect(weigh(situation({ instructions: untimed, orders, isListed: true }))).toMatchObject({ orderId: 'order-1' })
    const two = [...orders, someOrder({ id: 'order-2', sourceAmount: '0.00150001' })]
    expect(weigh(situation({ instructions: untimed, orders: two, isListed: true })).kind).toBe('unknown')
    const exact = [...orders, someOrder({ id: 'order-2', sourceAmount: untimed.amount })]
    expect(weigh(situation({ instructions: untimed, orders: exact, isListed: true }))).toMatchObject({
      orderId: 'order-2',
    })
    const placed = [someOrder({ sourceAmount: '0.0015', walletAddress: instructions.address })]
    expect(weigh(situation({ instructions: untimed, orders: placed }))).toMatchObject({
      evidence: 'address',
    })
  })

  it.each([true, false])(
    'keeps two rounded orders as candidates once one of them is paid, list whole: %s',
    (isListed) => {
      const instructions = { ...someInstructions, amount: '0.001500004' }
      const paid = someOrder({ sourceAmount: '0.0015', status: 'confirmed' })
      const orders = [paid, someOrder({ id: 'order-2', sourceAmount: '0.0015' })]
      const candidates = orders.map(({ id }) => id)
      const verdict = weigh(situation({ checkout: someCheckout({ candidates }), instructions, orders, isListed }))
      expect(verdict).toMatchObject({ kind: 'unknown', candidates })
    },
  )

  it.each([{ targetAmount: '5' }, { targetAmount: '60' }, { sourceAmount: '0.00015' }])(
    'takes no equal order for the last one beside a paid one that shows %j in place of what was asked for',
    (received) => {
      const equal = someOrder({ id: 'order-2' })
      const paid = someOrder({ ...received, status: 'confirmed' })
      expect(weigh(situation({ orders: [paid, equal], isListed: true })).kind).toBe('unknown')
      // A deposit of another amount, for the price that was asked: the only order of a whole list
      // is the request's own.
      const isOwn = 'sourceAmount' in received
      expect(weigh(situation({ orders: [paid], isListed: true })).kind).toBe(isOwn ? 'found' : 'unknown')
      const open = someOrder({ ...received, status: 'open' })
      expect(weigh(situation({ orders: [open, equal], isListed: true }))).toMatchObject({ orderId: 'order-2' })
    },
  )

  it.each(['today', '0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z'])(
    'binds the only order left of a whole list where its time says nothing: %s',
    (createdAt) => {
      const orders = [someOrder({ createdAt })]
      expect(weigh(situation({ orders, isListed: true }))).toMatchObject({ orderId: 'order-1', isCertain: true })
      const two = [...orders, someOrder({ id: 'order-2', createdAt: null })]
      expect(weigh(situation({ orders: two, isListed: true })).kind).toBe('unknown')
    },
  )

  it('names the candidates when there are several', () => {
    expect(weigh(situation({ orders: [someOrder(), someOrder({ id: 'order-2' })] }))).toMatchObject({
      candidates: ['order-1', 'order-2'],
    })
  })

  it('says why the nearest order does not fit', () => {
    expect(weigh(situation({ orders: [someOrder({ sourceAmount: '0.002' })] }))).toMatchObject({
      mismatch: 'of order order-1, it has the source amount 0.002, not 0.0015',
    })
    expect(weigh(situation({ orders: [] }))).toMatchObject({ mismatch: 'the list has no order from that time' })
    expect(weigh(situation({ orders: [someOrder({ createdAt: 'today' })] }))).toMatchObject({
      mismatch: 'the time of order order-1 says no moment: today',
    })
  })

  it('uses an equal address when rivals and foreign orders rule out other evidence', () => {
    const orders = [
      someOrder({ id: 'other', walletAddress: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' }),
      someOrder({ walletAddress: bitcoinAddress.toUpperCase() }),
    ]
    const crowded = situation({
      orders,
      foreignInWindow: true,
      rivals: [{ fromMs: 0, toMs: Number.POSITIVE_INFINITY }],
    })
    expect(weigh(crowded)).toEqual({ kind: 'found', orderId: 'order-1', evidence: 'address', isCertain: false })
  })

  it('never binds an order with another address, even if everything else fits', () => {
    expect(
      weigh(situation({ orders: [someOrder({ walletAddress: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' })] })).kind,
    ).toBe('unknown')
  })

  it.each(['bc1qw5…8f3t4', `bitcoin:${bitcoinAddress}`, '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'])(
    'takes no address that the network does not read for another: %s',
    (walletAddress) => {
      expect(weigh(situation({ orders: [someOrder({ walletAddress })] }))).toMatchObject({ evidence: 'only_candidate' })
      const crowded = situation({ foreignInWindow: true, orders: [someOrder({ walletAddress })] })
      expect(weigh(crowded).kind).toBe('unknown')
    },
  )

  it.each([
    ['MATIC', 'erc-20', 'POL'],
    ['RNDR', 'erc-20', 'RENDER'],
    ['FTM', 'fantom', 's'],
  ])('knows the order of %s on %s by the later name %s', (asset, network, sourceAsset) => {
    const checkout = someCheckout({ method: { asset, network, name: asset } })
    expect(weigh(situation({ checkout, orders: [someOrder({ sourceAsset })] }))).toMatchObject({ orderId: 'order-1' })
  })

  it('uses the tag when all orders have one address', () => {
    const address = 'rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn'
    const instructions = { ...someInstructions, address, tag: '7' }
    const ofTag = (id: string, tag: string | null) => someOrder({ id, walletAddress: address, tag })
    const rivals = [{ fromMs: 0, toMs: Number.POSITIVE_INFINITY }]
    expect(weigh(situation({ instructions, rivals, orders: [ofTag('a', '8'), ofTag('b', '7')] }))).toMatchObject({
      orderId: 'b',
      evidence: 'address',
    })
    expect(weigh(situation({ instructions, rivals, orders: [ofTag('a', null)] })).kind).toBe('unknown')
  })

  it('uses an address where the order shows no time, or the one that the answer named', () => {
    expect(weigh(situation({ foreignInWindow: true, orders: [shown({ createdAt: null })] }))).toMatchObject({
      evidence: 'address',
    })
    const createdAt = '2026-11-21T09:59:58.603Z'
    const instructions = { ...someInstructions, dateTime: createdAt }
    const more = { instructions, shared: { place: false, time: true }, orders: [shown({ createdAt })] }
    expect(weigh(situation(more))).toMatchObject({ evidence: 'address' })
  })

  it.each<[string, Partial<Order>]>([
    ['with another address', { walletAddress: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' }],
    ['without an address', { walletAddress: null, sourceAmount: '7' }],
  ])('does not use a tag alone that an order %s has, too', (_, more) => {
    const instructions = { ...someInstructions, tag: '7' }
    const alone = situation({ instructions, foreignInWindow: true, orders: [someOrder({ tag: '7' })] })
    expect(weigh(alone)).toMatchObject({ orderId: 'order-1', evidence: 'address' })
    const orders = [...alone.orders, someOrder({ id: 'other', tag: '7', ...more })]
    expect(weigh({ ...alone, orders }).kind).toBe('unknown')
  })

  it.each<[string, Partial<Instructions>, Partial<Order>]>([
    ['creation', { dateTime: '2026-11-21T10:00:01.603085Z' }, {}],
    ['expiry', { expTime: String(startMs + 1_201_603) }, { validUntil: '2026-11-21T10:20:01.603Z' }],
  ])('does not use the time of %s of an order that was listed before the request', (_, named, order) => {
    const instructions = { ...someInstructions, ...named }
    const fresh = situation({ instructions, foreignInWindow: true, orders: [someOrder(order)] })
    expect(weigh(fresh)).toMatchObject({ evidence: 'timestamp' })
    expect(weigh({ ...fresh, checkout: wasListed('order-1') }).kind).toBe('unknown')
  })

  it.each<[string, Partial<Instructions>, Partial<Order>, string]>([
    ['its time', { dateTime: '2026-11-21T09:59:57.603085Z' }, {}, 'timestamp'],
    ['its address', {}, { walletAddress: bitcoinAddress }, 'address'],
    ['neither', {}, {}, 'none'],
    ['another address', {}, { walletAddress: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' }, 'none'],
    [
      'its address from before that attempt',
      {},
      { walletAddress: bitcoinAddress, createdAt: '2026-11-21T09:59:50Z' },
      'none',
    ],
  ])('knows the order of an attempt whose answer was lost, where a later answer has %s', (_, named, more, evidence) => {
    const checkout = wasListed('order-1')
    const lost = { id: 'lost', sentAtMs: startMs - 4_000, outcome: 'lost', window: null, after: [] } as const
    const attempts = [lost, ...checkout.attempts]
    const instructions = { ...someInstructions, ...named }
    const orders = [someOrder({ createdAt: '2026-11-21T09:59:57.603085Z', ...more })]
    const again = situation({ checkout: { ...checkout, attempts }, instructions, orders, isListed: true })
    expect(weigh(again)).toMatchObject(evidence === 'none' ? { kind: 'unknown' } : { orderId: 'order-1', evidence })
    expect(weigh({ ...again, checkout }).kind).toBe('unknown')
  })

  it('does not use the expiry of an order that was created outside the time of the request', () => {
    const instructions = { ...someInstructions, expTime: String(startMs + 1_201_603) }
    const orders = [someOrder({ validUntil: '2026-11-21T10:20:01.603Z', createdAt: '2026-11-21T09:59:59.9Z' })]
    expect(weigh(situation({ instructions, foreignInWindow: true, orders })).kind).toBe('unknown')
  })

  it('uses a time that is equal to the last digit that both have', () => {
    const instructions = { ...someInstructions, dateTime: '2026-11-21T10:00:01.603085797Z' }
    const orders = [someOrder({ id: 'other', createdAt: '2026-11-21T10:00:01.603086Z' }), someOrder()]
    expect(weigh(situation({ instructions, orders, foreignInWindow: true }))).toEqual({
      kind: 'found',
      orderId: 'order-1',
      evidence: 'timestamp',
      isCertain: true,
    })
  })

  it('does not accept whole seconds as proof', () => {
    const instructions = { ...someInstructions, dateTime: '2026-11-21T10:00:01Z' }
    expect(weigh(situation({ instructions, foreignInWindow: true })).kind).toBe('unknown')
  })

  it('reads an expiry in epoch milliseconds as a time', () => {
    const instructions = { ...someInstructions, expTime: String(startMs + 1_201_603) }
    expect(
      weigh(
        situation({
          instructions,
          foreignInWindow: true,
          orders: [someOrder({ validUntil: '2026-11-21T10:20:01.603Z' })],
        }),
      ),
    ).toMatchObject({ evidence: 'timestamp' })
  })

  it.each<[string, Partial<Situation>]>([
    ['has another target amount', { orders: [shown({ targetAmount: '10' })] }],
    ['has another source amount', { orders: [shown({ sourceAmount: '0.0003' })] }],
    [
      'shows no amounts, where another order has the address',
      { orders: [shown({ targetAmount: '10' }), shown({ id: 'b', sourceAmount: null, targetAmount: null })] },
    ],
    ['has the address of another recent checkout', { orders: [shown()], shared: { place: true, time: false } }],
    ['was listed before the request', { orders: [shown()], checkout: wasListed('order-1'), isListed: true }],
    ['was created before the request', { orders: [shown({ createdAt: '2026-11-21T09:59:59.9Z' })], isListed: true }],
    ['was created after the answer', { orders: [shown({ createdAt: '2026-11-21T10:00:03.1Z' })], isListed: true }],
  ])('does not use an address when the order %s', (_, more) => {
    expect(weigh(situation({ foreignInWindow: true, ...more })).kind).toBe('unknown')
  })

  it('does not use a time that another recent checkout has', () => {
    const instructions = { ...someInstructions, dateTime: '2026-11-21T10:00:01.603085Z' }
    const more = { instructions, foreignInWindow: true }
    expect(weigh(situation(more))).toMatchObject({ evidence: 'timestamp', isCertain: true })
    expect(weigh(situation({ ...more, shared: { place: false, time: true } })).kind).toBe('unknown')
  })

  it('is certain of the millisecond of a creation when no other was in progress, and of its microseconds always', () => {
    const rivals = [{ fromMs: startMs, toMs: startMs + 3_000 }]
    const rough = { ...someInstructions, dateTime: '2026-11-21T10:00:01.603Z' }
    const fine = { ...someInstructions, dateTime: '2026-11-21T10:00:01.603085Z' }
    expect(weigh(situation({ instructions: rough }))).toMatchObject({ evidence: 'timestamp', isCertain: true })
    expect(weigh(situation({ instructions: rough, rivals }))).toMatchObject({ evidence: 'timestamp', isCertain: false })
    expect(weigh(situation({ instructions: fine, rivals }))).toMatchObject({ evidence: 'timestamp', isCertain: true })
  })

  it('is not certain of an address or a rough time before the list shows every order of that time', () => {
    const byAddress = situation({ orders: [shown()] })
    expect(weigh(byAddress)).toMatchObject({ evidence: 'address', isCertain: false })
    expect(weigh({ ...byAddress, isListed: true })).toMatchObject({ evidence: 'address', isCertain: true })
    const instructions = { ...someInstructions, expTime: String(startMs + 1_201_603) }
    const byTime = situation({ instructions, orders: [someOrder({ validUntil: '2026-11-21T10:20:01.603Z' })] })
    expect(weigh(byTime)).toMatchObject({ evidence: 'timestamp', isCertain: false })
    expect(weigh({ ...byTime, isListed: true })).toMatchObject({ evidence: 'timestamp', isCertain: true })
  })
})

describe('weigh, when the list shows the order for certain', () => {
  const listed = (more: Partial<Situation> = {}) => situation({ isListed: true, ...more })
  const other = (...ids: string[]) => ({ checkout: someCheckout({ id: 'other' }), fits: new Set(ids) })
  const two = [someOrder(), someOrder({ id: 'order-2' })]

  it('chooses the only order that fits, whatever other requests there were', () => {
    const crowded = listed({ foreignInWindow: true, rivals: [{ fromMs: 0, toMs: Number.POSITIVE_INFINITY }] })
    expect(weigh(crowded)).toMatchObject({ orderId: 'order-1', evidence: 'only_candidate', isCertain: true })
  })

  it('leaves each other answered request an order', () => {
    expect(weigh(listed({ orders: two, others: [other('order-2')] }))).toMatchObject({ orderId: 'order-1' })
    expect(weigh(listed({ orders: two, others: [other('order-1', 'order-2')] })).kind).toBe('unknown')
  })

  it('does not choose an order that another checkout certainly has, but may choose one that is bound provisionally', () => {
    expect(weigh(listed({ orders: two, taken: new Set(['order-2']) }))).toMatchObject({ orderId: 'order-1' })
    expect(weigh(listed({ orders: two, held: new Set(['order-2']) })).kind).toBe('unknown')
    expect(weigh(situation({ orders: two, held: new Set(['order-2']) }))).toMatchObject({ orderId: 'order-1' })
  })

  it('concludes nothing from an order that was only given to a checkout because all of them were paid', () => {
    const settled = { taken: new Set(['order-2']), interchangeable: new Set(['order-2']) }
    expect(weigh(listed({ orders: two, ...settled }))).toMatchObject({ kind: 'unknown', candidates: ['order-1'] })
    const unequal = [someOrder(), someOrder({ id: 'order-2', sourceAmount: '0.00151' })]
    expect(weigh(listed({ orders: unequal, ...settled }))).toMatchObject({ orderId: 'order-1' })
  })
})

/** The checkout, whose request was sent after the list had shown an order. */
function wasListed(orderId: string) {
  const checkout = someCheckout()
  return { ...checkout, attempts: checkout.attempts.map((attempt) => ({ ...attempt, listed: [orderId] })) }
}

function shown(more: Parameters<typeof someOrder>[0] = {}) {
  return someOrder({ walletAddress: bitcoinAddress, ...more })
}
