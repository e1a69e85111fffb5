/**
 * Lives through small worlds of equal creations, with real servers over the sandbox in virtual
 * time. For tests only.
 */

import { type KeyedCheckout, keyHeader } from '../../contract/checkout.ts'
import type { PaywindowError } from '../../contract/errors.ts'
import type { JsonRecord } from '../../contract/parse.ts'
import { parseKeyedCheckout } from '../../contract/parsers.ts'
import { type Sandbox, type SandboxOptions, type SandboxOrder, seededRandom } from '../../sandbox/index.ts'
import { storeNoting } from '../../testing/store-around.testing.ts'
import type { CheckoutRecord } from '../core/types.ts'
import type { StatusEvent } from '../options.ts'
import { checkoutKind } from '../records/record-kinds.ts'
import { createTestShop, type TestShop } from '../shop.testing.ts'
import { createMemoryStore } from '../store/memory.ts'
import type { NewRecord, Store } from '../store/store.ts'
import { mute } from './binding.testing.ts'
import { type Fate, fates, moreAfterMs } from './fates.testing.ts'
import type { Order, Request } from './knowable.testing.ts'

/**
 * The times that the service shows: to the second, to the microsecond, or the latter in its answer,
 * too.
 */
export const services = ['seconds', 'microseconds', 'date_time'] as const

/** What happens in one small world. */
export interface Scenario {
  readonly service: (typeof services)[number]
  /** Equal carts: when each is opened, and on which server. */
  readonly carts: readonly { readonly atMs: number; readonly server: 0 | 1 }[]
  /**
   * The fates of the creation requests, in the order of their arrival; further requests are
   * answered.
   */
  readonly fates: readonly Fate[]
  /** When somebody else makes an equal order. */
  readonly foreignAtMs: readonly number[]
  /**
   * After how long the list shows the orders, in the order in which they were made; those to come
   * at once.
   */
  readonly delaysMs: readonly number[]
  /** How old a list of the store is when it comes. */
  readonly listAgeMs: number
  /** `shown`: each order that a payer was shown, `others`: every other one. */
  readonly paid: 'nothing' | 'shown' | 'others'
  /** How long after the last of the carts had its panel. */
  readonly payAfterMs: number
  /**
   * How often payers' browsers ask, until the list has shown their orders; null: they are closed at
   * once.
   */
  readonly pollMs: number | null
  /** Draws ids, and with them the times at which the watcher looks at each. */
  readonly seed: number
}

/** What there was to see of a world, when all was over. */
export interface Course {
  readonly requests: readonly Request[]
  readonly orders: readonly Order[]
  /** Checkouts as they were left. */
  readonly checkouts: ReadonlyMap<string, CheckoutRecord>
  /** Of which checkouts `order_unresolved` was reported. */
  readonly unresolved: ReadonlySet<string>
  /** Which checkouts were reported to the merchant as paid. */
  readonly reportedPaid: ReadonlySet<string>
  /** What was wrong on the way, in words. */
  readonly wrongs: readonly string[]
}

/** Orders of somebody else may come before the first cart. */
const leadMs = 5_000
const pollForMs = 80_000
/** So long after the last of it every order is listed, and was looked for again. */
const watchMs = 90_000
/** By then every quote is over, and every checkout was looked at since. */
const roundsAfter = 13
const roundMs = 120_000
const cart = { sourceAsset: 'BTC', network: 'bitcoin', targetAsset: 'USD', targetAmount: '49.90' }

/** Lives through a scenario to its end. */
export async function live(world: Scenario): Promise<Course> {
  const requests = new Map<string, Omit<Request, 'checkoutId' | 'ownId' | 'dateMs'>>()
  const checkouts = new Map<string, CheckoutRecord>()
  const unresolved = new Set<string>()
  const reportedPaid = new Set<string>()
  const wrongs: string[] = []
  const more: Promise<unknown>[] = []
  let made = 0
  let arrived = 0

  const random = seededRandom(world.seed)
  const pause = () => shop.clock.sleep(world.listAgeMs)
  const store = watched(
    createMemoryStore(() => shop.clock.now()),
    pause,
    (checkout) => {
      checkouts.set(checkout.id, checkout)
      const wrong = wrongOf(checkout, shop.sandbox.orders())
      if (wrong !== null) wrongs.push(`${checkout.reference} ${wrong}`)
    },
  )
  const options = () => {
    const listed = new Map<string, number>()
    return {
      store,
      randomBytes: (length: number) => Uint8Array.from({ length }, () => Math.floor(random() * 256)),
      changeAnswer: (json: JsonRecord, sentAtMs: number) => {
        const { clock } = shop
        if (json.created_at === undefined) {
          const listedBefore = new Set([...listed].filter(([, atMs]) => atMs <= sentAtMs).map(([id]) => id))
          const dateTime = typeof json.date_time === 'string' ? json.date_time : null
          const askedAtMs = sentAtMs - world.listAgeMs
          const answeredAtMs = clock.now()
          const storedAtMs = answeredAtMs + world.listAgeMs
          const answer = { sentAtMs, askedAtMs, answeredAtMs, storedAtMs, dateTime, listedBefore }
          requests.set(String(json.wallet_address), answer)
          return json
        }
        listed.set(String(json.id), listed.get(String(json.id)) ?? clock.now())
        return { ...json, created_at: shown(json.created_at, world), valid_until: shown(json.valid_until, world) }
      },
      onError: ({ code, message }: PaywindowError, { checkoutId = '' }: { readonly checkoutId?: string }) => {
        if (code === 'order_unresolved') unresolved.add(checkoutId)
        if (code === 'internal') wrongs.push(message)
      },
      onStatusChange: ({ checkout, phase }: StatusEvent) => {
        if (phase === 'paid') reportedPaid.add(checkout.id)
      },
    }
  }
  const sandbox: SandboxOptions = {
    ...(world.service === 'date_time' ? {} : mute),
    appearAfterMs: () => world.delaysMs[made++] ?? 0,
    faults: ({ method }) => {
      if (method !== 'POST') return undefined
      const fate = world.fates[arrived++] ?? 'answered'
      const afterMs = moreAfterMs[fate]
      if (afterMs !== undefined) more.push(shop.clock.sleep(afterMs).then(() => shop.sandbox.addOrder(cart)))
      return fates[fate]
    },
  }
  // Its clock is the one that the leases of the store run by.
  const shop: TestShop = createTestShop({ ...options(), sandbox })
  const servers = [shop, createTestShop({ ...options(), beside: { shop, store } })] as const

  const startMs = shop.clock.now() + leadMs
  const at = (ms: number) => shop.clock.sleep(startMs + ms - shop.clock.now())
  const polling: Promise<void>[] = []
  const visit = async (place: number, atMs: number, server: TestShop) => {
    await at(atMs)
    const checkout = await open(server, `cart ${place}`)
    if (world.pollMs !== null) polling.push(poll(server, checkout, world.pollMs))
  }
  const happening = Promise.all([
    ...world.carts.map(({ atMs, server }, place) => visit(place, atMs, servers[server])),
    ...world.foreignAtMs.map((atMs) => at(atMs).then(() => shop.sandbox.addOrder(cart))),
  ])
  const pay = async () => {
    await happening
    await shop.clock.sleep(world.payAfterMs)
    payIn(world, shop.sandbox, new Set(requests.keys()))
  }
  await shop.clock.run(
    Promise.all([watchUntil(happening, servers), pay()]).then(() => Promise.all([...polling, ...more])),
  )
  return {
    requests: [...checkouts.values()].flatMap((checkout) => {
      const own = ownOf(checkout, shop.sandbox.orders())
      const request = requests.get(own?.address ?? '')
      const dateMs = Math.floor((own?.createdAtMs ?? 0) / 1_000) * 1_000
      return own && request ? [{ ...request, dateMs, checkoutId: checkout.id, ownId: own.id }] : []
    }),
    orders: shop.sandbox.orders().map(({ id, createdAt }) => ({ id, createdAt: String(shown(createdAt, world)) })),
    checkouts,
    unresolved,
    reportedPaid,
    wrongs,
  }
}

/** A time as the service of this world shows it. */
function shown(time: unknown, { service }: Scenario): unknown {
  return service === 'seconds' ? String(time).replace(/\.\d+/, '') : time
}

function ownOf({ instructions }: CheckoutRecord, orders: readonly SandboxOrder[]): SandboxOrder | undefined {
  return orders.find(({ address }) => instructions !== null && address === instructions.address)
}

/** What is wrong with a checkout as it is written, whatever comes after. */
function wrongOf(checkout: CheckoutRecord, orders: readonly SandboxOrder[]): string | null {
  const { binding, status } = checkout
  const own = ownOf(checkout, orders)
  // Of which of several paid orders a payment is told makes no difference to anybody.
  const isFree = binding === null || binding.isProvisional || binding.evidence === 'all_paid'
  if (!isFree && binding.orderId !== own?.id) return `is bound to another's order by ${binding.evidence}`
  return status !== 'open' && status !== own?.status ? `is ${status}, and its order is ${own?.status}` : null
}

/**
 * Tells of each checkout that is written. Lists are on their way for a while, and records may have
 * changed when they come.
 */
function watched(store: Store, pause: () => Promise<void>, onWrite: (checkout: CheckoutRecord) => void): Store {
  const tell = (record: NewRecord) => {
    if (record.key.startsWith('checkout ')) onWrite(checkoutKind.parse(record))
  }
  return {
    ...storeNoting(store, tell),
    list: async (label, options) => {
      const records = await store.list(label, options)
      await pause()
      return records
    },
  }
}

/**
 * Both servers watch all the time, and one of them then in rounds, which is faster where little
 * happens.
 */
async function watchUntil(happened: Promise<unknown>, servers: readonly [TestShop, TestShop]): Promise<void> {
  const [{ clock, paywindow }] = servers
  const watching = servers.map((server) => server.paywindow.watch())
  await happened
  await clock.sleep(watchMs)
  await Promise.all(watching.map((each) => each.stop()))
  for (let round = 0; round < roundsAfter; round++) {
    await clock.sleep(roundMs)
    await paywindow.watchOnce()
  }
}

/** Asks for a panel as a browser does, until there is one. */
async function open({ paywindow, clock }: TestShop, reference: string): Promise<KeyedCheckout> {
  for (;;) {
    const request = new Request('https://shop.example/paywindow/checkouts', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reference }),
    })
    const answer = await paywindow.fetch(request)
    if (answer.ok) return parseKeyedCheckout(await answer.json())
    await clock.sleep(5_000)
  }
}

async function poll({ paywindow, clock }: TestShop, { id, key }: KeyedCheckout, everyMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < pollForMs; passedMs += everyMs) {
    await clock.sleep(everyMs)
    const url = `https://shop.example/paywindow/checkouts/${id}`
    await paywindow.fetch(new Request(url, { headers: { [keyHeader]: key } }))
  }
}

function payIn({ paid }: Scenario, { orders, payer }: Sandbox, shown: ReadonlySet<string>): void {
  if (paid === 'nothing') return
  for (const { id, address, sourceAmount } of orders()) {
    if (address === null || shown.has(address) !== (paid === 'shown')) continue
    payer.deposit({ address, amount: sourceAmount })
    payer.confirm(id)
  }
}
