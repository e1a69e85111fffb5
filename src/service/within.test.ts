import { expect, test } from 'vitest'
import { TimeoutError, within } from './within.ts'

/** When the process stands still, and for how many ms. */
interface Pause {
  readonly atMs: number
  readonly ms: number
}

/**
 * The clock of a process that stands still: a timer that is due meanwhile fires when the process
 * goes on.
 */
function createClock(pauses: readonly Pause[]) {
  let nowMs = 0
  const awakeFrom = (ms: number): number => {
    const pause = pauses.find(({ atMs, ms: lasts }) => atMs <= ms && ms < atMs + lasts)
    return pause ? awakeFrom(pause.atMs + pause.ms) : ms
  }
  return {
    now: () => nowMs,
    sleep: async (ms: number) => {
      nowMs = awakeFrom(nowMs + ms)
    },
  }
}

const never = () => new Promise<never>(() => {})

test('work that takes too long is given up, and hears of it', async () => {
  const clock = createClock([])
  let told: AbortSignal | undefined
  const given = within(clock, 60_000, (signal) => {
    told = signal
    return never()
  })
  await expect(given).rejects.toThrow(TimeoutError)
  expect(clock.now()).toBe(60_000)
  expect(told?.aborted).toBe(true)
})

test.each([
  { pauses: [], endsMs: 60_000 },
  { pauses: [{ atMs: 14_800, ms: 700 }], endsMs: 60_500 },
  { pauses: [{ atMs: 10_000, ms: 20_000 }], endsMs: 90_000 },
  { pauses: [{ atMs: 17, ms: 59_000 }], endsMs: 119_017 },
  { pauses: [{ atMs: 10_000, ms: 1_200_000 }], endsMs: 1_270_000 },
  {
    pauses: [
      { atMs: 10_000, ms: 1_200_000 },
      { atMs: 1_215_000, ms: 1_800_000 },
    ],
    endsMs: 3_075_000,
  },
])(
  'what arrived while the process stood still is read before the time is over: $pauses',
  async ({ pauses, endsMs }) => {
    const clock = createClock(pauses)
    await expect(within(clock, 60_000, never)).rejects.toThrow(TimeoutError)
    expect(clock.now()).toBe(endsMs)
  },
)
