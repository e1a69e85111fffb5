/** Payers of a server that dies again and again. They repeat requests, pay and look. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Checkout, type KeyedCheckout, keyHeader } from '../../../src/contract/checkout.ts'
import { parseCheckout, parseKeyedCheckout } from '../../../src/contract/parsers.ts'
import type { RandomStream } from '../world/random.ts'
import { isLinked, linked } from './offer.ts'
import { createPlainPages, type Patiently, type PlainPage } from './plain-payers.ts'
import type { SurvivingWorld } from './world.ts'

/** The payers, and what they were shown. */
export interface Payers {
  /** Lets no more payers come, and resolves when the last one has left. */
  stop(): Promise<void>
  /** Every answer that showed a browser where to pay. */
  readonly shown: readonly KeyedCheckout[]
  /** Ids of the checkouts that were paid. */
  readonly paid: ReadonlySet<string>
  /** Reads a checkout, with many requests if necessary. Undefined if the time is over. */
  read(checkout: KeyedCheckout, patienceMs: number): Promise<Checkout | undefined>
  /** Number of carts that a page without scripts asked money for. */
  plain(): number
  /** Number of requests that were not answered with a checkout. */
  unanswered(): number
}

/** Starts letting payers come. @param size - Number of payers at the same time. */
export function startPayers(
  world: SurvivingWorld,
  url: () => string | undefined,
  random: RandomStream,
  size: number,
): Payers {
  const all: KeyedCheckout[] = []
  const paid = new Set<string>()
  let coming = true
  let carts = 0
  let plain = 0
  let unanswered = 0

  const patiently: Patiently = async (attempt, patienceMs = 120_000) => {
    const giveUpAtMs = Date.now() + patienceMs
    while (Date.now() < giveUpAtMs) {
      const result = await attempt()
      if (result !== undefined) return result
      unanswered += 1
      await sleep(random.between(50, 250))
    }
    return undefined
  }

  const ask = createAsk(url, patiently)
  const plainPages = createPlainPages(url, patiently)

  const open = (reference: string, cookie = '') =>
    ask(
      '/checkouts',
      { method: 'POST', headers: { 'content-type': 'application/json', cookie }, body: JSON.stringify({ reference }) },
      parseKeyedCheckout,
    )
  const read = ({ id, key }: KeyedCheckout, patienceMs?: number) =>
    ask(`/checkouts/${id}`, { headers: { [keyHeader]: key } }, parseCheckout, patienceMs)

  async function visit(reference: string): Promise<void> {
    const tabs = random.chance(0.3) ? 2 : 1
    const opened = await Promise.all(Array.from({ length: tabs }, () => open(reference)))
    const shown = opened.filter((each) => each !== undefined)
    all.push(...shown)
    const [first] = shown
    if (!first || random.chance(0.1)) return
    await sleep(random.between(0, 400))
    if (random.chance(0.3)) {
      const again = await open(reference)
      if (again) all.push(again)
    }
    world.sandbox.payer.deposit({ address: first.address, tag: first.tag, amount: first.amount })
    paid.add(first.id)
    // Some payers close the page as soon as they have paid.
    const looks = random.chance(0.3) ? 0 : 20
    for (let look = 0; look < looks && coming; look++) {
      const checkout = await read(first)
      if (checkout?.phase === 'paid') return
      await sleep(random.between(200, 800))
    }
  }

  /** What the page shows, with the key that only a script gets. */
  async function noteDrawn(reference: string, page: PlainPage): Promise<KeyedCheckout | undefined> {
    const { amount = '', address = '', tag } = page.shown
    const keyed = await open(reference, page.cookie)
    const drawn = keyed && { ...keyed, amount, address, tag }
    if (drawn) all.push(drawn)
    return drawn
  }

  async function visitPage(reference: string): Promise<void> {
    const page = await plainPages.open(reference, isLinked(reference))
    const first = page && (await noteDrawn(reference, page))
    if (!first) return
    plain += 1
    if (random.chance(0.1)) return
    if (random.chance(0.5)) {
      await Promise.all([page.pressAgain(), page.pressAgain()])
      const shown = await page.reload()
      if (shown?.view === 'waiting') await noteDrawn(reference, { ...page, shown })
    }
    world.sandbox.payer.deposit({ address: first.address, tag: first.tag, amount: first.amount })
    paid.add(first.id)
    const looks = random.chance(0.3) ? 0 : 20
    for (let look = 0; look < looks && coming; look++) {
      if ((await page.reload())?.view === 'paid') return
      await sleep(random.between(400, 1_200))
    }
  }

  async function keepComing(): Promise<void> {
    while (coming) {
      carts += 1
      if (random.chance(0.3)) await visitPage(`${random.pick(['cart', linked])}-${carts}`)
      else await visit(`cart-${carts}`)
      await sleep(random.between(0, 500))
    }
  }

  const gone = Promise.all(Array.from({ length: size }, keepComing))
  return {
    shown: all,
    paid,
    read,
    plain: () => plain,
    unanswered: () => unanswered,
    stop: async () => {
      coming = false
      await gone
    },
  }
}

/** Returns a function that repeats a request until it gets a checkout. */
function createAsk(url: () => string | undefined, patiently: Patiently) {
  return <Answer>(path: string, init: RequestInit, parse: (json: unknown) => Answer, patienceMs?: number) =>
    patiently(async () => {
      const base = url()
      if (base === undefined) return undefined
      return fetch(`${base}${path}`, { ...init, signal: AbortSignal.timeout(30_000) })
        .then(async (response) => (response.ok ? parse(await response.json()) : undefined))
        .catch(() => undefined)
    }, patienceMs)
}
