/** What payers do: each plays a short story in a cart's tabs, and sends what the screen says. */
import type { View } from '../../../src/checkout/view.ts'
import type { Checkout } from '../../../src/contract/checkout.ts'
import { formatAtomic, toAtomic } from '../../../src/contract/decimal.ts'
import type { RandomStream } from '../world/random.ts'
import type { Cart, World } from '../world/types.ts'
import type { Operator } from './operator.ts'
import type { Tab } from './tab.ts'

/** The stories and their weights, which add up to about a hundred. */
export const stories = {
  exact: 40,
  topUp: 7,
  more: 6,
  otherAsset: 4,
  late: 7,
  never: 10,
  twice: 8,
  bothMethods: 4,
  canceled: 3,
  renewedTwice: 6,
  cheaper: 7,
} as const

/** Names of the stories. */
export type Story = keyof typeof stories

/** One payer, with everything needed to act. */
export interface Payer {
  readonly world: World
  readonly operator: Operator
  readonly random: RandomStream
  readonly cart: Cart
  /** The payer pays in the first one. */
  readonly tabs: readonly [Tab, ...Tab[]]
  /** Opens the shop again, as a reload does. */
  reopen(): Tab
}

const isPayable = (view: View) => view.kind === 'waiting'
const isExpired = (view: View) => view.kind === 'expired'
const isOver = (view: View) => ['paid', 'ended', 'settledElsewhere', 'refused'].includes(view.kind)
const minutes = (count: number) => count * 60_000

/** Plays a story to its end. What follows from it at the service may take longer. */
export async function play(story: Story, payer: Payer): Promise<void> {
  const { tabs, random, world } = payer
  const [tab] = tabs
  const first = await payable(payer, tab)
  if (!first) return
  switch (story) {
    case 'exact':
      await think(payer)
      await payShown(payer, tab, 'exact')
      await tab.until(isOver, minutes(6))
      return buyAgain(payer)
    case 'more':
      await think(payer)
      await payShown(payer, tab, 'more')
      return void (await tab.until(isOver, minutes(5)))
    case 'topUp':
      return topUp(payer, tab)
    case 'otherAsset':
      await think(payer)
      send(payer, first, otherAssetOf(first))
      await tab.until(isOver, minutes(6))
      return void (await pay(payer, tab, 'exact'))
    case 'late': {
      await tab.until(isExpired, minutes(22))
      await world.time.sleep(random.between(0, 900) * 1_000)
      send(payer, first, {})
      return void (await tab.until(isOver, minutes(5)))
    }
    case 'never':
      return world.time.sleep(random.between(5, 1_400) * 1_000)
    case 'twice': {
      await tab.until(isExpired, minutes(22))
      await pay(payer, tab, 'exact')
      await world.time.sleep(random.between(0, 200) * 1_000)
      send(payer, first, {}, 'accept')
      return void (await tab.until(isOver, minutes(4)))
    }
    case 'bothMethods':
      return bothMethods(payer, first)
    case 'canceled':
      return canceled(payer, first)
    case 'renewedTwice': {
      await tab.until(isExpired, minutes(22))
      for (const each of tabs) if (each.look().kind === 'expired') each.renew()
      if (random.chance(0.5)) tab.renew()
      return void (await pay(payer, tab, 'exact'))
    }
    case 'cheaper':
      return cheaper(payer)
  }
}

/** Once it is paid, some shops name another purchase by the same reference, which costs more. */
async function buyAgain({ world, cart, tabs: [tab], reopen }: Payer): Promise<void> {
  const { time, faults, findings, ledger } = world
  const price = cart.prices.at(-1)
  if (!price || cart.moves || tab.closed || tab.look().kind !== 'paid') return
  if (!faults.strikes('merchant: reference used again')) return
  cart.prices.push({ ...price, amount: String(2 * Number(price.amount.split('.')[0]) + 5) })
  cart.usedAgainSinceMs = time.nowMs()
  const again = reopen()
  await again.until(isOver, minutes(3))
  if (again.look().kind === 'refused' && !ledger.heardUsedAgain(cart.reference))
    findings.violate('paid at another price', `nobody was told that ${cart.reference} is used again`)
}

/** Opens the other method in a second tab, and pays both. */
async function bothMethods(payer: Payer, first: Checkout): Promise<void> {
  const [tab, second = tab] = payer.tabs
  const other = payer.cart.methods.find(({ asset }) => asset !== first.asset.symbol)
  if (other) second.choose(other)
  const shown = await second.until((view) => view.kind === 'waiting' && view.checkout.id !== first.id, minutes(1))
  send(payer, first, {})
  if (shown && 'checkout' in shown && shown.checkout.id !== first.id) send(payer, shown.checkout, {})
  await tab.until(isOver, minutes(5))
}

/** The service cancels the order; its payer takes a new quote. */
async function canceled(payer: Payer, first: Checkout): Promise<void> {
  const [tab] = payer.tabs
  await think(payer)
  const order = payer.world.oracle.at(first.address, first.tag)
  if (order) payer.operator.cancel(order.id)
  await tab.until((view) => view.kind === 'ended', minutes(2))
  tab.renew()
  await pay(payer, tab, 'exact')
}

/** The cart changes while its old price is on a screen. */
async function cheaper(payer: Payer): Promise<void> {
  const { random, world, cart } = payer
  await world.time.sleep(random.between(1, 90) * 1_000)
  const price = cart.prices.at(-1)
  if (!price) return
  cart.prices.push({ ...price, amount: String(Number(price.amount.split('.')[0]) + cart.prices.length) })
  await world.time.sleep(random.between(0, 4_000))
  await pay(payer, payer.reopen(), 'exact')
}

async function topUp(payer: Payer, tab: Tab): Promise<void> {
  const { random, world } = payer
  await think(payer)
  const shown = await payShown(payer, tab, 'less')
  if (!shown) return
  await world.time.sleep(random.between(20, 400) * 1_000)
  if (random.chance(0.8)) {
    const order = world.oracle.at(shown.address, shown.tag)?.now()
    if (order?.workflow !== 'top_up') return
    const { sourceAmount, received, sourceDecimals } = order
    const missing = toAtomic(sourceAmount, sourceDecimals) - toAtomic(received, sourceDecimals)
    send(payer, shown, { amount: formatAtomic(missing, sourceDecimals) })
  }
  await tab.until(isOver, minutes(6))
}

/** Waits for a screen that can be paid, with a new quote if the old one has expired, and pays. */
async function pay(payer: Payer, tab: Tab, how: 'exact' | 'less' | 'more'): Promise<void> {
  if (!(await payable(payer, tab))) return
  await payer.world.time.sleep(payer.random.between(2, 60) * 1_000)
  await payShown(payer, tab, how)
  await tab.until(isOver, minutes(5))
}

/** Waits for a screen that asks for money: chooses a method, renews the quote or retries. */
async function payable({ random, cart, world }: Payer, tab: Tab): Promise<Checkout | undefined> {
  for (let tries = 0; tries < 8; tries++) {
    const view = await tab.until((each) => each.kind !== 'preparing' && each.kind !== 'unreachable', minutes(4))
    switch (view?.kind) {
      case 'waiting':
        return view.checkout
      case 'choosing':
        tab.choose(random.pick(cart.methods))
        break
      case 'expired':
        tab.renew()
        break
      case 'refused':
        await world.time.sleep(20_000)
        tab.retry()
        break
      default:
        return undefined
    }
    await tab.until(isPayable, 45_000)
  }
  return undefined
}

/** Waits as payers do before they pay: most pay soon, some only after a long time. */
function think({ random, world }: Payer): Promise<void> {
  return world.time.sleep(random.chance(0.8) ? random.between(2, 90) * 1_000 : random.between(90, 1_190) * 1_000)
}

/** Pays what is on the screen, if it still asks for money. */
async function payShown(payer: Payer, tab: Tab, how: 'exact' | 'less' | 'more'): Promise<Checkout | undefined> {
  const view = tab.look()
  if (view.kind === 'expired') return void tab.renew()
  if (view.kind !== 'waiting' || tab.closed) return undefined
  const { checkout } = view
  // A transfer takes a while, so it may arrive after the quote has ended.
  await payer.world.time.sleep(payer.random.between(0, 20) * 1_000)
  const decimals = checkout.amount.split('.')[1]?.length ?? 0
  const atomic = toAtomic(checkout.amount, decimals)
  const share = { exact: atomic, less: atomic / 2n || 1n, more: atomic * 2n }[how]
  send(payer, checkout, { amount: formatAtomic(share, decimals) })
  return checkout
}

/** Sends money to the address on a screen. The payer copies every digit exactly as shown. */
function send(
  { operator, random }: Payer,
  { address, tag, amount, network, asset }: Checkout,
  other: { amount?: string; asset?: string; network?: string },
  ifLate: 'accept' | 'refund' = random.chance(0.5) ? 'accept' : 'refund',
): void {
  const order = operator.deposit({ address, tag, amount, network, asset: asset.symbol, ...other })
  if (order) operator.handle(order.id, ifLate)
}

function otherAssetOf({ asset }: Checkout) {
  return asset.symbol === 'USDT' ? { asset: 'TRX', amount: '3' } : { asset: 'USDT', amount: '3' }
}
