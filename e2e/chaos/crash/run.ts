/**
 * `npm run crash -- --kills 200 --store sqlite`: real servers on a real store, killed by SIGKILL
 * again and again while payers pay over HTTP. With `--store postgres` or `redis` the database is
 * killed, too. Runs in real time, so it cannot be replayed. Exits with 1 if a rule was broken. See
 * docs/maintainers/chaos.md.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { CheckoutRecord } from '../../../src/server/core/types.ts'
import type { StoreKind } from '../../stores/start-store.ts'
import { storeKind, wholeNumber } from '../arguments.ts'
import { buildPage } from '../built-page.ts'
import { createRandomStream, type RandomStream } from '../world/random.ts'
import {
  type Broken,
  checkCreations,
  checkEvents,
  checkRecovery,
  checkRestored,
  checkShown,
  type Death,
  noneBroken,
  toDeliverAgain,
} from './check.ts'
import { type Payers, startPayers } from './payers.ts'
import { createServerProcess, type ServerProcess } from './process.ts'
import type { Recovered } from './recovery.ts'
import { type CrashStore, checkoutsIn, startCrashStore } from './stores.ts'
import { openSurvivingWorld, type SurvivingWorld } from './world.ts'

/**
 * After the last kill, everything must be delivered within this time. It includes the time until a
 * binding is certain, which can be more than a minute after the creation.
 */
const calmMs = 180_000
const payersBeside = 40

/** The database is ended after so many kills. */
const killsAnOutage = 10

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '200' }, store: { type: 'string', default: 'sqlite' } },
})
process.exitCode = await main(wholeNumber('kills', values.kills), storeKind(values.store))

async function main(kills: number, kind: StoreKind): Promise<number> {
  await buildPage()
  const startedAt = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-crash-'))
  const random = createRandomStream(Date.now(), 'crash')
  const world = await openSurvivingWorld(random.next)
  const { accessToken, subAccountId } = world.sandbox.access
  const store = await startCrashStore(kind, folder)
  const place = JSON.stringify(store.place)
  const shared = [accessToken, subAccountId, world.merchantUrl]
  const server = createServerProcess(['web', place, world.serviceUrl, ...shared])
  const worker = createServerProcess(['worker', place, world.workerServiceUrl, ...shared], world.recovery)
  const both = [server, worker]
  try {
    for (const each of both) await each.start()
    const payers = startPayers(world, server.url, random, payersBeside)
    const shop = { web: server, worker, store, world, random }
    const deaths = await killAll(Math.ceil(kills / 2), shop)
    await store.backUp()
    deaths.push(...(await killAll(Math.floor(kills / 2), shop)))
    await payers.stop()
    const calmForMs = await untilDelivered(world, payers.paid, 0)
    const broken = noneBroken()
    checkRecovery(world, broken)
    await checkShown(payers, world, broken)
    checkEvents(world, payers, broken)
    for (const each of both) await each.kill()
    broken['readable by others'].push(...store.readableByOthers())
    const kept = addressesOf(await checkoutsIn(store.place))
    const lostOrders = checkCreations(world, kept, deaths, broken)
    const restoredAt = world.events.length
    await store.restore()
    const backup = await checkoutsIn(store.place)
    for (const each of both) await each.start()
    const again = toDeliverAgain(payers.paid, backup)
    await untilDelivered(world, new Set(again), restoredAt)
    checkRestored(world, payers, backup, restoredAt, broken)
    for (const each of both) await each.kill()
    broken['readable by others'].push(...store.readableByOthers())
    printOutcome(
      { kills, deaths, world, payers, backup, again, lostOrders, server, worker, startedAt, calmForMs },
      broken,
    )
    return Object.values(broken).every((found) => found.length === 0) ? 0 : 1
  } finally {
    for (const each of both) await each.kill()
    await world.close()
    await store.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Outcome {
  readonly kills: number
  readonly deaths: readonly Death[]
  readonly world: SurvivingWorld
  readonly payers: Payers
  readonly backup: ReadonlyMap<string, unknown>
  readonly again: readonly string[]
  readonly lostOrders: number
  readonly server: ServerProcess
  readonly worker: ServerProcess
  readonly startedAt: number
  /** From the end of the payers to the delivery of the last payment. */
  readonly calmForMs: number
}

function printOutcome(outcome: Outcome, broken: Broken): void {
  const { kills, deaths, world, payers, backup, again, lostOrders, server, worker, startedAt, calmForMs } = outcome
  const { watching, telling } = world.recovery.results()
  const outages = deaths.filter(({ fromMs, untilMs }) => untilMs > fromMs).length
  const killsOfWeb = deaths.length - outages
  print({
    'kills of the web process': killsOfWeb,
    'kills of the worker': kills - killsOfWeb,
    'ends of the database': outages,
    'checkouts shown to a browser': new Set(payers.shown.map(({ id }) => id)).size,
    '  by a page without scripts': payers.plain(),
    'requests that had to be sent again': payers.unanswered(),
    'upstream orders created': world.sandbox.orders().length,
    '  whose answer died with a server': lostOrders,
    'checkouts paid': payers.paid.size,
    'checkouts that the backup had': backup.size,
    '  paid ones that were delivered again': again.length,
    'events delivered to the merchant': new Set(world.events.map(({ eventId }) => eventId)).size,
    '  delivered again with the same id':
      world.events.length - new Set(world.events.map(({ eventId }) => eventId)).size,
    ...errorsOf('web', server),
    ...errorsOf('worker', worker),
    ...timesOf('from a kill to watching', watching),
    ...timesOf('from a kill in a callback to the next call', telling),
    'until all was delivered at the end, ms': calmForMs,
    'wall time, seconds': Math.round((performance.now() - startedAt) / 1000),
  })
  console.log('\nwhat must be zero')
  print(Object.fromEntries(Object.entries(broken).map(([rule, found]) => [rule, found.length])))
  for (const [rule, found] of Object.entries(broken))
    for (const what of found.slice(0, 5)) console.error(`${rule}: ${what}`)
}

interface Shop {
  readonly web: ServerProcess
  readonly worker: ServerProcess
  readonly store: CrashStore
  readonly world: SurvivingWorld
  readonly random: RandomStream
}

/**
 * Kills the processes and starts them again. Half of the kills come at any moment, the others right
 * after the start of a creation, a reading of the list or a callback. Resolves with the deaths that
 * can cost a creation its answer; the worker creates nothing.
 */
async function killAll(kills: number, { web, worker, store, world, random }: Shop): Promise<Death[]> {
  const deaths: Death[] = []
  for (let killed = 1; killed <= kills; killed++) {
    await untilKill(world, random)
    const victim = killed % 3 === 0 ? worker : web
    if (victim === web) deaths.push({ fromMs: Date.now(), untilMs: Date.now() })
    else world.recovery.noteKill()
    await victim.kill()
    await victim.start()
    if (victim === worker) world.recovery.noteStart()
    if (store.crash && killed % killsAnOutage === 0) {
      await untilKill(world, random)
      deaths.push(await outage(store.crash, world))
    }
    if (process.stdout.isTTY) process.stdout.write(`\r${killed} of ${kills} kills`)
  }
  return deaths
}

async function untilKill(world: SurvivingWorld, random: RandomStream): Promise<void> {
  await sleep(random.between(100, 1_300))
  if (!random.chance(0.5)) return
  await Promise.race([world.nextMoment(), sleep(1_500)])
  await sleep(random.between(0, 130))
}

async function outage(crash: () => Promise<void>, { recovery }: SurvivingWorld): Promise<Death> {
  const fromMs = Date.now()
  recovery.noteOutage()
  await crash()
  recovery.noteOutageEnd()
  return { fromMs, untilMs: Date.now() }
}

/**
 * Waits for the delivery of these payments among the events from index `from` on, for `calmMs` at
 * most. Resolves with the time that it took.
 */
async function untilDelivered({ events }: SurvivingWorld, paid: ReadonlySet<string>, from: number): Promise<number> {
  const beganAtMs = Date.now()
  const giveUpAtMs = beganAtMs + calmMs
  const isDelivered = () => {
    const confirmed = events.slice(from).filter(({ status }) => status === 'confirmed')
    const delivered = new Set(confirmed.map(({ checkoutId }) => checkoutId))
    return [...paid].every((id) => delivered.has(id))
  }
  while (Date.now() < giveUpAtMs && !isDelivered()) await sleep(250)
  return Date.now() - beganAtMs
}

/** Number, median, and the three worst. */
function timesOf(name: string, recovered: readonly Recovered[]): Record<string, number> {
  const times = recovered.map(({ tookMs }) => tookMs).sort((a, b) => b - a)
  const worst = times.slice(0, 3).map((tookMs, at): [string, number] => [`  ${name}, worst ${at + 1}, ms`, tookMs])
  return {
    [`${name}, times`]: times.length,
    [`  ${name}, median, ms`]: times[times.length >> 1] ?? 0,
    ...Object.fromEntries(worst),
  }
}

/** Returns the addresses and tags of all checkouts, whether a browser was shown them or not. */
function addressesOf(checkouts: ReadonlyMap<string, CheckoutRecord>): ReadonlySet<string> {
  const instructed = [...checkouts.values()].map(({ instructions }) => instructions).filter((each) => each !== null)
  return new Set(instructed.map(({ address, tag }) => `${address} ${tag ?? ''}`))
}

function errorsOf(name: string, { errors }: ServerProcess): Record<string, number> {
  return Object.fromEntries(Object.entries(errors).map(([code, count]) => [`  onError ${code} (${name})`, count]))
}

function print(rows: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(rows))
    console.log(`${name.padEnd(60)}${count.toLocaleString('en-US').padStart(12)}`)
}
