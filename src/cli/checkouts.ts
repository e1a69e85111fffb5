/** `paywindow checkouts`, `checkout <id>` and `bind`: the checkouts in the store. */
import { paymentsCsv } from '../serve/csv.ts'
import { createDealt } from '../serve/dealt.ts'
import { type Filter, type Kind, paidTwice, searchPayments } from '../serve/search.ts'
import type { MerchantCheckout } from '../server/views/merchant-view.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { type StoreOptions, withReader, withServer } from './store.ts'
import { columns, counted, fieldLines, jsonText, plainLine } from './text.ts'
import type { World } from './world.ts'

/** Options of `paywindow checkouts`. */
export interface CheckoutsOptions extends StoreOptions {
  readonly reference?: string
  readonly only?: Kind
  readonly search?: string
  /** Milliseconds since the epoch, as is `to`. */
  readonly from?: number
  readonly to?: number
  readonly before?: string
  readonly limit: number
  readonly json?: boolean
  readonly csv?: boolean
}

/** Prints checkouts, newest first. */
export async function printCheckouts(options: CheckoutsOptions, world: World): Promise<void> {
  const { reference, only, search, from, to, before, limit, json, csv } = options
  const filter: Filter = {
    ...(reference !== undefined && { reference }),
    ...(only && { only }),
    ...(search !== undefined && { search }),
    ...(from !== undefined && { fromMs: from }),
    ...(to !== undefined && { toMs: to }),
  }
  await withReader(options, world, async ({ checkouts }, store) => {
    const isCounted = only === 'paid-twice' || only === 'attention'
    const twice: ReadonlySet<string> = isCounted ? await paidTwice(checkouts) : new Set()
    const dealt = await createDealt(store, Date.now).read()
    const circumstances = { nowMs: Date.now(), twice, dealt }
    const { found, next } = await searchPayments(checkouts, filter, { before, limit }, circumstances)
    const more = next === undefined ? '' : `There may be more: --before ${plainLine(next)}\n`
    // A sum of what is printed would be wrong.
    if (more && (json || csv)) world.stderr(`paywindow: ${more}`)
    if (json) return world.stdout(jsonText(found))
    if (csv) return world.stdout(paymentsCsv(found))
    if (found.length === 0) return world.stdout('No checkouts.\n')
    const heads = ['ID', 'REFERENCE', 'STATUS', 'PRICE', 'PAYS', 'CREATED', 'ORDER']
    world.stdout(`${columns([heads, ...found.map(rowOf)])}${more}`)
  })
}

/** Prints one checkout, field by field, with its history. */
export async function printCheckout(
  id: string,
  { json, ...options }: StoreOptions & { readonly json?: boolean },
  world: World,
): Promise<void> {
  await withReader(options, world, async ({ checkouts }) => {
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
