/**
 * `npm run crash -- --kills 200`: a real server on its SQLite store, killed by SIGKILL again and again while payers pay over HTTP.
 * Real time, so it cannot be replayed. Ends with 1 when something happened that must not. See docs/chaos.md.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createSqliteStore } from '../../src/server/node.ts'
import { parseCheckoutRecord } from '../../src/server/stored.ts'
import { wholeNumber } from './arguments.ts'
import { checkCreations, checkEvents, checkTold, noneBroken } from './crash-check.ts'
import { type Payers, startPayers } from './crash-payers.ts'
import { createServerProcess, type ServerProcess } from './crash-process.ts'
import { openSurvivingWorld, type SurvivingWorld } from './crash-world.ts'
import { createDice, type Dice } from './dice.ts'

/**
 * After the last kill, everything that is due has to be told within this: a server that was killed while it told of a checkout
 * keeps the others from telling of it for five minutes.
 */
const calmMs = 360_000
const payersBeside = 40

const { values } = parseArgs({ options: { kills: { type: 'string', default: '200' } } })
process.exitCode = await main(wholeNumber('kills', values.kills))

async function main(kills: number): Promise<number> {
  const startedAt = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-crash-'))
  const dice = createDice(Date.now(), 'crash')
  const world = await openSurvivingWorld(dice.random)
  const { accessToken, subAccountId } = world.sandbox.access
  const storePath = join(folder, 'store.sqlite')
  const server = createServerProcess([storePath, world.serviceUrl, accessToken, subAccountId, world.merchantUrl])
  try {
    await server.start()
    const payers = startPayers(world, server.url, dice, payersBeside)
    const killedAtMs = await killAll(kills, server, world, dice)
    await payers.stop()
    await untilTold(world, payers)
    const broken = noneBroken()
    await checkTold(payers, world, broken)
    checkEvents(world, payers, broken)
    await server.kill()
    const kept = await keptAddresses(storePath)
    const lostOrders = checkCreations(world, kept, killedAtMs, broken)
    print({
      kills: killedAtMs.length,
      'checkouts told to a browser': new Set(payers.told.map(({ id }) => id)).size,
      'requests that had to be sent again': payers.unanswered(),
      'upstream orders created': world.sandbox.orders().length,
      '  whose answer died with a server': lostOrders,
      'checkouts paid': payers.paid.size,
      'changes told to the merchant': new Set(world.events.map(({ eventId }) => eventId)).size,
      '  told again with the same id': world.events.length - new Set(world.events.map(({ eventId }) => eventId)).size,
      ...Object.fromEntries(Object.entries(server.errors).map(([code, count]) => [`  onError ${code}`, count])),
      'wall time, seconds': Math.round((performance.now() - startedAt) / 1000),
    })
    console.log('\nwhat must be zero')
    print(Object.fromEntries(Object.entries(broken).map(([rule, found]) => [rule, found.length])))
    for (const [rule, found] of Object.entries(broken))
      for (const what of found.slice(0, 5)) console.error(`${rule}: ${what}`)
    return Object.values(broken).every((found) => found.length === 0) ? 0 : 1
  } finally {
    await server.kill()
    await world.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Half of the kills come at any moment, the others right after something began that a crash can spoil. */
async function killAll(kills: number, server: ServerProcess, world: SurvivingWorld, dice: Dice): Promise<number[]> {
  const killedAtMs: number[] = []
  while (killedAtMs.length < kills) {
    await sleep(dice.between(100, 1_300))
    if (dice.chance(0.5)) {
      await Promise.race([world.nextMoment(), sleep(1_500)])
      await sleep(dice.between(0, 130))
    }
    killedAtMs.push(Date.now())
    await server.kill()
    await server.start()
    if (process.stdout.isTTY) process.stdout.write(`\r${killedAtMs.length} of ${kills} kills`)
  }
  return killedAtMs
}

async function untilTold({ events }: SurvivingWorld, { paid }: Payers): Promise<void> {
  const giveUpAtMs = Date.now() + calmMs
  const isTold = () => {
    const told = new Set(events.filter(({ status }) => status === 'confirmed').map(({ checkoutId }) => checkoutId))
    return [...paid].every((id) => told.has(id))
  }
  while (Date.now() < giveUpAtMs && !isTold()) await sleep(250)
}

/** Addresses of all checkouts of the store, told to a browser or not. */
async function keptAddresses(storePath: string): Promise<ReadonlySet<string>> {
  const store = createSqliteStore(storePath)
  const records = await store.list('all', { limit: 1_000_000 })
  await store.close()
  return new Set(
    records.flatMap(({ value }) => {
      const { instructions } = parseCheckoutRecord(value)
      return instructions ? [`${instructions.address} ${instructions.tag ?? ''}`] : []
    }),
  )
}

function print(rows: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(rows))
    console.log(`${name.padEnd(46)}${count.toLocaleString('en-US').padStart(12)}`)
}
