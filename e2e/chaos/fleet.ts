/** The merchant's servers: several processes on one store. Any of them may die at any moment, and is started again. */
import { createPaywindow, type PaywindowServer } from '../../src/server/paywindow.ts'
import { createServerClock, type ServerClock } from './clocks.ts'
import { createCrashingStore } from './crashing-store.ts'
import { createDice } from './dice.ts'
import { createMerchantCode } from './merchant.ts'
import { withinBudget } from './strain.ts'
import { createUpstream } from './upstream.ts'
import type { World } from './world.ts'

/** By how much a server's clock may be set. */
const jumpsMs = [-7_200_000, -600_000, -30_000, -2_000, 2_000, 30_000, 600_000, 7_200_000]

export interface Instance {
  readonly name: string
  readonly server: PaywindowServer
  readonly clock: ServerClock
  isAlive(): boolean
  /** Resolves when it dies. */
  readonly died: Promise<void>
}

export interface Fleet {
  /** A server that lives; undefined while none does. */
  pick(): Instance | undefined
  alive(): readonly Instance[]
  /** Ends the watching of all servers, so that rounds can be run one by one. */
  stopWatching(): Promise<void>
}

/** @param size - Servers that run beside each other. */
export function startFleet(world: World, size: number): Fleet {
  const { time, plan, findings, faults } = world
  const dice = createDice(plan.seed, 'fleet')
  const instances: (Instance | undefined)[] = []
  const watchers = new Map<Instance, { stop(): Promise<void> }>()
  let watching = true

  function start(place: number, generation: number): void {
    const name = `server ${place}.${generation}`
    const offsetMs = dice.between(-250, 250)
    const instance = startInstance(world, name, offsetMs)
    findings.trace('started', name)
    instances[place] = instance
    if (watching) watchers.set(instance, instance.server.watch())
    void instance.died.then(async () => {
      findings.trace('died', name)
      findings.count('crashes')
      watchers.delete(instance)
      instances[place] = undefined
      await time.sleep(dice.between(300, 15_000))
      start(place, generation + 1)
    })
  }

  for (let place = 0; place < size; place++) start(place, 0)
  const alive = () => instances.filter((instance) => instance !== undefined)
  void setClocks(world, alive, createDice(plan.seed, 'server clocks'), faults)
  return {
    alive,
    pick: () => (alive().length === 0 ? undefined : dice.pick(alive())),
    stopWatching: async () => {
      watching = false
      await Promise.all([...watchers].map(([instance, watcher]) => Promise.race([watcher.stop(), instance.died])))
      watchers.clear()
    },
  }
}

function startInstance(world: World, name: string, offsetMs: number): Instance {
  const { plan, time, findings, faults, books, sandbox, ledger, carts, breakage } = world
  const dice = createDice(plan.seed, name)
  let living = true
  let die = () => {}
  const died = new Promise<void>((resolve) => {
    die = resolve
  })
  const isAlive = () => living
  const crash = () => {
    living = false
    die()
    return new Promise<never>(() => {})
  }
  const clock = createServerClock(time, offsetMs, isAlive)
  const mortal = { isAlive, crash, sleep: (ms: number) => clock.sleep(ms) }
  const code = createMerchantCode({ carts, ledger, faults, sleep: mortal.sleep, crash })
  const server = createPaywindow(
    breakage.options({
      service: {
        ...sandbox.access,
        fetch: breakage.serviceFetch(
          withinBudget(createUpstream(breakage.network(sandbox.fetch, time), mortal, clock, world), {
            ...world,
            strain: plan.strain,
            name,
          }),
          clock,
        ),
        random: dice.random,
      },
      clock: breakage.serverClock(clock),
      randomBytes: dice.bytes,
      store: breakage.serverStore(createCrashingStore(books.store, mortal, faults), clock),
      test: true,
      // All payers come from nowhere, and are one client.
      creationsPerClient: 1_000_000,
      serviceRequestsPerSecond: plan.strain.requestsPerSecond,
      offer: ({ reference }) => code.offer(reference),
      onStatusChange: breakage.callback((event) => code.onStatusChange(event)),
      onError: (error, context) => {
        if (living) ledger.hearError(error, context)
      },
    }),
  )
  findings.count('server starts')
  return { name, server, clock, isAlive, died }
}

/** Sets the clock of a server now and then, and sets it right again after a while. */
async function setClocks(
  { time, plan }: World,
  alive: () => readonly Instance[],
  dice: ReturnType<typeof createDice>,
  faults: World['faults'],
): Promise<void> {
  while (plan.clocksSet === 'servers' && !faults.stopped) {
    await time.sleep(dice.between(2, 12) * 60_000)
    const [instance] = alive()
    const chosen = alive().length > 0 ? dice.pick(alive()) : instance
    const byMs = dice.pick(jumpsMs)
    if (!chosen || !faults.strikes('server: clock jumps')) continue
    chosen.clock.jump(byMs)
    void time.sleep(dice.between(10_000, 600_000)).then(() => chosen.clock.jump(-byMs))
  }
}
