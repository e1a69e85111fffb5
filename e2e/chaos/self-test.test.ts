/** Tests of the simulation: a run is clean, repeats exactly, and finds every broken rule. */
import { availableParallelism } from 'node:os'
import { beforeAll, describe, expect, it } from 'vitest'
import { variantNames, variantOf } from './broken/broken.ts'
import { mergeReports } from './report.ts'
import { type Job, runSegments } from './workers.ts'
import { faultKinds } from './world/faults.ts'
import type { Report } from './world/findings.ts'
import { planSegment, type SegmentPlan } from './world/plan.ts'

const cleanCarts = 60
const smallCarts = 45
const strainedCarts = 16

const jobs = {
  first: { plan: planSegment(11, 0, cleanCarts) },
  second: { plan: planSegment(12, 0, cleanCarts) },
  harsh: { plan: harsh() },
  again: { plan: harsh() },
  strained: { plan: strained() },
  ...Object.fromEntries(
    variantNames.map((variant): [string, Job] => {
      const { isUnderStrain, plan } = variantOf(variant)
      return [variant, { plan: { ...(isUnderStrain ? strained() : harsh()), ...plan }, variant }]
    }),
  ),
} satisfies Record<string, Job>

const reports = new Map<string, Report>()

beforeAll(async () => {
  const found = await runSegments(Object.values(jobs), availableParallelism(), () => undefined)
  for (const [at, name] of Object.keys(jobs).entries()) reports.set(name, reportAt(found, at))
}, 20 * 60_000)

describe('the simulation', () => {
  it.each([
    ['a short run', ['first', 'second']],
    ['a run at a high fault level', ['harsh']],
    ['a run under strain', ['strained']],
  ])('%s breaks no rule', (_, names) => {
    expect(mergeReports(names.map(report)).violations).toEqual([])
  })

  it('lets everything go wrong that can', () => {
    const { faults } = mergeReports([...reports.values()])
    expect(faultKinds.filter((kind) => !faults[kind])).toEqual([])
  })

  it('repeats a run exactly from the same seed', () => {
    expect(report('again').hash).toBe(report('harsh').hash)
  })

  it('runs another way from another seed', () => {
    expect(report('second').hash).not.toBe(report('first').hash)
  })

  it.each(variantNames.map((name) => [variantOf(name).what, name] as const))('notices a server that %s', (_, name) => {
    const broken = Object.entries(report(name).violationCounts).filter(([, count]) => count > 0)
    const caughtBy: readonly string[] = variantOf(name).caughtBy
    expect(broken.map(([rule]) => rule).filter((rule) => caughtBy.includes(rule))).not.toEqual([])
  })
})

function report(name: string): Report {
  const found = reports.get(name)
  if (!found) throw new Error(`${name} was not run`)
  return found
}

function reportAt(found: readonly Report[], at: number): Report {
  const each = found[at]
  if (!each) throw new Error('Not every segment was run')
  return each
}

/** Many equal carts, orders of others, amounts finer than doubles, twice the usual faults. */
function harsh(): SegmentPlan {
  const plan = planSegment(13, 0, smallCarts)
  return {
    ...plan,
    spanMs: smallCarts * 9_000,
    equalShare: 0.6,
    servers: 2,
    clocksSet: 'servers',
    serviceOffsetMs: 4_000,
    strangersEveryMs: 15_000,
    faultLevel: 2,
    splitRoles: true,
    restores: false,
    changesAccount: false,
    strain: { refusals: [], unpaid: 0, requestsPerSecond: 20, forger: false },
    sandbox: {
      ...plan.sandbox,
      creationId: false,
      firstPage: 1,
      dateTime: 'created',
      quoteDecimals: { ETH: 18 },
    },
  }
}

/**
 * Few carts in some hours. The service refuses everything for one hour, and creations for half an
 * hour. The store has unpaid checkouts of months.
 */
function strained(): SegmentPlan {
  const minuteMs = 60_000
  const plan = planSegment(14, 0, strainedCarts)
  return {
    ...plan,
    spanMs: 150 * minuteMs,
    servers: 2,
    // A new process has forgotten the refusals.
    without: faultKinds.filter((kind) => kind.startsWith('server: crash')),
    clocksSet: 'service',
    changesAccount: false,
    strain: {
      refusals: [
        { atMs: 10 * minuteMs, forMs: 60 * minuteMs, status: 429, retryAfter: '999999999' },
        { atMs: 90 * minuteMs, forMs: 30 * minuteMs, status: 400, retryAfter: null },
      ],
      unpaid: 80,
      forger: true,
      requestsPerSecond: 10,
    },
  }
}
