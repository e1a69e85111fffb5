/** The carts of a segment and the people in front of them. */
import { canonicalDecimal } from '../../src/contract/decimal.ts'
import type { Method } from '../../src/server/offers.ts'
import type { Clerk } from './clerk.ts'
import type { DevicePlan } from './device.ts'
import { createDice, type Dice } from './dice.ts'
import type { Link } from './link.ts'
import { play, stories } from './stories.ts'
import { openTab, type Tab } from './tab.ts'
import type { Cart, World } from './world.ts'

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

/** Lets all payers of the segment come, each at the own time. Resolves when the last has left. */
export async function runCrowd(world: World, link: Link, clerk: Clerk): Promise<void> {
  const { plan, time, carts } = world
  const dice = createDice(plan.seed, 'carts')
  const visits: Promise<void>[] = []
  let model: { cart: Cart; atMs: number } | undefined
  for (let number = 0; number < plan.carts; number++) {
    const equal = model !== undefined && dice.chance(plan.equalShare)
    const cart = drawCart(`cart-${plan.number}-${number}`, dice, equal ? model?.cart : undefined)
    const atMs = equal && model ? model.atMs + dice.pick([0, 0, 3, 400, 2_500]) : dice.between(0, plan.spanMs)
    model = { cart, atMs }
    carts.set(cart.reference, cart)
    visits.push(time.sleep(atMs).then(() => visit(world, link, clerk, cart)))
  }
  await Promise.all(visits)
}

function drawCart(reference: string, dice: Dice, model: Cart | undefined): Cart {
  const count = dice.pick([1, 1, 2, 3])
  const first = dice.between(0, methods.length - 1)
  const own = Array.from({ length: count }, (_, at) => methods[(first + at) % methods.length]).filter(
    (method) => method !== undefined,
  )
  const amount = dice.chance(0.3)
    ? dice.pick(commonAmounts)
    : canonicalDecimal(`${dice.between(1, 900)}.${dice.between(0, 99)}`)
  const price = { asset: dice.pick(['USD', 'USD', 'EUR', 'BRL']), amount }
  return { reference, prices: [model?.prices[0] ?? price], methods: model?.methods ?? own }
}

async function visit(world: World, link: Link, clerk: Clerk, cart: Cart): Promise<void> {
  const { plan, time, findings } = world
  const dice = createDice(plan.seed, `payer of ${cart.reference}`)
  const story = dice.weighted(stories)
  const open = (name: string, from?: URL) => {
    const tab = openTab(world, link, cart, drawDevice(dice, plan.weather), `${cart.reference} ${name}`, from)
    tabs.push(tab)
    findings.count('tabs')
    return tab
  }
  const tabs: Tab[] = []
  const first = open('first')
  const more = story === 'bothMethods' || story === 'renewedTwice' ? 1 : dice.pick([0, 0, 0, 1, 2])
  const others: Tab[] = []
  for (let count = 0; count < more; count++) {
    await time.sleep(dice.pick([0, 0, 30, 900, 6_000]))
    const tab = open(`other ${count}`)
    others.push(tab)
    void wander(world, tab, cart, createDice(plan.seed, `wanderer ${cart.reference} ${count}`), (from) =>
      open(`phone ${count}`, from),
    )
  }
  findings.count(`story ${story}`)
  await play(story, { world, clerk, dice, cart, tabs: [first, ...others], reopen: () => open('again') })
  if (dice.chance(0.1)) await goOn(first, (from) => open('phone', from))
  await time.sleep(dice.between(0, 30_000))
  for (const tab of tabs) tab.close()
}

/** A second tab or device: somebody looks, chooses, goes back, renews, and pays nothing. */
async function wander(world: World, tab: Tab, cart: Cart, dice: Dice, open: (from: URL) => Tab): Promise<void> {
  const stops = dice.between(1, 5)
  for (let stop = 0; stop < stops && !tab.closed; stop++) {
    await world.time.sleep(dice.between(500, 120_000))
    if (tab.closed) return
    const view = tab.look()
    if (view.kind === 'choosing') tab.choose(dice.pick(cart.methods))
    else if (view.kind === 'expired') tab.renew()
    else if (view.kind === 'refused') tab.retry()
    else if (view.kind === 'waiting' && cart.methods.length > 1 && dice.chance(0.4)) tab.change()
    else if (dice.chance(0.2)) await goOn(tab, open)
  }
}

/** Looks at the payment on another device. */
async function goOn(tab: Tab, open: (from: URL) => Tab): Promise<void> {
  const from = await tab.handover()
  if (from && !tab.closed) open(from)
}

function drawDevice(dice: Dice, weather: number): DevicePlan {
  const stopsInSleep = dice.chance(0.5)
  const naps = Array.from({ length: dice.chance(0.2 * weather) ? dice.between(1, 3) : 0 }, () => ({
    atMs: dice.pick([dice.between(1, 60), dice.between(60, 1_200)]) * 1_000,
    forMs: dice.pick([5_000, 45_000, 600_000, 3_600_000]),
    kind: dice.pick(['asleep', 'offline', 'hidden'] as const),
  }))
  const jumps = dice.chance(stopsInSleep ? 0 : 0.15 * weather)
    ? [
        {
          atMs: dice.pick([dice.between(1, 60), dice.between(60, 1_200)]) * 1_000,
          byMs: dice.pick([-7_200_000, -900_000, -3_000, 3_000, 900_000, 7_200_000]),
        },
      ]
    : []
  return {
    wallOffsetMs: dice.chance(0.2) ? dice.pick([-86_400_000, -3_600_000, -5_000, 5_000, 3_600_000]) : 0,
    stopsInSleep,
    naps,
    jumps,
    opensHidden: dice.chance(0.1),
  }
}
