/**
 * The settings of a segment: its carts, the reading of the service's reference, and how much goes
 * wrong. They are drawn from the run's seed and the segment's number, so a segment can run alone.
 */
import type { DateTimeForm, ExpTimeForm, SandboxOptions } from '../../../src/sandbox/index.ts'
import { createRandomStream, type RandomStream } from './random.ts'

/** The settings of a segment. */
export interface SegmentPlan {
  readonly number: number
  /** Seed of everything that is drawn in this segment. */
  readonly seed: number
  readonly carts: number
  /** More carts, whose payers have no scripts or come by payment links. */
  readonly plainCarts: number
  /** The period in which the carts come. */
  readonly spanMs: number
  /** Share of carts that come together with another one that has the same price and methods. */
  readonly equalShare: number
  /** Number of servers that answer browsers. */
  readonly servers: number
  /**
   * Whose clocks somebody sets, never both. Servers with different clocks measure a quote by the
   * service's clock. If that clock were set back, too, no server could know the time.
   */
  readonly clocksSet: 'servers' | 'service'
  /** How far the service's clock is ahead of the true time; negative when it is behind. */
  readonly serviceOffsetMs: number
  /** Time between two orders of somebody else on the same sub-account; null without such orders. */
  readonly strangersEveryMs: number | null
  /** Scales the probability of faults. */
  readonly faultLevel: number
  /** Kinds of faults to leave out, to find out which one causes a violation. */
  readonly without: readonly string[]
  readonly strain: Strain
  readonly sandbox: SandboxOptions
  /** Whether web processes have only `offer`, and a separate worker watches and delivers. */
  readonly splitRoles: boolean
  /** Whether the store is kept for another account of the service afterwards. */
  readonly changesAccount: boolean
  /** Whether an earlier copy of the store is restored after the payers have left. */
  readonly restores: boolean
  /** By how much the servers' and the store's clocks are set. */
  readonly clockJumpsMs: readonly number[]
  /** Whether the copy is that of a replica which is behind by the last payers alone. */
  readonly failsOver: boolean
}

/** A period in which the service refuses requests; with 400 it refuses creations alone. */
interface Refusal {
  readonly atMs: number
  readonly forMs: number
  readonly status: 400 | 401 | 403 | 429 | 503
  readonly retryAfter: string | null
}

/** What puts a segment under strain, besides faults. */
export interface Strain {
  readonly refusals: readonly Refusal[]
  /** Number of unpaid checkouts of the last months that are due. Some were paid meanwhile. */
  readonly unpaid: number
  /** Whether an attacker begins payments for one cart after another, each with a forged address. */
  readonly forger: boolean
  /** Each server's budget for requests to the service, per second. */
  readonly requestsPerSecond: number
}

/** A process: `web` answers browsers, `worker` watches and delivers, `all` does both. */
export type Role = 'web' | 'worker' | 'all'

const dayMs = 86_400_000
/** By how much a server's clock may be set. */
const jumpsMs = [-dayMs, -7_200_000, -600_000, -30_000, -2_000, 2_000, 30_000, 600_000, 7_200_000, dayMs]

/** How far the service's `Date` headers are ahead of the times of its orders. */
const datesAheadMs = [0, 0, 0, 0, 150, -150, 600, -600, 900, -900]

/** What a service, or a gateway in front of it, may write in `Retry-After`. */
export const hostileRetryAfters = [
  '86400',
  '999999999',
  '99999999999999999999',
  '-1',
  '1e309',
  'NaN',
  '5, 86400',
  '',
  'Fri, 31 Dec 9999 23:59:59 GMT',
  'Thu, 01 Jan 1970 00:00:00 GMT',
]

/** Number of carts in a full segment: few enough that lists stay short. */
const segmentSize = 200

/** Divides a run into segments. */
export function planRun(seed: number, carts: number, without: readonly string[] = []): readonly SegmentPlan[] {
  const plans: SegmentPlan[] = []
  for (let left = carts; left > 0; left -= segmentSize)
    plans.push({ ...planSegment(seed, plans.length, Math.min(left, segmentSize)), without })
  return plans
}

/** Draws the settings of a segment from the run's seed and the segment's number. */
export function planSegment(runSeed: number, number: number, carts: number): SegmentPlan {
  const random = createRandomStream(runSeed, `segment ${number}`)
  const seed = random.between(1, 2 ** 31)
  const crowd = random.weighted({ crowded: 1, usual: 3, quiet: 2 })
  const spanPerCartMs = { crowded: 400, usual: 9_000, quiet: 40_000 }[crowd]
  return {
    number,
    seed,
    carts,
    plainCarts: Math.max(13, Math.ceil(carts / 5)),
    spanMs: spanPerCartMs * carts,
    equalShare: random.pick([0, 0.15, 0.3, 0.6]),
    servers: random.pick([1, 2, 2, 2, 2, 3]),
    serviceOffsetMs: random.pick([0, 0, 40, -700, 4_000, -95_000, 3_600_000, -7_200_000, 86_400_000]),
    strangersEveryMs: random.pick([null, null, 300_000, 60_000, 15_000]),
    faultLevel: random.pick([0.5, 1, 1, 2]),
    without: [],
    sandbox: {
      ...drawSandbox(random),
      targetDecimals: number % 3,
      dateAheadMs: createRandomStream(runSeed, `date headers ${number}`).pick(datesAheadMs),
    },
    strain: drawStrain(runSeed, number, spanPerCartMs * carts),
    clocksSet: random.pick(['servers', 'servers', 'service']),
    splitRoles: random.chance(0.5),
    restores: random.chance(0.3),
    changesAccount: createRandomStream(runSeed, `account ${number}`).chance(0.15),
    clockJumpsMs: jumpsMs,
    failsOver: createRandomStream(runSeed, `failover ${number}`).chance(0.5),
  }
}

/** Draws the strain of a segment. */
function drawStrain(runSeed: number, segment: number, spanMs: number): Strain {
  const random = createRandomStream(runSeed, `strain of segment ${segment}`)
  const refusal: Refusal = {
    // Late enough that some payers already wait for their deposit to be seen.
    atMs: random.between(Math.round(spanMs / 3), spanMs),
    forMs: 3_600_000,
    status: random.pick([400, 401, 403, 429, 503] as const),
    retryAfter: random.pick([null, null, '30', ...hostileRetryAfters]),
  }
  return {
    refusals: random.chance(0.2) ? [refusal] : [],
    unpaid: random.chance(0.25) ? 150 : 0,
    requestsPerSecond: random.pick([20, 20, 5]),
    forger: random.chance(0.15),
  }
}

/** Draws one reading of what the service's reference leaves open. */
function drawSandbox(random: RandomStream): SandboxOptions {
  const instructionsIn = random.weighted({ neither: 6, details: 2, both: 1 })
  return {
    creationId: random.chance(0.08),
    expTime: random.pick<ExpTimeForm>([
      'seconds',
      'seconds',
      'milliseconds',
      'minutes',
      'epoch-seconds',
      'epoch-milliseconds',
      { json: '"20m"' },
      { json: '86400' },
      null,
    ]),
    dateTime: random.pick<DateTimeForm>([
      'created',
      'created',
      'valid-until',
      'created-seconds',
      'created-epoch',
      { text: 'soon' },
      null,
      null,
    ]),
    details: random.pick(['order', 'wrapped', 'data']),
    detailsInstructions: instructionsIn !== 'neither',
    listInstructions: instructionsIn === 'both',
    timestamps: random.pick(['microseconds', 'nanoseconds']),
    canceledSpelling: random.pick(['canceled', 'cancelled']),
    direction: random.pick(['ascending', 'descending']),
    firstPage: random.pick([0, 1] as const),
    pageBelowFirst: random.pick(['first-page', 'refused']),
    maxPageSize: random.pick([100, 100, 50, 20]),
    tagForm: random.pick(['text', 'number']),
    quoteDecimals: random.chance(0.5) ? { ETH: 18 } : {},
    ...(random.chance(0.3) && { autoConfirmMs: random.between(20, 200) * 1_000 }),
    ...(random.chance(0.3) && { cancelExpiredAfterMs: random.between(1, 120) * 60_000 }),
  }
}
