/** Rules for pages that servers draw: who sees what, and whether what is drawn is true. */
import type { Checkout, OrderStatus } from '../../../src/contract/checkout.ts'
import { asRecord } from '../../../src/contract/parse.ts'
import { parseCheckout } from '../../../src/contract/parsers.ts'
import { quoteLifetimeMs } from '../../../src/contract/quote.ts'
import type { CheckoutRecord } from '../../../src/server/core/types.ts'
import { type DrawnPage, readDrawnPage } from '../world/drawn-page.ts'
import type { Cart, World } from '../world/types.ts'
import type { Exchange } from './answer-rules.ts'
import { lateBoundMs } from './screen.ts'

/**
 * Checks that a visitor gets nothing of a cart that this visitor may not see, by page or widget.
 */
export function checkStrangers({ findings, paymentLinks, audit }: World, exchange: Exchange): void {
  const { path, method, act, arrivedMs, status, text } = exchange
  if (!/\/(?:pay|offer|checkouts)$/.test(path)) return
  const { reference, sees, beforeMs = Number.NEGATIVE_INFINITY } = paymentLinks.rights(exchange, arrivedMs)
  if (sees === 'all') return
  const wrong = (what: string) =>
    findings.violate('shown to strangers', `${method} ${path} of ${reference} ${what} to who may see ${sees}`)
  // These two only lead back to the page, whoever presses.
  const isHarmless = status === 303 && (act === 'look' || act === 'change')
  // Whoever was shown a quote before the link ended goes on to see it.
  const checkouts = audit.checkoutsOf(reference)
  const wasShown = ({ createdAtMs }: CheckoutRecord) => createdAtMs < beforeMs
  if (sees === 'nothing' && status < 400 && !isHarmless && !checkouts.some(wasShown)) wrong(`answers ${status}`)
  for (const checkout of checkouts) {
    const { instructions } = checkout
    if (instructions && text.includes(instructions.address) && !wasShown(checkout))
      wrong(`shows ${instructions.address}`)
  }
}

const statusOfView: Readonly<Record<string, OrderStatus>> = { seen: 'pending', paid: 'confirmed', ended: 'canceled' }

/** Checks what a page shows. @param check - For what it says of a checkout. */
export function checkPage(
  world: World,
  exchange: Exchange,
  check: (checkout: Checkout, cart: Cart, exchange: Exchange) => void,
): void {
  const { findings, paymentLinks, carts, oracle, icons } = world
  const { status, method, arrivedMs, text } = exchange
  if (status !== 200 || method !== 'GET') return
  const page = readDrawnPage(text)
  const { reference } = paymentLinks.rights(exchange, arrivedMs)
  const cart = carts.get(reference)
  const initial = asRecord(page.initial ?? {}, 'initial')
  icons.note(initial)
  findings.count('pages drawn')
  if (!cart || initial.checkout === undefined) {
    if (page.view === 'waiting')
      findings.violate('wrong digits', `the page of ${reference} asks for nothing that it names`)
    return
  }
  const checkout = parseCheckout(initial.checkout)
  check(checkout, cart, exchange)
  if (page.view === 'waiting') checkAsks(world, page, checkout, exchange)
  const shown = statusOfView[page.view ?? '']
  oracle.note()
  if (shown && !oracle.at(checkout.address, checkout.tag)?.statuses.has(shown))
    findings.violate('status of another order', `the page of ${reference} says that ${checkout.id} is ${shown}`)
  const isLive = page.view === 'waiting' || page.view === 'seen'
  if (isLive && page.refreshS === undefined)
    findings.violate('stopped asking', `the page of ${reference} is ${page.view}, and is not loaded anew`)
}

/** Checks a page that asks for money: it asks for what its checkout says, and until its end. */
function checkAsks({ plan, findings, oracle }: World, page: DrawnPage, checkout: Checkout, { clock }: Exchange): void {
  const { id, amount, address, tag, asset, network, networkInfo, expiresInMs } = checkout
  const wanted = { amount, address, tag, asset: asset.symbol, network: networkInfo?.name ?? network }
  for (const [name, value] of Object.entries(wanted))
    if (page[name as keyof typeof wanted] !== value)
      findings.violate(
        'wrong digits',
        `the page of ${id} has ${page[name as keyof typeof wanted]} as ${name}, not ${value}`,
      )
  if (checkout.cart !== 'open' || checkout.phase !== 'waiting')
    findings.violate('quote after deposit', `the page of ${id} asks for money, and its cart is ${checkout.cart}`)
  if (page.visibleForMs > expiresInMs)
    findings.violate('shown late', `the page of ${id} shows for ${page.visibleForMs} ms what ends in ${expiresInMs} ms`)
  const post = oracle.at(address, tag)?.post
  if (!post || plan.clocksSet === 'servers') return
  const lateMs = (page.endsAtMs ?? Number.POSITIVE_INFINITY) - clock.offsetMs - post.sentMs - quoteLifetimeMs
  if (lateMs > lateBoundMs + post.laterMs)
    findings.violate('shown late', `the page of ${id} names an end that is ${lateMs} ms too late`)
}

/**
 * Checks how long a page that was just loaded will show what it asks for. The styles count from
 * when the page has come: without scripts nobody knows for how long it was on its way.
 */
export function checkLoaded({ time, findings, oracle }: World, page: DrawnPage, askedAtMs: number): void {
  const { view, address = '', tag, visibleForMs } = page
  const post = view === 'waiting' ? oracle.at(address, tag)?.post : undefined
  if (!post) return
  const lateMs = askedAtMs + visibleForMs - post.sentMs - quoteLifetimeMs
  if (lateMs > lateBoundMs + post.laterMs)
    findings.violate(
      'shown late',
      `a page at ${address} was loaded at ${time.nowMs()}, and shows it ${lateMs} ms too long`,
    )
}
