/** The processes that a part of the bench runs against. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type {
  Browser,
  MerchantReady,
  MerchantSetup,
  PlainPorts,
  SeedOrder,
  ServiceSetup,
  Span,
  ToMerchant,
  ToService,
} from './messages.ts'

/** A service and a merchant's server in front of it. */
export interface Shop {
  /** Where the merchant's server listens. */
  readonly port: number
  /** How long its code took to load, in ms. */
  readonly loadMs: number
  service<Answer>(message: ToService): Promise<Answer>
  merchant<Answer>(message: ToMerchant): Promise<Answer>
  /** Ends the merchant's server as a crash does. */
  stop(): Promise<void>
  /** Starts it again on the same file. */
  start(): Promise<Shop>
  /** Starts the servers that it is measured beside. */
  plain(): Promise<PlainPorts>
}

/** How both behave. */
export interface ShopSetup extends ServiceSetup {
  readonly requestsPerSecond: number
  readonly equalPrices: boolean
}

/** A service that takes 50 ms, sets no limit, and shows times that prove whose an order is. */
export const usual: ShopSetup = {
  latencyMs: 50,
  perSecond: null,
  provesByTime: true,
  requestsPerSecond: 50,
  equalPrices: false,
}

/** The time in which open orders were created, while their quotes still run. */
const lastQuarter: Span = { fromAgoMs: 15 * 60_000, toAgoMs: 0 }

/** Starts both, and ends both with their files after the work. Then says on the error output how long that took. */
export async function inShop(name: string, setup: ShopSetup, work: (shop: Shop) => Promise<void>): Promise<void> {
  const beganAt = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-bench-'))
  const children = new Set<ChildProcess>()
  const begin = (file: string, options: object) => {
    const child = fork(fileURLToPath(new URL(file, import.meta.url)), [JSON.stringify(options)])
    children.add(child)
    return child
  }
  const end = async (child: ChildProcess) => {
    children.delete(child)
    child.disconnect()
    await once(child, 'exit')
  }
  const service = begin('service.ts', setup)
  const { requestsPerSecond, equalPrices } = setup
  const access = await said<Pick<MerchantSetup, 'baseUrl' | 'accessToken' | 'subAccountId'>>(service)
  const merchantSetup = { ...access, requestsPerSecond, equalPrices, storePath: join(folder, 'store.sqlite') }

  async function open(): Promise<Shop> {
    const merchant = begin('merchant.ts', merchantSetup)
    return {
      ...(await said<MerchantReady>(merchant)),
      service: asking(service),
      merchant: asking(merchant),
      stop: () => end(merchant),
      start: open,
      plain: () => said<PlainPorts>(begin('plain.ts', merchantSetup)),
    }
  }

  try {
    await work(await open())
  } finally {
    await Promise.all([...children].map(end))
    rmSync(folder, { recursive: true })
    console.error(`  ${name}: ${((performance.now() - beganAt) / 1_000).toFixed(0)} s`)
  }
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

async function said<Answer>(child: ChildProcess): Promise<Answer> {
  const [answer] = await once(child, 'message')
  return answer as Answer
}

/** One message after the other, so that each answer is that of its question. */
function asking<Message extends object>(child: ChildProcess) {
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
