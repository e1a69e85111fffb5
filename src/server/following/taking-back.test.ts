import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KeyedCheckout, OrderStatus } from '../../contract/checkout.ts'
import { inTier } from '../../testing/tier.testing.ts'
import type { StatusEvent } from '../options.ts'
import { createTestShop, type TestShop, type TestShopOptions } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The true statuses of all orders, and since when, in ms from the start. */
type Truth = readonly (readonly [sinceMs: number, status: OrderStatus])[]

/**
 * A false answer of details or list for a while: `old`, as of another time; `absent`, missing in
 * the list; `in turn`, each second answer.
 */
interface Lie {
  readonly how: 'old' | 'in turn' | 'absent'
  readonly asOfMs: number
  readonly fromMs: number
  readonly toMs: number
}

interface Story {
  readonly truth: Truth
  readonly details?: Lie | undefined
  readonly list?: Lie | undefined
  readonly carts?: number
  /** Another server on the store, whose clock is set by so much at that time. */
  readonly other?: { readonly byMs: number; readonly fromMs: number } | undefined
}

/** A shop whose service tells a story. */
async function open({ truth, details, list, carts = 1, other }: Story) {
  const statusAt = (ms: number) => truth.findLast(([sinceMs]) => sinceMs <= ms)?.[1] ?? 'open'
  let answers = 0
  let startMs = Number.POSITIVE_INFINITY
  const changeAnswer: NonNullable<TestShopOptions['changeAnswer']> = (json, sentAtMs, isListed) => {
    if (!('created_at' in json)) return json
    const ms = sentAtMs - startMs
    const lie = isListed ? list : details
    const isLying = lie && ms >= lie.fromMs && ms < lie.toMs && (lie.how !== 'in turn' || answers++ % 2 === 0)
    if (isLying && lie.how === 'absent') return isListed ? null : json
    return { ...json, status: statusAt(isLying ? lie.asOfMs : ms) }
  }
  const base = createTestShop()
  const events: StatusEvent[] = []
  const store = createMemoryStore(base.clock.now)
  const serverOf = (byMs: number, fromMs: number) => {
    const now = () => base.clock.now() + (base.clock.now() - startMs >= fromMs ? byMs : 0)
    const clock = { now, monotonic: base.clock.now, sleep: base.clock.sleep }
    return createTestShop({
      changeAnswer,
      beside: { shop: base, store },
      clock,
      onStatusChange: (event) => void events.push(event),
    })
  }
  const shop = serverOf(0, 0)
  const servers = [shop, ...(other ? [serverOf(other.byMs, other.fromMs)] : [])]
  const { offer } = shop
  const checkouts: KeyedCheckout[] = []
  for (let at = 0; at < carts; at++) {
    shop.offer = offer && { ...offer, price: { asset: 'USD', amount: `${at + 10}` } }
    checkouts.push(await shop.open({ reference: `cart ${at}` }))
    await shop.settle()
  }
  startMs = shop.clock.now()
  return { shop, servers, events, checkouts, passed: () => shop.clock.now() - startMs }
}

interface Told {
  readonly events: readonly OrderStatus[]
  readonly ids: number
  /**
   * Whether a payer who had paid was shown the address again before the merchant was told that the
   * payment was taken back.
   */
  readonly isAskedAgain: boolean
}

/** A scheduled job looks each minute, and browsers poll, until some time has passed. */
async function follow({ shop, servers, events, checkouts, passed }: Awaited<ReturnType<typeof open>>, untilMs: number) {
  const phases = new Map<string, string[]>()
  const inTurn = [...servers]
  while (passed() < untilMs) {
    // The first one asks the service, and the others take what it has found.
    inTurn.reverse()
    for (const checkout of checkouts) {
      const seen = phases.get(checkout.id) ?? []
      for (const server of inTurn) seen.push((await server.poll(checkout)).phase)
      phases.set(checkout.id, seen)
    }
    for (const server of inTurn) await shop.run(server.paywindow.watchOnce())
    await shop.pass(20_000)
  }
  return checkouts.map(({ id }): Told => {
    const own = events.filter(({ checkout }) => checkout.id === id)
    const seen = phases.get(id) ?? []
    return {
      events: own.map(({ status }) => status),
      ids: new Set(own.map(({ eventId }) => eventId)).size,
      isAskedAgain: seen.includes('paid') && seen.slice(seen.indexOf('paid')).includes('waiting'),
    }
  })
}

const heldReports = ({ errors }: TestShop) => errors.filter(({ code }) => code === 'status_unknown').length

const paid: Truth = [[3 * minuteMs, 'confirmed']]
const reversed: Truth = [...paid, [10 * minuteMs, 'canceled']]
/** From the fifth minute on, 25 minutes of answers from before the payment. */
const lie = (how: Lie['how']): Lie => ({ how, asOfMs: minuteMs, fromMs: 5 * minuteMs, toMs: 30 * minuteMs })

describe('a payment that was told', () => {
  it.each<[string, Story]>([
    ['each second answer is an old one', { truth: paid, list: lie('in turn'), details: lie('in turn') }],
    ['each second answer of the list is an old one', { truth: paid, list: lie('in turn'), carts: 5 }],
    ['the list is an old copy', { truth: paid, list: lie('old'), carts: 5 }],
    ['the list shows nothing', { truth: paid, list: lie('absent'), carts: 5 }],
    ['details come from an old copy', { truth: paid, details: lie('old') }],
    ['all comes from an old copy', { truth: paid, list: lie('old'), details: lie('old') }],
    ...[2 * hourMs, -2 * hourMs].map((byMs): [string, Story] => [
      `each second answer is an old one, and the clock of a server is set by ${byMs} ms`,
      { truth: paid, list: lie('in turn'), details: lie('in turn'), other: { byMs, fromMs: 8 * minuteMs } },
    ]),
    ...[2 * hourMs, -2 * hourMs].map((byMs): [string, Story] => [
      `all comes from an old copy, and the clock of a server is set by ${byMs} ms`,
      { truth: paid, list: lie('old'), details: lie('old'), other: { byMs, fromMs: 8 * minuteMs } },
    ]),
  ])('is told once, and stays on the screen, while %s', async (_, story) => {
    const world = await open(story)
    for (const told of await follow(world, 60 * minuteMs))
      expect(told).toEqual({ events: ['confirmed'], ids: 1, isAskedAgain: false })
  })

  it('is reported once where the answers disagree for ten minutes', async () => {
    const world = await open({ truth: paid, list: lie('in turn'), details: lie('in turn') })
    await follow(world, 14 * minuteMs)
    expect(heldReports(world.shop)).toBe(0)
    await follow(world, 60 * minuteMs)
    expect(heldReports(world.shop)).toBe(1)
  })
})

describe('a payment that is taken back', () => {
  it.each<[string, Story, untilMs: number]>([
    ['within three minutes', { truth: reversed }, 13 * minuteMs],
    ['within three minutes, where the list is read', { truth: reversed, carts: 5 }, 13 * minuteMs],
    [
      'within twelve minutes, where the list does not show the order',
      { truth: reversed, list: lie('absent') },
      23 * minuteMs,
    ],
    ['within three minutes of the end of a lie', { truth: reversed, details: lie('in turn') }, 33 * minuteMs],
  ])('is told %s', async (_, story, untilMs) => {
    const world = await open(story)
    for (const { events } of await follow(world, untilMs)) expect(events).toEqual(['confirmed', 'canceled'])
  })

  it('is told when all have said for half an hour that there was none', async () => {
    const world = await open({ truth: [...paid, [10 * minuteMs, 'open']] })
    expect(await follow(world, 39 * minuteMs)).toMatchObject([{ events: ['confirmed'] }])
    expect(heldReports(world.shop)).toBe(1)
    expect(await follow(world, 44 * minuteMs)).toMatchObject([{ events: ['confirmed', 'open'] }])
  })
})

it('each phase is told once, in order, whatever old answers come in between', async () => {
  const times = fc.tuple(fc.nat(4), fc.integer({ min: 1, max: 5 }), fc.option(fc.integer({ min: 2, max: 20 })))
  const truths = times.map(([seen, forPaid, forCanceled]): Truth => {
    const paidMs = (seen + forPaid) * minuteMs
    const ends = forCanceled === null ? [] : [[paidMs + forCanceled * minuteMs, 'canceled'] as const]
    return [[seen * minuteMs, 'pending'], [paidMs, 'confirmed'], ...ends]
  })
  const lies = fc.option(
    fc
      .record({
        how: fc.constantFrom('old' as const, 'in turn' as const, 'absent' as const),
        asOfMs: fc.nat(10 * minuteMs),
        afterMs: fc.nat(15 * minuteMs),
        forMs: fc.nat(28 * minuteMs),
      })
      .map(
        ({ how, asOfMs, afterMs, forMs }): Lie => ({
          how,
          asOfMs,
          fromMs: asOfMs + afterMs,
          toMs: asOfMs + afterMs + forMs,
        }),
      ),
    { nil: undefined },
  )
  const others = fc.option(
    fc.record({ byMs: fc.integer({ min: -3, max: 3 }).map((hours) => hours * hourMs), fromMs: fc.nat(30 * minuteMs) }),
    { nil: undefined },
  )
  const stories = fc.record({ truth: truths, details: lies, list: lies, carts: fc.constantFrom(1, 4), other: others })
  // An old copy of the list shows an order as paid that was paid unseen and canceled: this takes
  // nothing back.
  const paidUnseen: Story = {
    truth: [
      [3 * minuteMs, 'pending'],
      [7 * minuteMs, 'confirmed'],
      [10 * minuteMs, 'canceled'],
    ],
    details: { how: 'old', asOfMs: 0, fromMs: minuteMs, toMs: 27 * minuteMs },
    list: { how: 'old', asOfMs: 7.5 * minuteMs, fromMs: 19 * minuteMs, toMs: 23.5 * minuteMs },
  }
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      const world = await open(story)
      const phases = story.truth.map(([, status]) => status)
      for (const { events, ids, isAskedAgain } of await follow(world, 70 * minuteMs)) {
        expect(events).toEqual(phases.filter((status) => events.includes(status)))
        expect(events.at(-1)).toBe(phases.at(-1))
        expect(ids).toBe(events.length)
        expect(isAskedAgain).toBe(false)
      }
    }),
    {
      numRuns: inTier(8, 40),
      endOnFailure: true,
      examples: [[{ details: undefined, list: undefined, carts: 1, other: undefined, ...paidUnseen }]],
    },
  )
}, 180_000)
