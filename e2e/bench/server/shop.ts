/** The processes that a part of the bench runs against. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type StoreKind, startStore } from '../../stores/start-store.ts'
import { bundleMerchant } from './bundle.ts'
import type {
  Browser,
  MerchantCount,
  MerchantReady,
  SeedOrder,
  ServiceAccess,
  ServiceSetup,
  Span,
  ToMerchant,
  ToService,
} from './messages.ts'

/** A service and a merchant's server in front of it. */
export interface Shop {
  /** Where the merchant's server listens, or the first of several. */
  readonly port: number
  /** Where all listen. */
  readonly ports: readonly number[]
  /** How long its code took to load, in ms. */
  readonly loadMs: number
  service<Answer>(message: ToService): Promise<Answer>
  /** Asks the first. */
  merchant<Answer>(message: ToMerchant): Promise<Answer>
  /** All watch. */
  watch(): Promise<void>
  /** What all took: sums, and of stalls and statements the longest. */
  count(): Promise<MerchantCount>
  /** Ends the merchant's servers as a crash does. */
  stop(): Promise<void>
  /** Starts them again on the same store. */
  start(): Promise<Shop>
}

/** How both behave. */
export interface ShopSetup extends ServiceSetup {
  readonly requestsPerSecond: number
  readonly equalPrices: boolean
  readonly store: StoreKind
  readonly servers: number
  /** What Node is started with for the merchant's server. */
  readonly nodeOptions: readonly string[]
}

/** One server, and a service that takes 50 ms, has no limit, and proves orders by exact times. */
export const usual: ShopSetup = {
  latencyMs: 50,
  perSecond: null,
  provesByTime: true,
  requestsPerSecond: 50,
  equalPrices: false,
  store: 'sqlite',
  servers: 1,
  // As docs/production.md advises: more room for young objects takes memory and saves no time.
  nodeOptions: ['--max-semi-space-size=16'],
}

/** The time in which open orders were created, while their quotes still run. */
export const lastQuarter: Span = { fromAgoMs: 15 * 60_000, toAgoMs: 0 }

/** Starts all, and ends all after the work. Says on the error output how long that took. */
export async function inShop<Result>(
  name: string,
  setup: ShopSetup,
  work: (shop: Shop) => Promise<Result>,
): Promise<Result> {
  const beganAt = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-bench-'))
  const children = new Set<ChildProcess>()
  const end = async (child: ChildProcess) => {
    children.delete(child)
    await ended(child)
  }
  const service = beginService(setup)
  children.add(service)
  const { requestsPerSecond, equalPrices } = setup
  const store = await startStore(setup.store, folder)
  const access = await said<ServiceAccess>(service)
  const merchantSetup = JSON.stringify({ ...access, requestsPerSecond, equalPrices, store: store.place })
  const begin = (program: string) => {
    const child = fork(program, [merchantSetup], { execArgv: [...setup.nodeOptions] })
    children.add(child)
    return child
  }

  async function open(): Promise<Shop> {
    const program = await bundleMerchant()
    const processes = Array.from({ length: setup.servers }, () => begin(program))
    const servers = await Promise.all(
      processes.map(async (each) => ({ ...(await said<MerchantReady>(each)), ask: asking<ToMerchant>(each) })),
    )
    const [first] = servers
    if (!first) throw new Error('A shop needs a server')
    const all = <Answer>(message: ToMerchant) => Promise.all(servers.map(({ ask }) => ask<Answer>(message)))
    return {
      port: first.port,
      ports: servers.map(({ port }) => port),
      loadMs: first.loadMs,
      service: asking(service),
      merchant: first.ask,
      watch: async () => void (await all({ kind: 'watch' })),
      count: async () => (await all<MerchantCount>({ kind: 'count' })).reduce(together),
      stop: async () => void (await Promise.all(processes.map(end))),
      start: open,
    }
  }

  try {
    return await work(await open())
  } finally {
    await Promise.all([...children].map(end))
    await store.stop()
    rmSync(folder, { recursive: true })
    console.error(`  ${name}: ${((performance.now() - beganAt) / 1_000).toFixed(0)} s`)
  }
}

/** Starts a service, which says its `ServiceAccess` first. */
export function beginService(setup: ServiceSetup): ChildProcess {
  return fork(fileURLToPath(new URL('service.ts', import.meta.url)), [JSON.stringify(setup)], { execArgv: [] })
}

/** Ends a process that ends with its channel. */
export async function ended(child: ChildProcess): Promise<void> {
  child.disconnect()
  await once(child, 'exit')
}

/** Adds open orders to the service, and their checkouts to the store. Oldest first. */
export async function seedOpen(shop: Shop, count: number, span: Span = lastQuarter) {
  const orders = await shop.service<readonly SeedOrder[]>({ kind: 'seed', count, span, isPaid: false })
  const browsers = await shop.merchant<readonly Browser[]>({ kind: 'seed', orders, isPaid: false })
  return { orders, browsers }
}

/** Waits. */
export function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
}

/** What two servers took. */
function together(one: MerchantCount, other: MerchantCount): MerchantCount {
  const { stallMs, stall99Ms, longestSqlMs, diskMb } = other
  return {
    stallMs: Math.max(one.stallMs, stallMs),
    stall99Ms: Math.max(one.stall99Ms, stall99Ms),
    longestSqlMs: Math.max(one.longestSqlMs, longestSqlMs),
    diskMb: Math.max(one.diskMb, diskMb),
    busyMs: one.busyMs + other.busyMs,
    memoryMb: one.memoryMb + other.memoryMb,
    statements: one.statements + other.statements,
    transactions: one.transactions + other.transactions,
    archived: one.archived + other.archived,
    store: merged(one.store, other.store, (a, b) => a + b),
    errors: merged(one.errors, other.errors, (a, b) => a + b),
    paidAtMs: merged(one.paidAtMs, other.paidAtMs, Math.min),
  }
}

type Numbers = Readonly<Record<string, number>>

function merged(one: Numbers, other: Numbers, join: (a: number, b: number) => number): Numbers {
  const all = { ...one }
  for (const [name, value] of Object.entries(other)) all[name] = name in all ? join(all[name] ?? 0, value) : value
  return all
}

/** Resolves with the next message. */
export async function said<Answer>(child: ChildProcess): Promise<Answer> {
  const [answer] = await once(child, 'message')
  return answer as Answer
}

/** One message after the other, so that each answer is that of its question. */
export function asking<Message extends object>(child: ChildProcess) {
  let last: Promise<unknown> = Promise.resolve()
  return <Answer>(message: Message): Promise<Answer> => {
    const answer = last.then(() => {
      const answered = said<Answer>(child)
      child.send(message)
      return answered
    })
    last = answer
    return answer
  }
}
