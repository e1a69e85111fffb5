/**
 * `npm run chaos -- --checkouts 10000 --seed 1`: many checkouts in virtual time, while everything
 * goes wrong that can. With `--store postgres` the records are in a real database. Exits with 1 if
 * a rule was broken. See docs/maintainers/chaos.md.
 */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StorePlace } from '../stores/open-store.ts'
import { startStore } from '../stores/start-store.ts'
import { type ChaosArguments, readArguments } from './arguments.ts'
import { buildPage } from './built-page.ts'
import { isClean, mergeReports, tableOf } from './report.ts'
import { runSegment } from './segment.ts'
import { runSegments } from './workers.ts'
import type { Report } from './world/findings.ts'
import { planRun, type SegmentPlan } from './world/plan.ts'

const settings = readArguments(process.argv.slice(2), availableParallelism())
process.exitCode = await main(settings)

async function main(given: ChaosArguments): Promise<number> {
  if (given.store === undefined) return simulate(given, undefined)
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-chaos-'))
  const { place, stop } = await startStore(given.store, folder)
  try {
    return await simulate(given, place)
  } finally {
    await stop()
    rmSync(folder, { recursive: true })
  }
}

async function simulate(
  { checkouts, seed, segment, jobs, without, log, store }: ChaosArguments,
  place: StorePlace | undefined,
): Promise<number> {
  const startedAt = performance.now()
  const all = planRun(seed, checkouts, without)
  const plans = segment === undefined ? all : all.filter(({ number }) => number === segment)
  const inStore = store === undefined ? '' : ` --store ${store}`
  const replay = (number: number) =>
    `npm run chaos -- --checkouts ${checkouts} --seed ${seed} --segment ${number}${inStore}`
  const print = (plan: SegmentPlan, report: Report) => {
    const { violations, counts } = report
    console.log(`segment ${plan.number}: ${violations.length} violations, ${counts.unresolved ?? 0} unresolved`)
    for (const { rule, atMs, what } of violations)
      console.error(
        `\n${rule}, in segment ${plan.number} at ${new Date(atMs).toISOString()}: ${what}\n  ${replay(plan.number)}`,
      )
  }
  const report = mergeReports(
    log === undefined
      ? await runSegments(
          plans.map((plan) => ({ plan, place })),
          jobs,
          print,
        )
      : await runLogged(plans, { log, place }, print),
  )
  console.log(tableOf(report, performance.now() - startedAt))
  console.log(`\nseed ${seed}, trace ${report.hash.slice(0, 16)}`)
  return isClean(report) ? 0 : 1
}

/** Runs the segments in one thread and logs everything that happens to a file. */
async function runLogged(
  plans: readonly SegmentPlan[],
  { log, place }: { readonly log: string; readonly place: StorePlace | undefined },
  print: (plan: SegmentPlan, report: Report) => void,
): Promise<readonly Report[]> {
  await buildPage()
  const lines = createWriteStream(log)
  const reports: Report[] = []
  for (const plan of plans) {
    const report = await runSegment(plan, { log: (line) => lines.write(`${line}\n`), place })
    print(plan, report)
    reports.push(report)
  }
  await new Promise((resolve) => lines.end(resolve))
  return reports
}
