/**
 * Payers who leave their page open while the store is lost: what it asks for must be known to a server again, or be asked for no more. Half of
 * them pay before they have seen that.
 */
import type { Checkout } from '../../../src/contract/checkout.ts'
import { steadyDevice } from '../world/device.ts'
import type { Link } from '../world/network.ts'
import type { Cart, World } from '../world/types.ts'
import type { Operator } from './operator.ts'
import { openTab, type Tab } from './tab.ts'

const stayers = 4
/** A page that got no answers asks once a minute, and some of the next get lost on the way. */
const noticedWithinMs = 10 * 60_000

/** Opens pages of new carts, lets something happen, and looks at them ten minutes later. */
export async function whilePagesStayOpen(
  world: World,
  { link, operator }: { readonly link: Link; readonly operator: Operator },
  happen: () => Promise<void>,
): Promise<void> {
  const { plan, time, carts } = world
  const tabs: Tab[] = []
  for (let number = 0; number < stayers; number++) {
    const cart: Cart = {
      reference: `cart-${plan.number}-stays-${number}`,
      prices: [{ asset: 'USD', amount: `${1_000 + number}` }],
      methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
    }
    carts.set(cart.reference, cart)
    tabs.push(openTab(world, link, cart, steadyDevice, `${cart.reference} first`))
  }
  const shown = await Promise.all(tabs.map((tab) => tab.until(({ kind }) => kind === 'waiting', 2 * 60_000)))
  await happen()
  for (const view of shown.slice(0, stayers / 2)) if (view?.kind === 'waiting') pay(operator, view.checkout)
  await time.sleep(noticedWithinMs)
  for (const tab of tabs) {
    check(world, tab)
    tab.close()
  }
}

function pay(operator: Operator, { address, tag, amount }: Checkout): void {
  const order = operator.deposit({ address, tag, amount })
  if (order) operator.handle(order.id, 'accept')
}

function check({ findings, audit }: World, tab: Tab): void {
  const view = tab.look()
  findings.count(`pages that stayed open: ${view.kind}`)
  if (view.kind === 'waiting' && !audit.checkouts.has(view.checkout.id))
    findings.violate(
      'asked for what nobody follows',
      `the screen of ${view.checkout.reference} shows ${view.checkout.id}`,
    )
}
