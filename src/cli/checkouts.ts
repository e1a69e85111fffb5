/** `paywindow checkouts`, `checkout <id>` and `bind`: the checkouts in the store. */
import type { MerchantCheckout, MerchantCheckouts } from '../server/views/merchant-view.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { type StoreOptions, withServer } from './store.ts'
import { columns, counted, csvText, fieldLines, jsonText, plainLine } from './text.ts'
import type { World } from './world.ts'

/**
 * Kinds of checkouts that the store does not list. `late`: the deposit was first seen after the
 * quote ended. `paid-twice`: another checkout of the cart is paid, too.
 */
export const searchedKinds = ['paid-twice', 'late'] as const
type SearchedKind = (typeof searchedKinds)[number]

/** Checkouts that a store returns at most at once. */
const pageSize = 1_000

type Checkouts = Pick<MerchantCheckouts, 'list'>

/** Options of `paywindow checkouts`. */
export interface CheckoutsOptions extends StoreOptions {
  readonly reference?: string
  readonly only?: 'unresolved' | 'untold' | SearchedKind
  readonly before?: string
  readonly limit: number
  readonly json?: boolean
  readonly csv?: boolean
}

/** Prints checkouts, newest first. */
export async function printCheckouts(options: CheckoutsOptions, world: World): Promise<void> {
  const { reference, only, before, limit, json, csv } = options
  const range = { limit, ...(before && { before }) }
  await withServer(options, world, async ({ checkouts }) => {
    const found = isSearched(only)
      ? await searchCheckouts(checkouts, only, range)
      : await checkouts.list({ ...range, ...(reference && { reference }), ...(only && { only }) })
    if (json) return world.stdout(jsonText(found))
    if (csv) return world.stdout(csvText([csvHeads, ...found.map(csvRowOf)]))
    if (found.length === 0) return world.stdout('No checkouts.\n')
    world.stdout(columns([['ID', 'REFERENCE', 'STATUS', 'PRICE', 'PAYS', 'CREATED', 'ORDER'], ...found.map(rowOf)]))
    const last = found.at(-1)
    if (found.length === limit && last) world.stdout(`There may be more: --before ${plainLine(last.id)}\n`)
  })
}

/** Prints one checkout, field by field, with its history. */
export async function printCheckout(
  id: string,
  { json, ...options }: StoreOptions & { readonly json?: boolean },
  world: World,
): Promise<void> {
  await withServer(options, world, async ({ checkouts }) => {
    const checkout = await checkouts.get(id)
    if (!checkout) throw new CommandFailure(exitCodes.failed, `The store has no checkout ${plainLine(id)}.`)
    world.stdout(json ? jsonText(checkout) : describe(checkout))
  })
}

/** Binds an order to a checkout by hand. */
export async function bindCheckout(
  { checkoutId, orderId }: { readonly checkoutId: string; readonly orderId: string },
  { confirm = false, ...options }: StoreOptions & { readonly confirm?: boolean },
  world: World,
): Promise<void> {
  await withServer(options, world, async (paywindow) => {
    const { status, untoldEvents } = await paywindow.bind(checkoutId, orderId, { confirmed: confirm })
    const rest = untoldEvents > 0 ? ' The process that has onStatusChange is going to deliver it.' : ''
    world.stdout(`Checkout ${plainLine(checkoutId)} has order ${plainLine(orderId)} now, which is ${status}.${rest}\n`)
  })
}

/**
 * Reads checkouts of a kind that the store does not list: it reads all checkouts. Returns at most
 * `limit`, newest first.
 *
 * @param before - The id of the last checkout on the page before.
 */
export async function searchCheckouts(
  checkouts: Checkouts,
  kind: SearchedKind,
  { before, limit }: { readonly before?: string; readonly limit: number },
): Promise<MerchantCheckout[]> {
  const isOfKind = kind === 'late' ? (checkout: MerchantCheckout) => checkout.isLate : await paidTwice(checkouts)
  const found: MerchantCheckout[] = []
  for await (const checkout of everyCheckout(checkouts, before)) {
    if (isOfKind(checkout)) found.push(checkout)
    if (found.length === limit) break
  }
  return found
}

/** Reads all checkouts page by page, newest first. @param from - Begins after this id. */
export async function* everyCheckout(checkouts: Checkouts, from?: string): AsyncGenerator<MerchantCheckout> {
  for (let before = from; ; ) {
    const page = await checkouts.list({ limit: pageSize, ...(before !== undefined && { before }) })
    yield* page
    before = page.at(-1)?.id
    // A page can be short in the middle: records that cannot be read are left out.
    if (before === undefined) return
  }
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
  const fields = fieldLines([
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
    ['Not delivered', untoldEvents > 0 ? counted(untoldEvents, 'change') : null],
  ])
  return `${fields}${columns(history.map(({ at, status }) => [at, status]))}`
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

function isSearched(only: string | undefined): only is SearchedKind {
  return searchedKinds.some((each) => each === only)
}

async function paidTwice(checkouts: Checkouts): Promise<(checkout: MerchantCheckout) => boolean> {
  const paid = new Map<string, number>()
  for await (const { phase, reference } of everyCheckout(checkouts))
    if (isPaid(phase)) paid.set(reference, (paid.get(reference) ?? 0) + 1)
  return ({ phase, reference }) => isPaid(phase) && (paid.get(reference) ?? 0) > 1
}

/** Whether it is paid, with the right amount or another. */
function isPaid(phase: MerchantCheckout['phase']): boolean {
  return phase === 'paid' || phase === 'paid_less' || phase === 'paid_more'
}
