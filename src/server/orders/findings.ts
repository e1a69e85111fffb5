/** Gathers what is known when the order of a checkout is looked for: the list, the details, the other creations of that time. */
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import { marksOf } from '../records/marks.ts'
import { intentLabel, intentOf, markLabel, openAttempts } from '../records/repository.ts'
import type { Attempt, Binding, CheckoutRecord, Instructions, TimeWindow } from '../records/types.ts'
import { unlessUnreadable } from '../records/unreadable.ts'
import { hasPassed } from '../time/passed.ts'
import { overlaps, serviceTimeMs, within } from '../time/service-times.ts'
import { answeredMs, attemptOf } from './attempts.ts'
import { fitsOf, isOfOtherSubAccount, type OtherRequest, type Situation } from './evidence.ts'
import type { Listing, OrderFeed } from './order-list.ts'
import type { PlaceReader } from './places.ts'

/** A creation whose answer was lost can have been carried out until this long after it was sent. */
const lostUntilMs = 10 * 60_000
/** By then the list shows an order that was created. */
export const listedWithinMs = 60_000
/** A checkout that is further away in time has nothing to do with the order that is looked for. */
const recentMs = 24 * 3_600_000
/** Checkouts of the same assets and price that are compared with each other. */
const maxOthers = 1_000

/** Reads the service's list; rejects with a ServiceError when it cannot. */
export type Survey = (checkout: CheckoutRecord, instructions: Instructions, maxAgeMs: number) => Promise<Situation>

/** The checkouts that orders were claimed for, by the orders' ids. */
type OwnerIds = ReadonlyMap<string, string | undefined>

export function createSurvey(context: Context, feed: OrderFeed, places: PlaceReader): Survey {
  const { repository, settings, now } = context

  return async (checkout, instructions, maxAgeMs) => {
    const attempt = attemptOf(checkout)
    const window = attempt?.window ?? null
    const around = widened(window, instructions.sentAtMs)
    const listing = await feed.since(around.fromMs, maxAgeMs)
    const listed = listing.orders.filter((order) => !isOfOtherSubAccount(order, settings.service.subAccountId))
    const near = listed.filter(({ createdAt }) => Number.isNaN(serviceTimeMs(createdAt)) || within(createdAt, around))
    const group = await repository.listCheckouts(intentLabel(checkout), { limit: maxOthers })
    const equals = group.filter(({ id }) => id !== checkout.id)
    const ownerIds = new Map(
      await Promise.all(listed.map(async ({ id }) => [id, await repository.ownerOf(id)] as const)),
    )
    const owners = ownersOf(ownerIds, checkout, equals)
    const { orders, areRead } = await places.complete(near, checkout, instructions)
    const inWindow = orders.filter(({ id, createdAt }) => within(createdAt, window) && !owners.taken.has(id))
    const shared = await sharedMarks(checkout, instructions)
    const known = await knownOf(near, checkout, ownerIds)
    // The list of equal checkouts was read before: what is known since counts, and each request once.
    const isOpen = ({ id, instructions: shown, binding }: CheckoutRecord) =>
      shown && (binding === null || binding.isProvisional) && known.every((other) => other.checkout.id !== id)
    const open = equals.filter(isOpen)
    return {
      checkout,
      instructions,
      orders,
      listed,
      ...owners,
      window,
      isListed: isListed(checkout, listing),
      others: [...othersOf(open, listed, owners, around, listing), ...known],
      isEarly: open.some((each) => isNear(each, around) && !isListed(each, listing)),
      rivals: rivalsOf([checkout, ...equals], attempt),
      // What could not be read may be anybody's.
      foreignInWindow:
        !listing.isComplete ||
        (await repository.hasUnreadable(intentLabel(checkout), checkout.createdAtMs)) ||
        (await hasForeign(inWindow, checkout)),
      listedBefore: listedBefore(checkout, orders),
      shared: { ...shared, place: shared.place || !areRead },
    }
  }

  /** Equal requests whose order is known: it says of those before and after them when theirs were made. */
  async function knownOf(
    near: readonly Order[],
    checkout: CheckoutRecord,
    ownerIds: OwnerIds,
  ): Promise<readonly OtherRequest[]> {
    const equal = near.filter((order) => labelOf(order) === intentLabel(checkout))
    const known = await Promise.all(
      equal.map(async ({ id }): Promise<readonly OtherRequest[]> => {
        const ownerId = ownerIds.get(id)
        if (ownerId === undefined || ownerId === checkout.id) return []
        const owner = await unlessUnreadable(repository.readCheckout(ownerId))
        const isOf = owner !== 'unreadable' && owner?.binding?.orderId === id && isKnown(owner.binding)
        return isOf ? [{ checkout: owner, fits: new Set([id]) }] : []
      }),
    )
    return known.flat()
  }

  /**
   * Whether the list shows the order that an answered request made. Both clocks have to say that it is late enough: either may have
   * been set.
   */
  function isListed(checkout: CheckoutRecord, { isComplete, asOfMs }: Listing): boolean {
    const window = attemptOf(checkout)?.window
    const atMs = answeredMs(checkout)
    if (!isComplete || asOfMs === null || !window || atMs === undefined) return false
    return asOfMs > window.toMs + listedWithinMs && hasPassed(listedWithinMs, atMs, now())
  }

  /** What is certain of the other requests: each has an order of its own. Those whose order the list may not show are left out. */
  function othersOf(
    open: readonly CheckoutRecord[],
    orders: readonly Order[],
    owners: Pick<Situation, 'taken' | 'held'>,
    around: TimeWindow,
    listing: Listing,
  ): readonly OtherRequest[] {
    return open.flatMap((checkout) => {
      const { instructions } = checkout
      const window = attemptOf(checkout)?.window
      if (!instructions || !window || window.fromMs < around.fromMs || !isListed(checkout, listing)) return []
      return [
        {
          checkout,
          fits: fitsOf({
            checkout,
            instructions,
            orders,
            window,
            taken: owners.taken,
            listedBefore: listedBefore(checkout, orders),
          }),
        },
      ]
    })
  }

  function listedBefore(checkout: CheckoutRecord, orders: readonly Order[]): ReadonlySet<string> {
    const requestId = checkout.instructions?.attemptId ?? ''
    return new Set(orders.map(({ id }) => id).filter((id) => feed.wasListedBefore(id, requestId)))
  }

  /** Whether a recent checkout has the same address and tag, or the same time: then neither says whose an order is. */
  async function sharedMarks(checkout: CheckoutRecord, instructions: Instructions): Promise<Situation['shared']> {
    const has = async (mark: string) =>
      (await repository.listCheckouts(markLabel(mark), { limit: 10 })).some(
        ({ id, createdAtMs }) => id !== checkout.id && Math.abs(createdAtMs - checkout.createdAtMs) < recentMs,
      )
    const { place, times } = marksOf(instructions)
    return { place: await has(place), time: (await Promise.all(times.map(has))).includes(true) }
  }

  /** When the orders of creations were made that are not known yet, own lost ones among them. */
  function rivalsOf(checkouts: readonly CheckoutRecord[], own: Attempt | undefined): readonly TimeWindow[] {
    // Between our clock and the service's, as our own attempt saw it.
    const offset = own?.window ? own.window.toMs - own.sentAtMs : 0
    // What a lost request did would be in the list by now, and count as a candidate there.
    const isOver = ({ toMs }: TimeWindow) => now() + Math.min(0, offset) > toMs + listedWithinMs
    return checkouts.flatMap((checkout) =>
      openAttempts(checkout)
        .filter(({ id }) => id !== own?.id)
        .map(({ window, sentAtMs }) => ({ isKnown: window !== null, window: window ?? lostWindow(sentAtMs, offset) }))
        .filter(({ isKnown, window }) => isKnown || !isOver(window))
        .map(({ window }) => window),
    )
  }

  async function hasForeign(orders: readonly Order[], checkout: CheckoutRecord): Promise<boolean> {
    for (const order of orders) {
      const label = labelOf(order)
      if (label === intentLabel(checkout)) continue
      if ((await repository.listCheckouts(label, { limit: 1 })).length > 0) continue
      // Bound meanwhile, it is ours and its checkout no longer asks for one: orders are claimed before that.
      if ((await repository.ownerOf(order.id)) === undefined) return true
    }
    return false
  }
}

/** Of several paid orders it was not told which is whose, and people err. */
function isKnown({ evidence, isProvisional }: Binding): boolean {
  return !isProvisional && evidence !== 'all_paid' && evidence !== 'merchant'
}

function labelOf({ sourceAsset, targetAsset, targetAmount }: Order): `intent ${string}` {
  return intentOf(sourceAsset ?? '?', targetAsset ?? '?', targetAmount ?? '?')
}

function isNear(checkout: CheckoutRecord, around: TimeWindow): boolean {
  const window = attemptOf(checkout)?.window ?? null
  return window !== null && overlaps(window, around)
}

/** Which orders are another checkout's, and which of them for certain. */
function ownersOf(ownerIds: OwnerIds, { id: ownId }: CheckoutRecord, equals: readonly CheckoutRecord[]) {
  const taken = new Set<string>()
  const held = new Set<string>()
  for (const [id, ownerId] of ownerIds) {
    if (ownerId === undefined || ownerId === ownId) continue
    const owner = equals.find((each) => each.id === ownerId)
    // A claim without a binding is that of a process that died in between.
    const isCertain = !owner || (owner.binding?.orderId === id && !owner.binding.isProvisional)
    if (isCertain) taken.add(id)
    else held.add(id)
  }
  return { taken, held }
}

/** When a request without an answer may have been carried out; wide, where the clocks differ. */
function lostWindow(sentAtMs: number, offsetMs: number): TimeWindow {
  return { fromMs: sentAtMs + Math.min(0, offsetMs), toMs: sentAtMs + Math.max(0, offsetMs) + lostUntilMs }
}

/** Around the attempt, with room for clocks that differ and for orders that show what is wrong with them. */
function widened(window: TimeWindow | null, sentAtMs: number): TimeWindow {
  const { fromMs, toMs } = window ?? { fromMs: sentAtMs, toMs: sentAtMs + lostUntilMs }
  return { fromMs: fromMs - 60_000, toMs: toMs + 60_000 }
}
