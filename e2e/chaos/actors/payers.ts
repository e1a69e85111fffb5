/** The carts of a segment and their payers. */
import { canonicalDecimal } from '../../../src/contract/decimal.ts'
import type { Method } from '../../../src/server/offers.ts'
import type { DevicePlan } from '../world/device.ts'
import { createRandomStream, type RandomStream } from '../world/random.ts'
import type { Cart, Link, World } from '../world/types.ts'
import type { Operator } from './operator.ts'
import { play, stories } from './payer-stories.ts'
import { openTab, type Tab } from './tab.ts'

const methods: readonly Method[] = [
  { asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' },
  { asset: 'ETH', network: 'erc-20', name: 'Ether' },
  { asset: 'USDC', network: 'erc-20', name: 'USD Coin' },
  { asset: 'USDT', network: 'trc-20', name: 'Tether' },
  { asset: 'LTC', network: 'litecoin', name: 'Litecoin' },
  { asset: 'XRP', network: 'ripple', name: 'XRP' },
  { asset: 'XLM', network: 'stellar', name: 'Stellar Lumens' },
]
const commonAmounts = ['20', '49.9', '100']

/** Lets the segment's payers come. Resolves when the last one has left. */
export async function runPayers(world: World, link: Link, operator: Operator): Promise<void> {
  const { plan, time, carts } = world
  const random = createRandomStream(plan.seed, 'carts')
  const visits: Promise<void>[] = []
  let model: { cart: Cart; atMs: number } | undefined
  for (let number = 0; number < plan.carts; number++) {
    const equal = model !== undefined && random.chance(plan.equalShare)
    const cart = drawCart(`cart-${plan.number}-${number}`, random, equal ? model?.cart : undefined)
    const atMs = equal && model ? model.atMs + random.pick([0, 0, 3, 400, 2_500]) : random.between(0, plan.spanMs)
    model = { cart, atMs }
    carts.set(cart.reference, cart)
    visits.push(time.sleep(atMs).then(() => visit(world, link, operator, cart)))
  }
  await Promise.all(visits)
}

/** Draws a cart. @param model - Has the price and methods of it, too. */
export function drawCart(reference: string, random: RandomStream, model?: Cart): Cart {
  const count = random.pick([1, 1, 2, 3])
  const first = random.between(0, methods.length - 1)
  const own = Array.from({ length: count }, (_, at) => methods[(first + at) % methods.length]).filter(
    (method) => method !== undefined,
  )
  const amount = random.chance(0.3)
    ? random.pick(commonAmounts)
    : canonicalDecimal(`${random.between(1, 900)}.${random.between(0, 99)}`)
  const price = { asset: random.pick(['USD', 'USD', 'EUR', 'BRL']), amount }
  return { reference, prices: [model?.prices[0] ?? price], methods: model?.methods ?? own }
}

async function visit(world: World, link: Link, operator: Operator, cart: Cart): Promise<void> {
  const { plan, time, findings } = world
  const random = createRandomStream(plan.seed, `payer of ${cart.reference}`)
  const story = random.weighted(stories)
  const open = (name: string, from?: URL) => {
    const tab = openTab(world, link, cart, drawDevice(random, plan.faultLevel), `${cart.reference} ${name}`, from)
    tabs.push(tab)
    findings.count('tabs')
    return tab
  }
  const tabs: Tab[] = []
  const first = open('first')
  const more = story === 'bothMethods' || story === 'renewedTwice' ? 1 : random.pick([0, 0, 0, 1, 2])
  const others: Tab[] = []
  for (let count = 0; count < more; count++) {
    await time.sleep(random.pick([0, 0, 30, 900, 6_000]))
    const tab = open(`other ${count}`)
    others.push(tab)
    void wander(world, tab, cart, createRandomStream(plan.seed, `wanderer ${cart.reference} ${count}`), (from) =>
      open(`phone ${count}`, from),
    )
  }
  if (story !== 'cheaper' && world.faults.strikes('merchant: price moves with each call')) {
    cart.moves = true
    for (let reload = 0; reload < 3; reload++) {
      await time.sleep(random.between(2, 20) * 1_000)
      open(`reload ${reload}`)
    }
  }
  await play(story, { world, operator, random, cart, tabs: [first, ...others], reopen: () => open('again') })
  if (random.chance(0.1)) await goOn(first, (from) => open('phone', from))
  await time.sleep(random.between(0, 30_000))
  for (const tab of tabs) tab.close()
}

/** Plays a second tab or device, whose user does many things but never pays. */
async function wander(
  world: World,
  tab: Tab,
  cart: Cart,
  random: RandomStream,
  open: (from: URL) => Tab,
): Promise<void> {
  const stops = random.between(1, 5)
  for (let stop = 0; stop < stops && !tab.closed; stop++) {
    await world.time.sleep(random.between(500, 120_000))
    if (tab.closed) return
    const view = tab.look()
    if (view.kind === 'choosing') tab.choose(random.pick(cart.methods))
    else if (view.kind === 'expired') tab.renew()
    else if (view.kind === 'refused') tab.retry()
    else if (view.kind === 'waiting' && cart.methods.length > 1 && random.chance(0.4)) tab.change()
    else if (random.chance(0.2)) await goOn(tab, open)
  }
}

/** Opens the checkout on another device. */
async function goOn(tab: Tab, open: (from: URL) => Tab): Promise<void> {
  const from = await tab.handover()
  if (from && !tab.closed) open(from)
}

function drawDevice(random: RandomStream, faultLevel: number): DevicePlan {
  const stopsInSleep = random.chance(0.5)
  const naps = Array.from({ length: random.chance(0.2 * faultLevel) ? random.between(1, 3) : 0 }, () => ({
    atMs: random.pick([random.between(1, 60), random.between(60, 1_200)]) * 1_000,
    forMs: random.pick([5_000, 45_000, 600_000, 3_600_000]),
    kind: random.pick(['asleep', 'offline', 'hidden'] as const),
  }))
  const jumps = random.chance(stopsInSleep ? 0 : 0.15 * faultLevel)
    ? [
        {
          atMs: random.pick([random.between(1, 60), random.between(60, 1_200)]) * 1_000,
          byMs: random.pick([-7_200_000, -900_000, -3_000, 3_000, 900_000, 7_200_000]),
        },
      ]
    : []
  return {
    wallOffsetMs: random.chance(0.2) ? random.pick([-86_400_000, -3_600_000, -5_000, 5_000, 3_600_000]) : 0,
    stopsInSleep,
    naps,
    jumps,
    opensHidden: random.chance(0.1),
  }
}
