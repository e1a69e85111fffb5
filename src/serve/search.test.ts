import { describe, expect, it } from 'vitest'
import { firstIdAt } from '../server/records/ids.ts'
import { someMerchantCheckout } from '../server/views/merchant.testing.ts'
import type { MerchantCheckout } from '../server/views/merchant-view.ts'
import { knownOf } from './dealt.ts'
import {
  type Filter,
  type Kind,
  kindsOf,
  type Part,
  paidAt,
  paidTwice,
  readMoment,
  searchPayments,
  waits,
} from './search.ts'

const seen = { status: 'pending', phase: 'seen' } as const
const paid = { status: 'confirmed', phase: 'paid' } as const

function checkout(id: number, of: Partial<MerchantCheckout> = {}): MerchantCheckout {
  return someMerchantCheckout({
    id: `c${String(id).padStart(5, '0')}`,
    reference: `cart-${id}`,
    price: { asset: 'USD', amount: '49.9' },
    createdAt: '2026-11-01T09:00:00.000Z',
    changedAt: of.history?.at(-1)?.at ?? null,
    ...of,
  })
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

const nowMs = Date.parse('2026-11-03T00:00:00.000Z')

/** Ids of what is found. */
async function search(checkouts: ReturnType<typeof storeOf>, filter: Filter, part: Partial<Part> = {}) {
  const twice = await paidTwice(checkouts)
  const { found } = await searchPayments(checkouts, filter, { limit: 10, ...part }, { nowMs, twice, dealt: new Map() })
  return found.map(({ id }) => id)
}

describe('checkouts that are', () => {
  it('late, page by page', async () => {
    const checkouts = storeOf([1, 2, 3].map((id) => checkout(id, { isLate: id !== 2 })))
    expect(await search(checkouts, { only: 'late' })).toEqual(['c00003', 'c00001'])
    expect(await search(checkouts, { only: 'late' }, { limit: 1 })).toEqual(['c00003'])
    expect(await search(checkouts, { only: 'late' }, { limit: 1, before: 'c00003' })).toEqual(['c00001'])
  })

  it('late, although a newer checkout cannot be read', async () => {
    const late = checkout(0, { isLate: true })
    const checkouts = storeOf([late, ...Array.from({ length: 1_500 }, (_, at) => checkout(at + 1))], 'c01200')
    expect(await search(checkouts, { only: 'late' })).toEqual(['c00000'])
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
    expect(await search(checkouts, { only: 'paid-twice' })).toEqual(['c02499', 'c00000'])
    expect(await search(checkouts, { only: 'paid-twice' }, { limit: 1, before: 'c02499' })).toEqual(['c00000'])
  })
})

describe('payments are found by', () => {
  const at = (day: string) => Date.parse(`${day}T00:00:00.000Z`)
  const paidOn = (id: number, created: string, day: string) =>
    checkout(id, {
      ...paid,
      id: `${firstIdAt(at(created))}${id}`,
      createdAt: `${created}T00:00:00.000Z`,
      history: [{ ...paid, at: `${day}T12:00:00.000Z` }],
    })

  it('when they were paid, however long before that they were created', async () => {
    const all = [
      paidOn(1, '2026-09-30', '2026-11-01'),
      paidOn(2, '2026-10-31', '2026-10-31'),
      paidOn(3, '2026-11-30', '2026-11-30'),
      paidOn(4, '2026-12-01', '2026-12-01'),
    ]
    const november = { fromMs: readMoment('2026-11-01', 'from', 0), toMs: readMoment('2026-11-30', 'to', 0) }
    expect(await search(storeOf(all), november)).toEqual([all[2]?.id, all[0]?.id])
    expect(await search(storeOf(all), november, { before: `${all[3]?.id}`, limit: 1 })).toEqual([all[2]?.id])
    expect(await search(storeOf(all), november, { before: `${all[2]?.id}` })).toEqual([all[0]?.id])
  })

  it.each(['CART-7', '2026/0042', 'bc1qx', '12345', 'order-of-service', 'may-be-this', '0.00057', '49.90', 'c00007'])(
    'a part of their texts: %s',
    async (part) => {
      const one = checkout(7, {
        orderNumber: '2026/0042',
        order: { id: 'order-of-service', evidence: 'address' },
        candidates: ['may-be-this'],
        price: { asset: 'EUR', amount: '49.90' },
        deposit: { amount: '0.00057', address: 'bc1qxyz', tag: '12345', expiresAt: '2026-11-01T09:20:00.000Z' },
      })
      expect(await search(storeOf([checkout(1), one, checkout(8)]), { search: ` ${part} ` })).toEqual(['c00007'])
    },
  )

  it('as many as were asked for, and says where to go on', async () => {
    const checkouts = storeOf([1, 2, 3].map((id) => checkout(id)))
    const part = (of: Part) =>
      searchPayments(checkouts, { search: 'cart-1' }, of, { nowMs, twice: new Set(), dealt: new Map() })
    expect(await part({ limit: 5, mostRead: 2 })).toEqual({ found: [], next: 'c00002' })
    expect(await part({ limit: 5, mostRead: 2, before: 'c00002' })).toMatchObject({ found: [{ id: 'c00001' }] })
  })
})

describe('a payment is', () => {
  const known = { order: { id: 'o', evidence: 'address' } } as const
  const young = '2026-11-02T23:55:00.000Z'
  it.each<[string, Partial<MerchantCheckout>, readonly Kind[]]>([
    ['open', known, ['open']],
    ['of an order that is not known', {}, ['attention', 'unresolved', 'open']],
    ['of an order that is being looked for', { createdAt: young }, ['unresolved', 'open']],
    ['refused', { deposit: null }, ['open']],
    ['seen', { ...known, ...seen }, ['seen']],
    ['too little so far', { ...known, ...seen, arrival: { kind: 'short' } }, ['attention', 'short', 'seen']],
    ['of another coin', { ...known, ...seen, arrival: { kind: 'other' } }, ['attention', 'seen']],
    ['late', { ...known, ...seen, isLate: true }, ['attention', 'late', 'seen']],
    ['late, and accepted', { ...known, ...paid, isLate: true }, ['late', 'paid']],
    ['too little', { ...known, ...paid, phase: 'paid_less' }, ['attention', 'short', 'paid']],
    ['too much', { ...known, ...paid, phase: 'paid_more' }, ['attention', 'over', 'paid']],
    ['paid twice', { ...known, ...paid, reference: 'twice' }, ['attention', 'paid-twice', 'paid']],
    ['paid, and told', { ...known, ...paid, arrival: { kind: 'over' } }, ['paid']],
    [
      'paid, and not told for long',
      { ...known, ...paid, untoldEvents: 1, history: [{ ...paid, at: '2026-11-02T00:00:00.000Z' }] },
      ['attention', 'untold', 'paid'],
    ],
    [
      'seen long ago, and short just now',
      { ...known, ...seen, untoldEvents: 1, history: [{ ...seen, at: '2026-11-02T00:00:00.000Z' }], changedAt: young },
      ['untold', 'seen'],
    ],
    ['paid just now', { ...known, ...paid, untoldEvents: 1, history: [{ ...paid, at: young }] }, ['untold', 'paid']],
    [
      'taken back',
      { ...known, status: 'canceled', phase: 'ended', history: [{ ...paid, at: young }] },
      ['attention', 'taken-back', 'ended'],
    ],
    [
      'sent back',
      { ...known, status: 'canceled', phase: 'ended', arrival: { kind: 'returning' } },
      ['returned', 'ended'],
    ],
  ])('%s', (_, of, kinds) => {
    expect(kindsOf(checkout(1, of), { nowMs, twice: new Set(['twice']), dealt: new Map() }).toSorted()).toEqual(
      [...kinds].toSorted(),
    )
  })

  it('dealt with wait for nobody, until something new happens', () => {
    const short = { ...known, ...seen, history: [{ ...seen, at: young }], arrival: { kind: 'short' } } as const
    const dealt = new Map([[knownOf(checkout(1, short)), young]])
    const isWaiting = (of: Partial<MerchantCheckout>) =>
      waits(checkout(1, { ...short, ...of }), { nowMs, twice: new Set(), dealt })
    expect(isWaiting({})).toBe(false)
    expect(isWaiting({ arrival: { kind: 'over' } })).toBe(true)
    expect(isWaiting({ ...paid, phase: 'paid_less', history: [...short.history, { ...paid, at: young }] })).toBe(true)
    expect(isWaiting({ id: 'another' })).toBe(true)
  })

  it('paid when the service had confirmed it, and else never', () => {
    const history = [
      { ...seen, at: '2026-11-01T09:10:00.000Z' },
      { ...paid, at: '2026-11-01T09:20:00.000Z' },
    ]
    expect(paidAt(checkout(1, { ...paid, history }))).toBe('2026-11-01T09:20:00.000Z')
    expect(paidAt(checkout(1, { ...seen, history: history.slice(0, 1) }))).toBeNull()
  })
})

it.each([
  '',
  '2026-13-01',
  '2026-02-29',
  '2026-02-31',
  '2026-11-31T09:00:00Z',
  '2026-11-01T09:00',
  '01.11.2026',
  'soon',
  '7w',
  '-1d',
])('a time cannot be %j', (text) =>
  expect(() => readMoment(text, 'from', nowMs)).toThrow('from must be a day such as 2026-11-01'),
)
