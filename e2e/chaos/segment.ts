/**
 * Runs one segment: a service, servers with one store, payers and faults. At the end faults stop,
 * and every rule is checked.
 */
import { inspect } from 'node:util'
import { createSandbox } from '../../src/sandbox/index.ts'
import { accountName } from '../../src/server/store/store-calls.ts'
import type { StorePlace } from '../stores/open-store.ts'
import { restoreBackup, takeBackup } from './actors/lost-store.ts'
import { createOperator, runStrangers } from './actors/operator.ts'
import { runPagePayers } from './actors/page-payers.ts'
import { runPayers } from './actors/payers.ts'
import { runForger, runImpatient } from './actors/repeated-posts.ts'
import { loadPage } from './built-page.ts'
import { createAnswers } from './checks/answers.ts'
import { checkAll, settle, watchOnce } from './checks/settling.ts'
import { createStoreAudit } from './checks/store-audit.ts'
import { fillWithOld } from './faults/old-checkouts.ts'
import { createDamagedAddresses, drawServiceFault, throughRefusals } from './faults/service-answers.ts'
import { createShownOrders, createStuckReplica, numbered, sharingOrders } from './faults/service-orders.ts'
import { createUnreadableRecords, runPoison } from './faults/unreadable-records.ts'
import { createLedger } from './shop/merchant.ts'
import { createLink } from './shop/network.ts'
import { startServers } from './shop/servers.ts'
import { type Breakage, unbroken } from './world/breakage.ts'
import { createFaults } from './world/faults.ts'
import { createFindings, type Report } from './world/findings.ts'
import { createIcons } from './world/icon-host.ts'
import { createOracle } from './world/oracle.ts'
import { createPaymentLinks } from './world/payment-links.ts'
import type { SegmentPlan } from './world/plan.ts'
import { createRandomStream } from './world/random.ts'
import { createBackups, createStores } from './world/stores.ts'
import { createVirtualTime } from './world/time.ts'
import type { Cart, Servers, World } from './world/types.ts'

const startMs = Date.parse('2026-11-21T10:00:00Z')
const accessToken = 'token-6d1f0c2b9a7e4835'

/** Changes to an ordinary run of a segment. */
export interface SegmentOptions {
  readonly breakage?: Breakage
  /** Gets a line for each event. */
  readonly log?: (line: string) => void
  /** Where the store is; in memory if left out. */
  readonly place?: StorePlace | undefined
}

/** Runs a segment from its start to its last check. */
export async function runSegment(
  plan: SegmentPlan,
  { breakage = unbroken, log, place }: SegmentOptions = {},
): Promise<Report> {
  const time = createVirtualTime(startMs)
  const storeClock = { aheadMs: 0 }
  const stores = createStores(place, plan.number, time, () => time.nowMs() + storeClock.aheadMs)
  const findings = createFindings(time.nowMs, log)
  // No timer of the segment brings it: its servers load it with their first page.
  await loadPage()
  const unexpected = (error: unknown) => findings.violate('unexpected error', inspect(error))
  process.on('unhandledRejection', unexpected)
  try {
    await time.run(
      createBackups(stores.empty).then(async (backups) => {
        const given = { breakage, time, findings, backups, storeClock }
        const world = createWorld(plan, given, 'https://sandbox.invalid')
        const servers = await playAll(world)
        if (plan.changesAccount) await changeAccount(world, servers, (other) => playOther(other, given))
      }),
    )
    findings.count('virtual ms', time.nowMs() - startMs)
  } finally {
    await stores.close()
    process.off('unhandledRejection', unexpected)
  }
  return findings.report()
}

async function playAll(world: World): Promise<Servers> {
  await fillWithOld(world)
  const servers = startServers(world)
  const answers = createAnswers(world)
  const link = createLink(world, servers, answers)
  const operator = createOperator(world)
  let over = false
  void runStrangers(world, () => over)
  void moveServiceClock(world, () => over)
  void world.stuckReplica.run(() => over)
  void runPoison(world, () => over)
  void takeBackup(world)
  void runImpatient(world, link)
  void runForger(world, link)
  await Promise.all([runPayers(world, link, operator), runPagePayers(world, link, { operator, servers })])
  over = true
  await restoreBackup(world, servers, { link, answers, operator })
  await settle(world, servers)
  await checkAll(world, servers, link, answers)
  return servers
}

/** Plays another account on the store of the first one. */
async function playOther(plan: SegmentPlan, given: Given): Promise<World> {
  const world = createWorld(plan, given, otherAccountUrl)
  await playAll(world)
  return world
}

type Given = Pick<World, 'breakage' | 'time' | 'findings' | 'backups' | 'storeClock'>

/** @param baseUrl - Where the service is: with another one, it is another account. */
function createWorld(
  plan: SegmentPlan,
  { breakage, time, findings, backups, storeClock }: Given,
  baseUrl: string,
): World {
  const faults = createFaults(plan, findings)
  const oracle = createOracle(time.nowMs)
  const lateRandom = createRandomStream(plan.seed, 'late orders')
  const isOther = baseUrl === otherAccountUrl
  const serviceRandom = createRandomStream(plan.seed, isOther ? 'service of another account' : 'service')
  const base = createSandbox({
    ...plan.sandbox,
    accessToken,
    clock: { now: time.nowMs, sleep: time.sleep },
    random: serviceRandom.next,
    appearAfterMs: () => {
      oracle.noteOrder()
      return faults.strikes('service: order appears late') ? lateRandom.between(1, 24) ** 2 * 100 : 0
    },
  })
  const sandbox = plan.changesAccount ? numbered(base) : base
  const bait = `token ${accessToken}, sub-account ${sandbox.access.subAccountId}`
  sandbox.faults = throughRefusals(plan.strain, time, faults, () => drawServiceFault(faults, bait))
  sandbox.clock.advance(plan.serviceOffsetMs)
  oracle.watch(sandbox)
  const serviceClock = { forwardMs: 0 }
  const audit = createStoreAudit(backups.store, { time, findings, oracle })
  const unreadable = createUnreadableRecords(plan, backups, findings)
  const ledger = createLedger(findings, accessToken)
  const icons = createIcons(plan, time, faults, findings)
  const carts = new Map<string, Cart>()
  const damagedAddresses = createDamagedAddresses(faults)
  const stuckReplica = createStuckReplica({ plan, time, faults, sandbox })
  const shown = createShownOrders(plan.seed, faults)
  const service = sharingOrders(shown.changing(sandbox.fetch), { plan, time, sandbox, audit, faults })
  const access = { ...sandbox.access, baseUrl }
  const keyPrefix = isOther ? `@${accountName(access)} ` : ''
  return {
    plan,
    time,
    findings,
    faults,
    oracle,
    sandbox,
    breakage,
    access,
    keyPrefix,
    shown,
    service,
    damagedAddresses,
    stuckReplica,
    audit,
    carts,
    paymentLinks: createPaymentLinks(plan, time, carts),
    ledger,
    backups,
    unreadable,
    storeClock,
    serviceClock,
    icons,
  }
}

/** Sets the service's clock now and then. Unlike a server's clock, it is not set right again. */
async function moveServiceClock(
  { plan, time, faults, sandbox, serviceClock }: World,
  until: () => boolean,
): Promise<void> {
  const random = createRandomStream(plan.seed, 'service clock')
  while (plan.clocksSet === 'service' && !until() && !faults.stopped) {
    await time.sleep(random.between(1, 15) * 60_000)
    if (!faults.strikes('service: clock jumps')) return
    const byMs = random.pick([-90_000, -2_000, -300, 300, 2_000, 90_000])
    sandbox.clock.advance(byMs)
    serviceClock.forwardMs += Math.max(0, byMs)
  }
}

/** Address of the service for the other account. */
const otherAccountUrl = 'https://other.sandbox.invalid'
const kind = 'store: kept for another account'
/**
 * The other account has as many carts at most. Their references are those of the first account's
 * first carts, and so are the ids of their orders.
 */
const mostCarts = 20

/**
 * Keeps the store for another account of the service, as a merchant does who goes from the test
 * account to the real one. Then a server of the first account looks once more. Neither merchant may
 * hear of the other's checkouts.
 *
 * @param play - Plays a segment on the other account to its end.
 */
async function changeAccount(
  first: World,
  servers: Servers,
  play: (plan: SegmentPlan) => Promise<World>,
): Promise<void> {
  const { plan, findings } = first
  if (plan.without.includes(kind)) return
  findings.fault(kind)
  const { requestsPerSecond } = plan.strain
  const strain = { refusals: [], unpaid: 0, forger: false, requestsPerSecond }
  const other = await play({ ...plan, carts: Math.min(plan.carts, mostCarts), plainCarts: 13, restores: false, strain })
  await watchOnce(first, servers)
  for (const [told, others] of [
    [first, other],
    [other, first],
  ] as const)
    for (const id of others.audit.checkouts.keys())
      if (told.ledger.eventsOf(id).length > 0)
        findings.violate('told of another account', `checkout ${id} of ${others.access.baseUrl}`)
}
