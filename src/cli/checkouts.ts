/** `paywindow checkouts`, `paywindow checkout <id>` and `paywindow bind`: what the shop's store knows, and settling an order by hand. */
import type { MerchantCheckout } from '../server/views/merchant-view.ts'
import { type choices, chosenCheckouts, isChoice } from './chosen-checkouts.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import type { StoreOptions } from './on-store.ts'
import { withShop } from './shop.ts'
import { columns, csvText, jsonText, plainLine } from './text.ts'
import type { World } from './world.ts'

/** Options of `paywindow checkouts`, as the command line gives them. */
export interface CheckoutsOptions extends StoreOptions {
  readonly reference?: string
  readonly only?: 'unresolved' | 'untold' | (typeof choices)[number]
  readonly before?: string
  readonly limit: number
  readonly json?: boolean
  readonly csv?: boolean
}

/** Prints checkouts, newest first. */
export async function printCheckouts(options: CheckoutsOptions, world: World): Promise<void> {
  const { reference, only, before, limit, json, csv } = options
  const range = { limit, ...(before && { before }) }
  await withShop(options, world, async ({ checkouts }) => {
    const found = isChoice(only)
      ? await chosenCheckouts(checkouts, only, range)
      : await checkouts.list({ ...range, ...(reference && { reference }), ...(only && { only }) })
    if (json) return world.stdout(jsonText(found))
    if (csv) return world.stdout(csvText([csvHeads, ...found.map(csvRowOf)]))
    if (found.length === 0) return world.stdout('No checkouts.\n')
    world.stdout(columns([['ID', 'REFERENCE', 'STATUS', 'PRICE', 'PAYS', 'CREATED', 'ORDER'], ...found.map(rowOf)]))
    const last = found.at(-1)
    if (found.length === limit && last) world.stdout(`There may be more: --before ${plainLine(last.id)}\n`)
  })
}

/** Prints one checkout, field by field, with what has happened to it. */
export async function printCheckout(
  id: string,
  { json, ...options }: StoreOptions & { readonly json?: boolean },
  world: World,
): Promise<void> {
  await withShop(options, world, async ({ checkouts }) => {
    const checkout = await checkouts.get(id)
    if (!checkout) throw new CommandFailure(exitCodes.failed, `The store has no checkout ${plainLine(id)}.`)
    world.stdout(json ? jsonText(checkout) : describe(checkout))
  })
}

/** Settles which order is a checkout's. */
export async function bindCheckout(
  { checkoutId, orderId }: { readonly checkoutId: string; readonly orderId: string },
  { confirm = false, ...options }: StoreOptions & { readonly confirm?: boolean },
  world: World,
): Promise<void> {
  await withShop(options, world, async (paywindow) => {
    const { status, untoldEvents } = await paywindow.bind(checkoutId, orderId, { confirmed: confirm })
    const rest = untoldEvents > 0 ? ' The process that has onStatusChange is going to deliver it.' : ''
    world.stdout(`Checkout ${plainLine(checkoutId)} has order ${plainLine(orderId)} now, which is ${status}.${rest}\n`)
  })
}

function rowOf(checkout: MerchantCheckout): string[] {
  return [
    checkout.id,
    plainLine(checkout.reference, 40),
    statusOf(checkout),
    priceOf(checkout),
    paysOf(checkout),
    checkout.createdAt,
    plainLine(checkout.order?.id ?? ''),
  ]
}

const csvHeads = [
  'id',
  'reference',
  'status',
  'price',
  'price_asset',
  'pays',
  'pays_asset',
  'network',
  'address',
  'tag',
  'created_at',
  'expires_at',
  'order_id',
  'evidence',
  'untold_events',
  'test',
]

function csvRowOf({ deposit, order, price, ...checkout }: MerchantCheckout): (string | number | null)[] {
  return [
    checkout.id,
    checkout.reference,
    checkout.status,
    price.amount,
    price.asset,
    deposit?.amount ?? null,
    checkout.asset,
    checkout.network,
    deposit?.address ?? null,
    deposit?.tag ?? null,
    checkout.createdAt,
    deposit?.expiresAt ?? null,
    order?.id ?? null,
    order?.evidence ?? null,
    checkout.untoldEvents,
    String(checkout.test),
  ]
}

function describe(checkout: MerchantCheckout): string {
  const { deposit, order, candidates, history, untoldEvents } = checkout
  const fields: [string, string | null][] = [
    ['Checkout', checkout.id],
    ['Reference', checkout.reference],
    ['Status', statusOf(checkout)],
    ['Price', priceOf(checkout)],
    ['Pays', paysOf(checkout)],
    ['Network', checkout.network],
    ['Address', deposit?.address ?? null],
    ['Tag', deposit?.tag ?? null],
    ['Created', checkout.createdAt],
    ['Quote ends', deposit?.expiresAt ?? null],
    ['Order', order && `${order.id} (${order.evidence})`],
    ['It may be', candidates.length > 0 ? candidates.join(', ') : null],
    ['Not delivered', untoldEvents > 0 ? `${untoldEvents} ${untoldEvents === 1 ? 'change' : 'changes'}` : null],
  ]
  const known = fields.flatMap(([name, value]) => (value ? [[`${name}:`, plainLine(value, 500)]] : []))
  return `${columns(known)}${columns(history.map(({ at, status }) => [at, status]))}`
}

function statusOf({ status, order, deposit }: MerchantCheckout): string {
  return order || !deposit ? status : `${status}, order unknown`
}

function priceOf({ price }: MerchantCheckout): string {
  return plainLine(`${price.amount} ${price.asset}`)
}

function paysOf({ deposit, asset }: MerchantCheckout): string {
  return plainLine(`${deposit?.amount ?? '?'} ${asset}`)
}
