/**
 * A lost database. When most payers have left, all servers go down and start again on an earlier
 * copy of the store, or on a replica that was behind. A few payers leave their pages open
 * meanwhile, and half of them pay what is shown. Ten minutes later no page may show a checkout that
 * no server knows.
 */
import type { Checkout } from '../../../src/contract/checkout.ts'
import type { Answers } from '../checks/answers.ts'
import { steadyDevice } from '../world/device.ts'
import { createRandomStream } from '../world/random.ts'
import type { Cart, Link, Servers, World } from '../world/types.ts'
import type { Operator } from './operator.ts'
import { openTab, type Tab } from './tab.ts'

/** Takes the copy at a random time while payers come or shortly after. */
export async function takeBackup({ plan, time, backups, findings }: World): Promise<void> {
  if (!plan.restores || plan.failsOver) return
  const random = createRandomStream(plan.seed, 'backup')
  await time.sleep(random.between(plan.spanMs / 4, plan.spanMs * 1.5))
  findings.trace('backup')
  backups.take()
}

/** Restores the copy. Only browsers and the merchant still know what happened since. */
export async function restoreBackup(
  world: World,
  servers: Servers,
  { link, answers, operator }: { readonly link: Link; readonly answers: Answers; readonly operator: Operator },
): Promise<void> {
  if (!world.plan.restores) return
  if (world.plan.failsOver) world.backups.take()
  await whilePagesStayOpen(world, { link, operator }, () => servers.killAll(() => restore(world, answers)))
}

async function restore(
  { findings, backups, audit, ledger, unreadable, faults }: World,
  answers: Answers,
): Promise<void> {
  const records = await backups.restore()
  if (!records || !faults.strikes('store: restored from a backup')) return
  audit.restored(records.map((record) => ({ ...record, value: unreadable.textOf(record) })))
  ledger.restored((checkoutId) => audit.checkouts.get(checkoutId))
  const lost = answers.restored(({ id, address }) => audit.checkouts.get(id)?.instructions?.address === address)
  findings.count('checkouts that a restore forgot', lost)
}

const stayers = 4
/** A page without answers asks once a minute, and the network loses some of its next requests. */
const noticedWithinMs = 10 * 60_000

/** Opens pages of new carts, lets something happen, and looks at them ten minutes later. */
async function whilePagesStayOpen(
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
  if (view.kind === 'waiting' && !audit.checkouts.has(view.checkout.id))
    findings.violate(
      'asked for what nobody follows',
      `the screen of ${view.checkout.reference} shows ${view.checkout.id}`,
    )
}
