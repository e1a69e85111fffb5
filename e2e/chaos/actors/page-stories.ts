/**
 * What payers without scripts do: each plays a short story on the page that the server draws, in
 * the session of the cart or by a payment link, and sends what the page says.
 */
import { formatAtomic, toAtomic } from '../../../src/contract/decimal.ts'
import type { MadeLink } from '../../../src/server/paywindow.ts'
import type { RandomStream } from '../world/random.ts'
import type { Cart, World } from '../world/types.ts'
import type { Operator } from './operator.ts'
import type { Bill, LoadedPage, PlainBrowser } from './plain-browser.ts'

/** One payer without scripts, with everything needed to act. */
export interface PagePayer {
  readonly world: World
  readonly operator: Operator
  readonly random: RandomStream
  readonly cart: Cart
  /** Another cart of the shop, whose session nobody here has. */
  readonly otherCart: Cart
  /** Opens a browser. `own`: with the cookie of the cart's session. */
  browser(name: string, own?: 'own'): PlainBrowser
  /** Lets the merchant make a link. */
  link(cart: Cart, validForMs: number): Promise<MadeLink>
  /** Lets the merchant end all links of the cart. */
  revoke(): Promise<void>
}

const minutes = (count: number) => count * 60_000
const isOver = ({ view }: LoadedPage) => ['paid', 'ended', 'settledElsewhere', 'refused'].includes(view ?? '')
const ownCart = ({ cart }: PagePayer) => `?reference=${cart.reference}`

/** The stories. Each comes as often as every other. */
export const pageStories = {
  /** Chooses, pays and looks until it is over. */
  exact: async (payer) => {
    const browser = payer.browser('own', 'own')
    await browser.open(ownCart(payer))
    await pay(payer, browser)
  },
  /** Sends the same form twice at once, and again from the page before. */
  formTwice: async (payer) => {
    const { random, world } = payer
    const browser = payer.browser('own', 'own')
    const choosing = await browser.open(ownCart(payer))
    const act = random.pick(['', ...choosing.acts])
    if (act.startsWith('choose ')) {
      await Promise.all([browser.press(choosing, act), browser.press(choosing, act)])
      await world.time.sleep(random.between(1, 30) * 1_000)
      await browser.press(choosing, act)
    }
    await pay(payer, browser)
  },
  /** Lets the quote end, renews it twice at once, and again from the old page. */
  renewedFromOld: async (payer) => {
    const { random, world } = payer
    const browser = payer.browser('own', 'own')
    await browser.open(ownCart(payer))
    if (!(await payable(payer, browser))) return
    await untilTheEnd(payer, browser)
    const ended = await browser.reload()
    if (ended.view === 'expired')
      await Promise.all([
        browser.press(ended, 'renew'),
        browser.press(ended, 'renew'),
        payer.browser('other', 'own').open(ownCart(payer)),
      ])
    await world.time.sleep(random.between(1, 200) * 1_000)
    const old = browser.earlier(random.pick(['expired', 'waiting']))
    if (old?.acts.includes('renew')) await browser.press(old, 'renew')
    await pay(payer, browser)
  },
  /** Pays from a page that was loaded before its quote had ended. */
  late: async (payer) => {
    const { random, world } = payer
    const browser = payer.browser('own', 'own')
    await browser.open(ownCart(payer))
    const bill = await payable(payer, browser)
    if (!bill) return
    await untilTheEnd(payer, browser)
    await world.time.sleep(random.between(0, 900) * 1_000)
    send(payer, bill)
    await browser.until(isOver, minutes(5))
  },
  /** Takes another coin, goes back, and pays what one of the two pages shows. */
  changed: async (payer) => {
    const { random, cart } = payer
    const browser = payer.browser('own', 'own')
    await browser.open(ownCart(payer))
    const first = await payable(payer, browser)
    const shown = browser.page()
    if (!first || !shown?.acts.includes('change')) return pay(payer, browser)
    const choosing = await browser.press(shown, 'change')
    const other = choosing.acts.find((act) => act.startsWith('choose ') && !act.includes(first.asset))
    if (other) await browser.press(choosing, other)
    if (random.chance(0.5)) return pay(payer, browser)
    send(payer, first)
    await browser.until(isOver, minutes(cart.methods.length))
  },
  /** Sends half of it, and nothing more. */
  less: async (payer) => {
    const browser = payer.browser('own', 'own')
    await browser.open(ownCart(payer))
    const bill = await payable(payer, browser)
    if (!bill) return
    const decimals = bill.amount.split('.')[1]?.length ?? 0
    send(payer, { ...bill, amount: formatAtomic(toAtomic(bill.amount, decimals) / 2n || 1n, decimals) })
    await browser.until(isOver, minutes(3))
  },
  /** Sees what to send, and closes the page. */
  never: async (payer) => {
    const browser = payer.browser('own', 'own')
    await browser.open(ownCart(payer))
    await payable(payer, browser)
  },
  /** The cart gets dearer while its old price is on the page. */
  dearer: async (payer) => {
    const { random, world, cart } = payer
    const browser = payer.browser('own', 'own')
    const choosing = await browser.open(ownCart(payer))
    await payable(payer, browser)
    const price = cart.prices.at(-1)
    if (!price) return
    cart.prices.push({ ...price, amount: String(2 * Number(price.amount.split('.')[0]) + 5) })
    await world.time.sleep(random.between(0, 20_000))
    const act = choosing.acts.find((each) => each.startsWith('choose '))
    if (act && random.chance(0.5)) await browser.press(choosing, act)
    else await browser.reload()
    await pay(payer, browser)
  },
  /** Comes by a link, which chats and scanners look at, too. */
  linked: async (payer) => {
    const { random, cart } = payer
    const { url } = await payer.link(cart, minutes(600))
    await preview(payer, url)
    const browser = payer.browser('linked')
    await browser.open(searchOf(url))
    await payable(payer, browser)
    await preview(payer, url)
    await pay(payer, browser)
    await preview(payer, url)
    if (random.chance(0.5)) await browser.askByScript(cart.reference)
  },
  /** Two browsers come by one link, and press at the same time. */
  shared: async (payer) => {
    const { cart } = payer
    const { url } = await payer.link(cart, minutes(600))
    const [browser, other] = [payer.browser('linked'), payer.browser('other')]
    await Promise.all([browser.open(searchOf(url)), other.open(searchOf(url))])
    await Promise.all([payable(payer, browser), payable(payer, other)])
    await untilTheEnd(payer, browser)
    await Promise.all([payable(payer, browser), payable(payer, other)])
    await pay(payer, browser)
    await other.reload()
  },
  /** The merchant ends the link while it is used, and makes another one. */
  revoked: async (payer) => {
    const { random, world, cart } = payer
    const before = await payer.link(cart, minutes(600))
    const [browser, late] = [payer.browser('linked'), payer.browser('late')]
    // Some links are ended as soon as they are made: they were sent to somebody else.
    if (random.chance(0.5)) {
      await browser.open(searchOf(before.url))
      if (random.chance(0.7)) await payable(payer, browser)
    }
    const shown = browser.page()
    await payer.revoke()
    if (random.chance(0.5)) await payer.revoke()
    await late.open(searchOf(before.url))
    await browser.open(ownCart(payer))
    await browser.askByScript(cart.reference)
    for (const act of shown?.acts ?? []) await browser.press(shown ?? (await browser.reload()), act)
    const again = await payer.link(cart, minutes(600))
    await browser.open(searchOf(again.url))
    await pay(payer, browser)
    await world.time.sleep(random.between(0, 60) * 1_000)
    await late.open(searchOf(before.url))
  },
  /** Comes back to a link after its time. */
  ended: async (payer) => {
    const { random, world, cart } = payer
    const validForMs = random.between(60, 180) * 1_000
    const { url } = await payer.link(cart, validForMs)
    const browser = payer.browser('linked')
    const shown = await browser.open(searchOf(url))
    if (random.chance(0.5)) await payable(payer, browser)
    await world.time.sleep(validForMs + random.between(0, 600) * 1_000)
    await browser.open(searchOf(url))
    await browser.open(ownCart(payer))
    await browser.askByScript(cart.reference)
    for (const act of shown.acts) await browser.press(shown, act)
  },
  /** Has a link to one cart, and asks for another one with it. */
  ofOtherCart: async (payer) => {
    const { cart, otherCart } = payer
    const { url } = await payer.link(cart, minutes(600))
    const browser = payer.browser('linked')
    const shown = await browser.open(searchOf(url))
    await browser.open(`?reference=${otherCart.reference}`)
    await browser.askByScript(otherCart.reference)
    for (const act of shown.acts) await browser.press({ ...shown, action: `?reference=${otherCart.reference}` }, act)
    await browser.open(searchOf(url))
    await pay(payer, browser)
  },
} satisfies Record<string, (payer: PagePayer) => Promise<void>>

/** A chat or a scanner that loads a link without sending cookies back. */
async function preview({ browser }: PagePayer, url: string): Promise<void> {
  const visitor = browser('preview')
  await visitor.open(searchOf(url))
}

/**
 * Presses until the page asks for money. Resolves with what it asks for; undefined if it never
 * does.
 */
async function payable({ random, world }: PagePayer, browser: PlainBrowser): Promise<Bill | undefined> {
  for (let tries = 0; tries < 8; tries++) {
    const bill = browser.bill()
    if (bill) return bill
    const shown = browser.page()
    switch (shown?.view) {
      case 'choosing':
        await browser.press(shown, random.pick(shown.acts.filter((act) => act.startsWith('choose '))))
        break
      case 'expired':
        await browser.press(shown, random.pick(['renew', 'renew', 'look']))
        break
      case 'seen':
      case 'paid':
      case 'ended':
      case 'settledElsewhere':
        return undefined
      default:
        await world.time.sleep(random.between(5, 30) * 1_000)
        await browser.reload()
    }
  }
  return undefined
}

/** Puts the device away until the page's own styles have taken the bill away. */
async function untilTheEnd({ random, world: { time } }: PagePayer, browser: PlainBrowser): Promise<void> {
  const endsAtMs = browser.billEndsAtMs()
  if (endsAtMs === undefined) return
  await time.sleep(endsAtMs - time.nowMs() + random.between(0, 120) * 1_000)
}

/** Pays what the page asks for, and looks until it is over. */
async function pay(payer: PagePayer, browser: PlainBrowser): Promise<void> {
  const { random, world } = payer
  if (!(await payable(payer, browser))) return
  await world.time.sleep(random.chance(0.8) ? random.between(2, 90) * 1_000 : random.between(90, 1_190) * 1_000)
  // Whoever comes back after the end sees that the bill has gone, and loads the page anew.
  const bill = browser.bill() ?? (await browser.reload().then(() => payable(payer, browser)))
  if (!bill) return
  await world.time.sleep(random.between(0, 20) * 1_000)
  send(payer, bill)
  if (random.chance(0.2)) return
  await browser.until(isOver, minutes(4))
}

/** Sends what a page asks for. The payer copies every character. */
function send({ operator, random, cart, world }: PagePayer, { amount, asset, address, tag }: Bill): void {
  const network = cart.methods.find((method) => method.asset === asset)?.network ?? ''
  const order = operator.deposit({ address, tag, amount, network, asset })
  world.findings.count('paid without scripts')
  if (order) operator.handle(order.id, random.chance(0.5) ? 'accept' : 'refund')
}

function searchOf(url: string): string {
  return new URL(url).search
}
