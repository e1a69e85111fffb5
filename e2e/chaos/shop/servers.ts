/** The merchant's servers: processes with one store. Any may die at any moment and start again. */
import { sandboxArrival } from '../../../src/sandbox/index.ts'
import type { LogMethod } from '../../../src/server/observing/reporting.ts'
import type { LapsedEvent, PaywindowOptions } from '../../../src/server/options.ts'
import { createPaywindow } from '../../../src/server/paywindow.ts'
import { withinBudget } from '../checks/creations.ts'
import { checkLapsed } from '../checks/lapses.ts'
import { checkTold } from '../checks/told.ts'
import { createCrashingStore } from '../faults/crashing-store.ts'
import { withGatewayTimes, withHostileFields } from '../faults/service-answers.ts'
import { createServerClock } from '../world/clocks.ts'
import { signingIcons } from '../world/icon-host.ts'
import type { Role } from '../world/plan.ts'
import { createRandomStream } from '../world/random.ts'
import type { Instance, Servers, World } from '../world/types.ts'
import { clientOptions } from './clients.ts'
import { createMerchantCode } from './merchant.ts'
import { createUpstream } from './upstream.ts'

/** Starts the servers of the plan. */
export function startServers(world: World): Servers {
  const { time, plan, findings } = world
  const roles = Array.from({ length: plan.servers }, (): Role => (plan.splitRoles ? 'web' : 'all'))
  if (plan.splitRoles) roles.push('worker')
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
  void setClocks(world, alive)
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
  const { plan, time, faults, audit, ledger, carts, icons, breakage } = world
  const { damaging } = world.damagedAddresses
  const random = createRandomStream(plan.seed, name)
  let living = true
  const { promise: died, resolve: die } = Promise.withResolvers<void>()
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
  const onLapsed = (event: LapsedEvent) => {
    checkLapsed(world, event)
    return code.onLapsed(event)
  }
  const upstream = createUpstream(signingIcons(network), mortal, clock, world)
  const hearLine: LogMethod = (fields, message) => {
    if (living) ledger.hearLine(fields, message)
  }
  const options: PaywindowOptions = {
    service: {
      ...world.access,
      fetch: breakage.serviceFetch(withinBudget(upstream, world, name), clock),
      random: random.next,
    },
    clock: breakage.serverClock(clock),
    randomBytes: random.bytes,
    store: breakage.serverStore(createCrashingStore(audit.store, mortal, faults), clock, role),
    iconFetch: breakage.iconFetch(icons.hostFor(clock)),
    test: true,
    ...clientOptions,
    serviceRequestsPerSecond: plan.strain.requestsPerSecond,
    offer: code.offer,
    linkSecret: 'signs payment links, in the simulation',
    page: { url: 'https://shop.example/paywindow/pay' },
    readArrival: sandboxArrival,
    ...(role !== 'web' && { onStatusChange, onLapsed }),
    onError: (error, context) => {
      if (living) ledger.hearError(error, context)
    },
    logger: { debug: hearLine, info: hearLine, warn: hearLine, error: hearLine },
  }
  const server = createPaywindow(breakage.options(options))
  return { name, role, server, clock, isAlive, died, kill: () => void crash() }
}

/** Sets a server's clock or the store's now and then, and sets it right again after a while. */
async function setClocks({ time, plan, storeClock, faults }: World, alive: () => readonly Instance[]): Promise<void> {
  const random = createRandomStream(plan.seed, 'server clocks')
  const far = createRandomStream(plan.seed, 'clocks that are months off')
  while (plan.clocksSet === 'servers' && !faults.stopped) {
    await time.sleep(random.between(2, 12) * 60_000)
    const chosen = alive().length > 0 ? random.pick(alive()) : undefined
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

/** Stops a server now and then, for longer than a lease mostly, at times longer than a quote. */
async function runPauses({ time, plan, faults }: World, alive: () => readonly Instance[]): Promise<void> {
  const random = createRandomStream(plan.seed, 'pauses')
  while (!faults.stopped) {
    await time.sleep(random.between(1, 12) * 60_000)
    const servers = alive()
    if (servers.length === 0 || !faults.strikes('server: stands still')) continue
    const isLong = random.chance(0.1)
    random.pick(servers).clock.pauses.begin(isLong ? random.between(5, 30) * 60_000 : random.between(3_000, 70_000))
  }
}
