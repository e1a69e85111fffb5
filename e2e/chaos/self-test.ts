/**
 * Tests of the simulation itself: a short run is clean, repeats exactly, and does not stay clean when a rule is broken on purpose.
 * `npm test` runs it.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type VariantName, variantNames, variantOf } from './broken.ts'
import { faultKinds } from './faults.ts'
import { mergeReports, type Report, type Rule } from './findings.ts'
import { planSegment, type SegmentPlan } from './plan.ts'
import { isClean } from './table.ts'
import { type Job, runSegments } from './workers.ts'

const cleanCarts = 60
const smallCarts = 45
const strainedCarts = 16

interface Check {
  readonly name: string
  readonly passed: boolean
  readonly why: string
}

/** Runs everything and prints a line for each check. @returns The exit code. */
export async function selfTest(threads: number): Promise<number> {
  const clean = [planSegment(11, 0, cleanCarts), planSegment(12, 0, cleanCarts)]
  const jobs: Job[] = [
    ...clean.map((plan) => ({ plan })),
    { plan: harsh() },
    { plan: harsh() },
    ...variantNames.map((variant) => {
      const { isUnderStrain, plan } = variantOf(variant)
      return { plan: { ...(isUnderStrain ? strained() : harsh()), ...plan }, variant }
    }),
    { plan: strained() },
  ]
  const reports = await runSegments(jobs, threads, () => undefined)
  const [first, second, third, again] = reports
  if (!first || !second || !third || !again) throw new Error('Not every segment was run')
  const checks = [
    cleanCheck('a short run breaks no rule', mergeReports([first, second])),
    cleanCheck('a run in bad weather breaks no rule', third),
    { name: 'the same seed repeats exactly', passed: third.hash === again.hash, why: `${third.hash}, ${again.hash}` },
    { name: 'another seed is another run', passed: first.hash !== second.hash, why: first.hash },
    ...variantNames.map((name, at) => variantCheck(name, reports[at + 4])),
    cleanCheck('a run under strain breaks no rule', mergeReports(reports.slice(-1))),
  ]
  for (const { name, passed, why } of checks)
    console.log(`${passed ? 'ok    ' : 'FAILED'} ${name}${passed ? '' : `: ${why}`}`)
  const passed = checks.filter((check) => check.passed).length
  const failed = checks.length - passed
  console.log(`\n${passed} passed, ${failed} failed`)
  const results = process.env.PAYWINDOW_TEST_RESULTS
  if (results !== undefined) writeFileSync(join(results, 'chaos.json'), JSON.stringify({ passed, failed }))
  return failed === 0 ? 0 : 1
}

/** Many equal carts, orders of others among them, finer amounts than a double holds, and twice the usual faults. */
export function harsh(): SegmentPlan {
  const plan = planSegment(13, 0, smallCarts)
  return {
    ...plan,
    spanMs: smallCarts * 9_000,
    equalShare: 0.6,
    servers: 2,
    clocksSet: 'servers',
    serviceOffsetMs: 4_000,
    strangersEveryMs: 15_000,
    weather: 2,
    splitRoles: true,
    restores: false,
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

/** Few carts in hours of which the service refuses one, and creations for another half; and months of unpaid checkouts. */
export function strained(): SegmentPlan {
  const minuteMs = 60_000
  const plan = planSegment(14, 0, strainedCarts)
  return {
    ...plan,
    spanMs: 150 * minuteMs,
    servers: 2,
    // A server that is started anew has forgotten what it was told.
    without: faultKinds.filter((kind) => kind.startsWith('server: crash')),
    clocksSet: 'service',
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

function cleanCheck(name: string, report: Report): Check {
  const [violation] = report.violations
  return { name, passed: isClean(report), why: violation ? `${violation.rule}: ${violation.what}` : '' }
}

function variantCheck(name: VariantName, report: Report | undefined): Check {
  const { what, caughtBy } = variantOf(name)
  const found = (rule: Rule) => (report?.violationCounts[rule] ?? 0) > 0
  const why = `none of ${caughtBy.join(', ')} was found broken, but ${JSON.stringify(report?.violationCounts)}`
  return { name: `is caught: one that ${what}`, passed: caughtBy.some(found), why }
}
