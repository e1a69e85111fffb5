import { describe, expect, it } from 'vitest'
import { createVirtualClock } from '../../service/virtual-clock.testing.ts'
import { createSharedReadings, type Listing } from './shared-readings.ts'

const hourMs = 3_600_000

/**
 * Readings of ten pages each, whose duration follows from their reach. `began` has `long` or
 * `short` and the ms of each start.
 */
function setUp() {
  const clock = createVirtualClock()
  const startMs = clock.now()
  const began: string[] = []
  const read = async (fromMs: number): Promise<Listing> => {
    const beganAtMs = clock.now()
    const isLong = startMs - fromMs > hourMs
    began.push(`${isLong ? 'long' : 'short'} ${beganAtMs - startMs}`)
    await clock.sleep(isLong ? 20_000 : 500)
    return { orders: [], isComplete: true, pages: 10, fromMs, asOfMs: null, beganAtMs, endedAtMs: clock.now() }
  }
  const world = { now: clock.now, sleep: clock.sleep, pagesPerSecond: 10 }
  const join = createSharedReadings(world, () => read)
  return {
    clock,
    began,
    long: (maxAgeMs = 0) => join(startMs - 2 * hourMs, maxAgeMs),
    short: (maxAgeMs = 0) => join(startMs, maxAgeMs),
  }
}

describe('shared readings', () => {
  it('let a short one go on beside a long one, at half its pace', async () => {
    const { clock, began, long, short } = setUp()
    const reading = long()
    await clock.run(clock.sleep(2_000))
    for (let each = 0; each < 3; each++) await clock.run(short())
    expect(began).toEqual(['long 0', 'short 2000', 'short 4000', 'short 6000'])
    await clock.run(reading)
  })

  it('serve with a long one that has just ended, and not with one that has just begun', async () => {
    const { clock, began, long, short } = setUp()
    const reading = long()
    await clock.run(short(2_500))
    expect(began).toEqual(['long 0', 'short 0'])
    await clock.run(reading)
    await clock.run(clock.sleep(2_400))
    expect(await clock.run(short(2_500))).toBe(await reading)
    expect(began).toEqual(['long 0', 'short 0'])
  })

  it('are never served to a long one from a short one', async () => {
    const { clock, began, long, short } = setUp()
    await clock.run(short())
    await clock.run(long(60_000))
    expect(began).toEqual(['short 0', 'long 500'])
  })
})
