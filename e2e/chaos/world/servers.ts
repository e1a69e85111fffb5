/** The merchant's servers: several processes that share a store. Any of them may die at any moment and is started again. */
import type { LogMethod } from '../../../src/server/observing/reporting.ts'
import type { PaywindowOptions } from '../../../src/server/options.ts'
import { createPaywindow, type PaywindowServer } from '../../../src/server/paywindow.ts'
import { clientOptions } from '../actors/clients.ts'
import { createMerchantCode } from '../actors/merchant.ts'
import { checkTold } from '../checks/told.ts'
import { withHostileFields } from '../faults/hostile-fields.ts'
import { withinBudget } from '../faults/strain.ts'
import { createServerClock, type ServerClock } from './clocks.ts'
import { createCrashingStore } from './crashing-store.ts'
import { withGatewayTimes } from './gateway.ts'
import { signingIcons } from './icon-host.ts'
import { runPauses } from './pauses.ts'
import { createRandomStream } from './random.ts'
import type { World } from './types.ts'
import { createUpstream } from './upstream.ts'

/** What a process does: `web` has only `offer` and answers browsers, `worker` watches and delivers, `all` does everything. */
export type Role = 'web' | 'worker' | 'all'

/** One process of a server, from its start to its death. */
export interface Instance {
  readonly name: string
  readonly role: Role
  readonly server: PaywindowServer
  readonly clock: ServerClock
  isAlive(): boolean
  kill(): void
  /** Resolves when it dies. */
  readonly died: Promise<void>
}

/** All servers of the shop. */
export interface Servers {
  /** Picks a living server that answers browsers; undefined while there is none. */
  pick(): Instance | undefined
  /** Picks a living server that delivers; undefined while there is none. */
  pickDeliverer(): Instance | undefined
  /** Kills all servers, calls `meanwhile` while none lives, and resolves when all have been started again. */
  killAll(meanwhile: () => Promise<void>): Promise<void>
  alive(): readonly Instance[]
  /** Stops the watchers of all servers, so that the caller can run their rounds one by one. */
  stopWatching(): Promise<void>
}

/** Starts the shop's servers. @param size - Number of servers that answer browsers at the same time. */
export function startServers(world: World, size: number): Servers {
  const roles = Array.from({ length: size }, (): Role => (world.plan.splitRoles ? 'web' : 'all'))
  if (world.plan.splitRoles) roles.push('worker')
  const { time, plan, findings, faults } = world
  const random = createRandomStream(plan.seed, 'servers')
  const instances: (Instance | undefined)[] = []
  const watchers = new Map<Instance, { stop(): Promise<unknown> }>()
  let watching = true
  let isDown = false

  function start(place: number, role: Role, generation: number): void {
    const name = `server ${place}.${generation}`
    const offsetMs = random.between(-250, 250)
    const instance = startInstance(world, name, role, offsetMs)
    findings.trace('started', name)
    instances[place] = instance
    if (watching && role !== 'web') watchers.set(instance, instance.server.watch())
    void instance.died.then(async () => {
      findings.trace('died', name)
      findings.count('crashes')
      watchers.delete(instance)
      instances[place] = undefined
      do await time.sleep(random.between(300, 15_000))
      while (isDown)
      start(place, role, generation + 1)
    })
  }

  for (const [place, role] of roles.entries()) start(place, role, 0)
  const pickOf = (those: readonly Instance[]) => (those.length === 0 ? undefined : random.pick(those))
  const alive = () => instances.filter((instance) => instance !== undefined)
  void runPauses(world, alive)
  void setClocks(world, alive, createRandomStream(plan.seed, 'server clocks'), faults)
  return {
    alive,
    pick: () => pickOf(alive().filter(({ role }) => role !== 'worker')),
    pickDeliverer: () => pickOf(alive().filter(({ role }) => role !== 'web')),
    killAll: async (meanwhile) => {
      isDown = true
      for (const instance of alive()) instance.kill()
      await time.sleep(60_000)
      await meanwhile()
      isDown = false
      while (alive().length < roles.length) await time.sleep(1_000)
    },
    stopWatching: async () => {
      watching = false
      await Promise.all([...watchers].map(([instance, watcher]) => Promise.race([watcher.stop(), instance.died])))
      watchers.clear()
    },
  }
}

function startInstance(world: World, name: string, role: Role, offsetMs: number): Instance {
  const { plan, time, findings, faults, audit, ledger, carts, icons, breakage } = world
  const { damaging } = world.damagedAddresses
  const random = createRandomStream(plan.seed, name)
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
  const mortal = { isAlive, crash, sleep: (ms: number) => clock.sleep(ms), awake: clock.pauses.awake }
  const service = world.stuckReplica.behind(damaging(world.service))
  const network = breakage.network(withGatewayTimes(withHostileFields(service, faults), faults), time)
  const code = createMerchantCode({ carts, ledger, faults, sleep: mortal.sleep, crash })
  const onStatusChange = breakage.callback((event) => {
    checkTold(world, event)
    return code.onStatusChange(event)
  })
  const upstream = createUpstream(signingIcons(network), mortal, clock, world)
  const hearLine: LogMethod = (fields, message) => {
    if (living) ledger.hearLine(fields, message)
  }
  const options: PaywindowOptions = {
    service: {
      ...world.access,
      fetch: breakage.serviceFetch(withinBudget(upstream, { ...world, strain: plan.strain, name }), clock),
      random: random.next,
    },
    clock: breakage.serverClock(clock),
    randomBytes: random.bytes,
    store: breakage.serverStore(createCrashingStore(audit.store, mortal, faults), clock, role),
    iconFetch: breakage.iconFetch(icons.hostFor(clock)),
    test: true,
    ...clientOptions,
    serviceRequestsPerSecond: plan.strain.requestsPerSecond,
    offer: ({ reference }) => code.offer(reference),
    ...(role !== 'web' && { onStatusChange }),
    onError: (error, context) => {
      if (living) ledger.hearError(error, context)
    },
    logger: { debug: hearLine, info: hearLine, warn: hearLine, error: hearLine },
  }
  const server = createPaywindow(breakage.options(options))
  findings.count('server starts')
  return { name, role, server, clock, isAlive, died, kill: () => void crash() }
}

/** Sets a server's clock or the store's now and then, and sets it right again after a while. */
async function setClocks(
  { time, plan, storeClock }: World,
  alive: () => readonly Instance[],
  random: ReturnType<typeof createRandomStream>,
  faults: World['faults'],
): Promise<void> {
  const far = createRandomStream(plan.seed, 'clocks that are months off')
  while (plan.clocksSet === 'servers' && !faults.stopped) {
    await time.sleep(random.between(2, 12) * 60_000)
    const [instance] = alive()
    const chosen = alive().length > 0 ? random.pick(alive()) : instance
    const byMs = random.pick(plan.clockJumpsMs)
    if (random.chance(0.2) && faults.strikes('store: clock jumps')) {
      storeClock.aheadMs += byMs
      void time.sleep(random.between(10_000, 600_000)).then(() => {
        storeClock.aheadMs -= byMs
      })
    }
    if (!chosen || !faults.strikes('server: clock jumps')) continue
    const monthsMs = far.pick([-1, 1]) * far.between(91, 400) * 86_400_000
    const jumpMs = faults.strikes('server: clock is months off') ? monthsMs : byMs
    chosen.clock.jump(jumpMs)
    void time.sleep(random.between(10_000, 600_000)).then(() => chosen.clock.jump(-jumpMs))
  }
}
