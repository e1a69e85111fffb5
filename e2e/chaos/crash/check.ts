/** What must be true after all crashes. Each check collects what broke a rule. */
import type { KeyedCheckout } from '../../../src/contract/checkout.ts'
import { equalDecimals } from '../../../src/contract/decimal.ts'
import type { CheckoutRecord } from '../../../src/server/core/types.ts'
import { offerFor } from './offer.ts'
import type { Payers } from './payers.ts'
import { limitsMs } from './recovery.ts'
import type { DeliveredEvent, SurvivingWorld } from './world.ts'

/** How long a busy machine may take from a kill to the end of a connection, or to a write. */
const slackMs = 1_000
/** A server gives up a request after this time, which may lose an order, too. */
const timeoutMs = 2_500

/** When the web process or the database was down. Creations of that time may be lost. */
export interface Death {
  readonly fromMs: number
  readonly untilMs: number
}

/** For each rule, descriptions of what broke it. */
export type Broken = Readonly<
  Record<
    | 'lost'
    | 'created twice'
    | 'wrong digits'
    | 'not delivered'
    | 'delivered wrongly'
    | 'watched too late'
    | 'called again too late'
    | 'readable by others',
    string[]
  >
>

/** Returns every rule with an empty list. */
export function noneBroken(): Broken {
  return {
    lost: [],
    'created twice': [],
    'wrong digits': [],
    'not delivered': [],
    'delivered wrongly': [],
    'readable by others': [],
    'watched too late': [],
    'called again too late': [],
  }
}

/** Checks that each next worker watches in time, and repeats interrupted callbacks in time. */
export function checkRecovery({ recovery }: SurvivingWorld, broken: Broken): void {
  const { watching, telling } = recovery.results()
  for (const { what, tookMs } of watching)
    if (tookMs > limitsMs.watching) broken['watched too late'].push(`${what}: after ${tookMs} ms`)
  for (const { what, tookMs } of telling)
    if (tookMs > limitsMs.telling) broken['called again too late'].push(`${what}: after ${tookMs} ms`)
}

/**
 * Checks that each checkout can be read as it was shown, that its digits are those of its order,
 * and that a cart has only one address.
 */
export async function checkShown({ shown, read }: Payers, world: SurvivingWorld, broken: Broken): Promise<void> {
  const byCart = new Map<string, KeyedCheckout>()
  const orders = world.sandbox.orders()
  const known = new Set<string>()
  for (const checkout of shown) {
    const { id, reference, address, tag, amount, price } = checkout
    const first = byCart.get(reference) ?? checkout
    byCart.set(reference, first)
    if (first.id !== id || first.address !== address || first.tag !== tag)
      broken.lost.push(`${reference} was shown ${first.id} and then ${id}`)
    if (known.has(id)) continue
    known.add(id)
    const now = await read(checkout, 20_000)
    if (now?.address !== address || now.tag !== tag || now.amount !== amount)
      broken.lost.push(`checkout ${id} cannot be read as it was shown`)
    const order = orders.find((each) => each.address === address && each.tag === tag)
    if (
      !order ||
      !equalDecimals(order.sourceAmount, amount) ||
      !equalDecimals(order.targetAmount, price.amount) ||
      order.sourceAsset !== checkout.asset.symbol
    )
      broken['wrong digits'].push(`checkout ${id} is not what its order is`)
  }
}

/**
 * Checks that an order without a checkout is explained by a death, or by a request that was given
 * up.
 *
 * @returns The number of orders without a checkout.
 */
export function checkCreations(
  world: SurvivingWorld,
  kept: ReadonlySet<string>,
  deaths: readonly Death[],
  broken: Broken,
): number {
  const orders = world.sandbox.orders()
  let lost = 0
  for (const { fromMs, untilMs, place } of world.creations) {
    const order = place === undefined ? undefined : orders[place]
    if (!order || kept.has(`${order.address} ${order.tag ?? ''}`)) continue
    lost += 1
    const isExplained = deaths.some((death) => death.untilMs >= fromMs - slackMs && death.fromMs <= untilMs + slackMs)
    if (!isExplained && untilMs - fromMs < timeoutMs)
      broken['created twice'].push(
        `order ${order.id} has no checkout although nobody died: answered after ${untilMs - fromMs} ms, ${nearestMs(deaths, untilMs)} ms from the nearest death`,
      )
  }
  return lost
}

/** Milliseconds to the nearest death, to judge whether a busy machine was the cause. */
function nearestMs(deaths: readonly Death[], atMs: number): number {
  return Math.min(...deaths.map(({ fromMs, untilMs }) => Math.max(fromMs - atMs, atMs - untilMs, 0)))
}

/**
 * Checks, after a restore, that every paid checkout in the backup was delivered as `confirmed`,
 * before the backup or again since. An event id from before must not belong to another change now.
 */
export function checkRestored(
  { events }: SurvivingWorld,
  { paid }: Payers,
  backup: ReadonlyMap<string, CheckoutRecord>,
  restoredAt: number,
  broken: Broken,
): void {
  const before = new Map(events.slice(0, restoredAt).map((event) => [event.eventId, event]))
  const since = events.slice(restoredAt)
  for (const event of since) {
    const old = before.get(event.eventId)
    if (old && (old.status !== event.status || old.at !== event.at))
      broken['delivered wrongly'].push(`${event.eventId} is another change since the backup was restored`)
  }
  for (const id of toDeliverAgain(paid, backup)) {
    const isDelivered = since.some(({ checkoutId, status }) => checkoutId === id && status === 'confirmed')
    if (!isDelivered) broken['not delivered'].push(`checkout ${id}, after a backup was restored`)
  }
}

/** Ids of the paid checkouts that a backup has, but not as confirmed and delivered. */
export function toDeliverAgain(paid: ReadonlySet<string>, backup: ReadonlyMap<string, CheckoutRecord>): string[] {
  return [...paid].filter((id) => {
    const record = backup.get(id)
    const wasDelivered = record?.status === 'confirmed' && record.events.length === 0
    return record?.instructions && !wasDelivered
  })
}

/** Checks that every paid checkout was delivered at its own price, with its events in order. */
export function checkEvents(world: SurvivingWorld, { shown, paid }: Payers, broken: Broken): void {
  const byCheckout = new Map<string, Map<string, DeliveredEvent>>()
  for (const event of world.events) {
    const events = byCheckout.get(event.checkoutId) ?? new Map<string, DeliveredEvent>()
    byCheckout.set(event.checkoutId, events)
    const before = [...events.values()].at(-1)
    if (events.has(event.eventId)) {
      if (events.get(event.eventId)?.status !== event.status)
        broken['delivered wrongly'].push(`${event.eventId} is two changes`)
      continue
    }
    if (event.previousStatus !== (before?.status ?? 'open'))
      broken['delivered wrongly'].push(`${event.eventId} does not begin where the one before ended`)
    events.set(event.eventId, event)
  }
  for (const id of paid) {
    const events = [...(byCheckout.get(id)?.values() ?? [])]
    const checkout = shown.find((each) => each.id === id)
    const confirmed = events.find(({ status }) => status === 'confirmed')
    if (!confirmed) broken['not delivered'].push(`checkout ${id}: ${events.at(-1)?.status ?? 'nothing'}`)
    else if (
      !checkout ||
      !equalDecimals(confirmed.amount, checkout.price.amount) ||
      confirmed.amount !== offerFor(checkout.reference).price.amount ||
      confirmed.reference !== checkout.reference
    )
      broken['delivered wrongly'].push(`checkout ${id} with ${confirmed.amount} for ${confirmed.reference}`)
  }
}
