/** Small worlds of equal creations, run with real servers, and compared with all knowable facts. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inTier, someOf } from '../../testing/tier.testing.ts'
import { type Fate, fates, moreAfterMs } from './fates.testing.ts'
import { assignments, isInClosedGroup, soleOrder } from './knowable.testing.ts'
import { type Course, live, type Scenario, services } from './worlds.testing.ts'

/** The rules that a course breaks, in words. */
function broken(world: Scenario, course: Course): readonly string[] {
  const { requests, orders, checkouts, unresolved, reportedPaid, wrongs } = course
  const [shared, any] = [assignments(requests, orders, 'shared'), assignments(requests, orders, 'any')]
  const problems = requests.flatMap((request) => {
    const checkout = checkouts.get(request.checkoutId)
    const found: string[] = []
    const isBound = checkout?.binding != null
    const isSettled = (ways: typeof any) =>
      soleOrder(ways, request) !== undefined || (world.paid === 'shown' && isInClosedGroup(ways, request))
    if (isBound && checkout.binding?.isProvisional) found.push('is bound for the time being, for ever')
    if (isBound && !isSettled(any)) found.push('is bound, and could not be known')
    if (!isBound && isSettled(shared)) found.push('is not bound, and could be known')
    if (!isBound && !unresolved.has(request.checkoutId)) found.push('is not bound, and nobody was told')
    if (isBound && unresolved.has(request.checkoutId)) found.push('was called unresolved, and was bound')
    if (reportedPaid.has(request.checkoutId) !== (isBound && world.paid === 'shown'))
      found.push(`was ${reportedPaid.has(request.checkoutId) ? '' : 'not '}told as paid`)
    return found.map((problem) => `${checkout?.reference} ${problem}`)
  })
  if (requests.length < world.carts.length) problems.push('a cart got no panel')
  return [...wrongs, ...problems]
}

async function check(world: Scenario): Promise<void> {
  const problems = broken(world, await live(world))
  if (problems.length > 0) expect({ world, problems }).toEqual({ world, problems: [] })
}

/** Creations take turns: only slow ones overlap. */
const fate = fc.oneof(
  fc.constantFrom<Fate[]>('answered', 'worked late', 'answered late'),
  fc.constantFrom(...(Object.keys(fates) as Fate[])),
)
/** At once, overlapping, or seconds apart. */
const openedAtMs = fc.oneof(
  fc.constantFrom(0, 61_000),
  fc.integer({ min: 0, max: 200 }).map((steps) => steps * 50),
)
const foreignAtMs = fc.oneof(
  fc.integer({ min: -40, max: 200 }).map((steps) => steps * 50),
  fc.constantFrom(-4_000, 21_000, 62_000),
)
const delayMs = fc.constantFrom(0, 30_000, 59_000, 2_000, 9_000)

/** Up to four requests, and five orders with the foreign ones. */
const worlds: fc.Arbitrary<Scenario> = fc
  .record({
    service: fc.constantFrom(...services),
    fates: fc.array(fate, { minLength: 1, maxLength: 4 }),
    carts: fc.array(fc.record({ atMs: openedAtMs, server: fc.constantFrom(0, 1) }), { minLength: 1, maxLength: 4 }),
    foreignAtMs: fc.array(foreignAtMs, { maxLength: 4 }),
    delaysMs: fc.array(delayMs, { maxLength: 5 }),
    listAgeMs: fc.constantFrom(0, 40, 1_500),
    paid: fc.constantFrom('nothing', 'shown', 'others'),
    pollMs: fc.option(fc.integer({ min: 25, max: 50 }).map((steps) => steps * 100)),
    seed: fc.nat(100),
    payAfterMs: fc.constantFrom(10_000, 100_000, 600_000),
  })
  .map((world) => {
    const lost = world.fates.filter(isLost).length
    const more = world.fates.filter((name) => name in moreAfterMs).length
    const carts = world.carts.slice(0, Math.max(1, 4 - lost))
    return { ...world, carts, foreignAtMs: world.foreignAtMs.slice(0, Math.max(0, 5 - lost - more - carts.length)) }
  })

function isLost(name: Fate): boolean {
  return fates[name].kind !== 'latency'
}

const plain = {
  service: 'seconds',
  fates: [],
  foreignAtMs: [],
  delaysMs: [],
  listAgeMs: 0,
  paid: 'nothing',
  payAfterMs: 10_000,
  pollMs: null,
  seed: 0,
} as const

/** Long enough for a machine that is busy; idle, all take a minute. */
const timeout = 180_000

/** Worlds in which something was wrong once. */
const once: readonly [string, Scenario][] = [
  [
    'is settled when the list shows the order of the next request, a second later',
    {
      ...plain,
      fates: ['answered', 'answered late'],
      carts: [
        { atMs: 0, server: 0 },
        { atMs: 0, server: 0 },
      ],
      delaysMs: [2_000],
      pollMs: 2_500,
    },
  ],
  [
    'is settled when the list shows the order of the next request, two seconds later',
    {
      ...plain,
      fates: ['reset, not done'],
      carts: [
        { atMs: 0, server: 1 },
        { atMs: 5_250, server: 0 },
        { atMs: 0, server: 1 },
      ],
      pollMs: 4_000,
    },
  ],
  [
    'has an order of two that are two requests’ own, although one of them fits a third as well',
    {
      ...plain,
      service: 'microseconds',
      fates: ['worked late', 'answered', 'answered late'],
      carts: [
        { atMs: 0, server: 0 },
        { atMs: 0, server: 0 },
        { atMs: 2_100, server: 0 },
      ],
      foreignAtMs: [6_200],
      delaysMs: [30_000, 30_000, 30_000, 30_000],
      paid: 'shown',
      payAfterMs: 100_000,
      seed: 3,
    },
  ],
  [
    'came after one whose order is known by now, so that no order before that can be its own',
    {
      ...plain,
      fates: ['truncated', 'worked late', 'answered', 'answered late'],
      carts: [
        { atMs: 2_000, server: 0 },
        { atMs: 0, server: 0 },
        { atMs: 0, server: 0 },
      ],
      delaysMs: [0, 59_000],
      seed: 34,
    },
  ],
  [
    'is known only to the server that sent the request, since it had seen all the other orders by then',
    {
      ...plain,
      fates: ['done twice, last answered'],
      carts: [
        { atMs: 0, server: 1 },
        { atMs: 0, server: 1 },
      ],
      listAgeMs: 1_500,
      pollMs: 2_500,
    },
  ],
]

/** Every way to choose one value for each of so many places. */
function choices<Value>(values: readonly Value[], places: number): readonly (readonly Value[])[] {
  if (places === 0) return [[]]
  return choices(values, places - 1).flatMap((chosen) => values.map((value) => [...chosen, value]))
}

const delays = [0, 30_000] as const

/** One request, and up to two orders of somebody else: 14 worlds of each fate. */
const ofOne = (fate: Fate): readonly Scenario[] =>
  [[], [-900], [-900, 700]].flatMap((foreignAtMs) =>
    choices(delays, 1 + foreignAtMs.length).map((delaysMs) => {
      return { ...plain, fates: [fate], carts: [{ atMs: 0, server: 0 }], foreignAtMs, delaysMs }
    }),
  )

/**
 * Two requests with every two fates that the server can tell apart, and up to one order of somebody
 * else: 100 worlds.
 */
const ofTwo = choices(
  ['answered', 'worked late', 'answered late', 'reset, not done', 'reset, done'] as const,
  2,
).flatMap((drawn) =>
  [[], [700]].flatMap((foreignAtMs) =>
    delays.map((delayMs): Scenario => {
      const carts = [0, 1].map((server) => ({ atMs: 0, server: server === 0 ? 0 : 1 }) as const)
      return { ...plain, fates: drawn, carts, foreignAtMs, delaysMs: Array.from({ length: 5 }, () => delayMs) }
    }),
  ),
)

/**
 * `npm run test:money` lives through all 617 worlds; `npm test` through the five in which something
 * was wrong once, and 164 others.
 */
describe('in a small world of equal creations, a checkout is bound where its order can be known, and reported where it never can be', () => {
  it.each(once)('where it %s', async (_, world) => check(world))

  it.each(Object.keys(fates) as Fate[])('in each of one request that is: %s', { timeout }, async (fate) => {
    for (const world of someOf(ofOne(fate), 3)) await check(world)
  })

  it('in each of two requests', { timeout }, async () => {
    for (const world of someOf(ofTwo, 3)) await check(world)
  })

  it.each(inTier([34], [33, 34, 35, 36]))(
    'of up to four requests and five orders, whatever becomes of them: from seed %i',
    { timeout },
    async (seed) => {
      await fc.assert(fc.asyncProperty(worlds, check), { seed, numRuns: inTier(40, 65) })
    },
  )
})
