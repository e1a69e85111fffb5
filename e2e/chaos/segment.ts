/** Runs one segment: a service, servers on a store, a crowd of payers, faults; then calm, and the reckoning. */
import { inspect } from 'node:util'
import { createSandbox } from '../../src/sandbox/index.ts'
import { createAnswers } from './answers.ts'
import { createBackups } from './backups.ts'
import { createBooks } from './books.ts'
import { createClerk, runStrangers } from './clerk.ts'
import { runForger } from './clients.ts'
import { runCrowd } from './crowd.ts'
import { createDice } from './dice.ts'
import { restoreBackup, takeBackup } from './disaster.ts'
import { createFaults, drawServiceFault } from './faults.ts'
import { createFindings, type Report } from './findings.ts'
import { startFleet } from './fleet.ts'
import { createIcons } from './icons.ts'
import { createLink } from './link.ts'
import { createLedger } from './merchant.ts'
import { fillWithOld } from './old-checkouts.ts'
import type { SegmentPlan } from './plan.ts'
import { createPoison, runPoison } from './poison.ts'
import { checkAll, settle } from './settling.ts'
import { runImpatient, throughRefusals } from './strain.ts'
import { createVirtualTime } from './time.ts'
import { createTruth } from './truth.ts'
import { type Breakage, unbroken } from './variants.ts'
import type { World } from './world.ts'

const startMs = Date.parse('2026-11-21T10:00:00Z')
const accessToken = 'token-6d1f0c2b9a7e4835'

/** @param log - Gets a line for everything that happens. */
export async function runSegment(
  plan: SegmentPlan,
  breakage: Breakage = unbroken,
  log?: (line: string) => void,
): Promise<Report> {
  const time = createVirtualTime(startMs)
  const findings = createFindings(time.nowMs, log)
  const unexpected = (error: unknown) => findings.violate('unexpected error', inspect(error))
  process.on('unhandledRejection', unexpected)
  try {
    const world = createWorld(plan, breakage, time, findings)
    await time.run(playAll(world))
    findings.count('virtual ms', time.nowMs() - startMs)
  } finally {
    process.off('unhandledRejection', unexpected)
  }
  return findings.report()
}

async function playAll(world: World): Promise<void> {
  await fillWithOld(world)
  const fleet = startFleet(world, world.plan.servers)
  const answers = createAnswers(world)
  const link = createLink(world, fleet, answers)
  const clerk = createClerk(world)
  let over = false
  void runStrangers(world, () => over)
  void moveServiceClock(world, () => over)
  void runPoison(world, () => over)
  void takeBackup(world)
  void runImpatient(world, link)
  void runForger(world, link)
  await runCrowd(world, link, clerk)
  over = true
  await restoreBackup(world, fleet, answers)
  await settle(world, fleet)
  await checkAll(world, fleet, link, answers)
}

function createWorld(plan: SegmentPlan, breakage: Breakage, time: World['time'], findings: World['findings']): World {
  const faults = createFaults(plan, findings)
  const truth = createTruth()
  const lateDice = createDice(plan.seed, 'late orders')
  const serviceDice = createDice(plan.seed, 'service')
  const sandbox = createSandbox({
    ...plan.sandbox,
    accessToken,
    clock: { now: time.nowMs, sleep: time.sleep },
    random: serviceDice.random,
    appearAfterMs: () => {
      truth.noteOrder()
      return faults.strikes('service: order appears late') ? lateDice.between(1, 24) ** 2 * 100 : 0
    },
  })
  const bait = `token ${accessToken}, sub-account ${sandbox.access.subAccountId}`
  sandbox.faults = throughRefusals(plan.strain, time, faults, () => drawServiceFault(faults, bait))
  sandbox.clock.advance(plan.serviceOffsetMs)
  truth.watch(sandbox)
  const storeClock = { aheadMs: 0 }
  const serviceClock = { forwardMs: 0 }
  const backups = createBackups(() => time.nowMs() + storeClock.aheadMs)
  const books = createBooks(backups.store, { time, findings, truth })
  const poison = createPoison(plan, backups, findings)
  const ledger = createLedger(findings, [accessToken])
  const icons = createIcons(plan, time, faults, findings)
  const carts = new Map()
  const state = { books, carts, ledger, backups, poison, storeClock, serviceClock, icons }
  return { plan, time, findings, faults, truth, sandbox, breakage, ...state }
}

/** The service's clock is set, too, and stays as it was set. */
async function moveServiceClock(
  { plan, time, faults, sandbox, serviceClock }: World,
  until: () => boolean,
): Promise<void> {
  const dice = createDice(plan.seed, 'service clock')
  while (plan.clocksSet === 'service' && !until() && !faults.stopped) {
    await time.sleep(dice.between(1, 15) * 60_000)
    if (!faults.strikes('service: clock jumps')) return
    const byMs = dice.pick([-90_000, -2_000, -300, 300, 2_000, 90_000])
    sandbox.clock.advance(byMs)
    serviceClock.forwardMs += Math.max(0, byMs)
  }
}
