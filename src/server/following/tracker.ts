/**
 * Follows the orders of bound checkouts: asks the service for the details of an order, or reads it
 * from the list.
 */
import { ifServiceAnswers, ServiceError, unlessServiceFails } from '../../service/errors.ts'
import type { Order } from '../../service/types.ts'
import type { Context } from '../context.ts'
import { contradiction, otherAmounts, otherTarget, payerPhase, withAmounts } from '../core/agreement.ts'
import { otherTime, showsAmounts, wasCreatedIn } from '../core/facts.ts'
import { policy } from '../core/policy.ts'
import { attemptWindow, isHeldLongEnough, isSettled } from '../core/transitions.ts'
import type { Binding, CheckoutRecord, Meanings } from '../core/types.ts'
import { isLasting } from '../orders/order-details.ts'
import { createRecentOrders, type OrderList, orderedSince } from '../orders/order-list.ts'
import { createLastTimes, createSingleFlight } from '../time/work.ts'
import { createRelease, type Release } from './binding.ts'
import { createRecording, createReportUnread, type Recording, type ReportUnread, restsOnIdAlone } from './recording.ts'
import type { AskingTurns, ReadingTurn } from './server-turns.ts'

const maxRemembered = 100_000

/** The turn to ask for an order. It outlasts the request, so that other servers use the result. */
const turnOf = (orderId: string) => ({ name: `ask ${orderId}`, endsWithWork: false })

type Urgency = 'soon' | 'other'

/** The checkout after a look; undefined if the order could not be read. */
type Looked = CheckoutRecord | 'left to another server' | undefined

/** Follows the orders of bound checkouts. */
export type Tracker = ReturnType<typeof createTracker>

interface Parts {
  readonly orderList: OrderList
  readonly readingTurn: ReadingTurn
  readonly askingTurns: AskingTurns
}

/** @param onChange - Called for each change of a status after it is stored. */
export function createTracker(context: Context, parts: Parts, onChange: (checkout: CheckoutRecord) => void) {
  const { now } = context
  const release = createRelease(context, onChange)
  const recording = createDetailsFirst(context, createRecording(context, release, onChange))
  const { find, ask } = createFindOrder(context, parts, { ...recording, ...release })
  const looks = createLastTimes(maxRemembered, now)

  /**
   * Looks at the order, unless that was done a moment ago. Resolves with undefined if the service
   * could not be asked or gave no usable answer, and with `left to another server` if another
   * server asks or has just asked: its result is in the store a moment later.
   */
  async function look(checkout: CheckoutRecord): Promise<Looked> {
    const orderId = checkout.binding?.orderId
    if (orderId === undefined || looks.sinceMs(orderId) < policy.poll.askEveryMs) return checkout
    looks.note(orderId)
    return find(checkout, orderId)
  }

  return {
    look,
    /**
     * Asks for the details of the order, even if that was done a moment ago. Undefined if the order
     * could not be read.
     *
     * @param needsDetails - Without the list where the details fail for a reason that passes, and
     *   undefined where both show an unknown status.
     */
    lookNow: async (checkout: CheckoutRecord, needsDetails = false): Promise<CheckoutRecord | undefined> => {
      const orderId = checkout.binding?.orderId
      if (orderId === undefined) return checkout
      looks.note(orderId)
      return ask(checkout, orderId, needsDetails)
    },
    /** Whether the order was looked at a moment ago, as it is while a browser polls. */
    isFollowed: ({ binding }: CheckoutRecord) =>
      binding !== null && looks.sinceMs(binding.orderId) < policy.poll.followedMs,
    ...recording,
    unbind: release.unbind,
  }
}

/**
 * Records the details of an order before a list can make it paid, and again while it is
 * `paid_less`: a list may show the requested amounts, whatever came. The list alone counts if
 * details cannot be read, if no budget is spare, and for more than ten payments at once, which
 * would wait for each other.
 */
function createDetailsFirst({ repository, gate, rules }: Context, recording: Recording): Recording {
  const flight = createSingleFlight<CheckoutRecord>()
  const isPaid = ({ status }: Order) => status !== null && rules.phaseOf[status] === 'paid'
  const isNews = (order: Order | undefined, checkout: CheckoutRecord): order is Order =>
    order?.from === 'list' &&
    isPaid(order) &&
    payerPhase(checkout, rules.phaseOf) !== 'paid' &&
    isSettled(checkout.binding)

  const ask = (checkout: CheckoutRecord, order: Order) =>
    flight(order.id, async () => {
      if (!gate.hasSpare()) return checkout
      const details = await ifServiceAnswers(readDetails(gate, checkout, order.id, 'soon'))
      return details ? recording.recordIfNew(checkout, withAmounts(details, order)) : checkout
    })

  return {
    ...recording,
    recordIfNew: async (checkout, order) =>
      recording.recordIfNew(isNews(order, checkout) ? await ask(checkout, order) : checkout, order),
    recordAll: async (orders) => {
      const paid = [...orders].flatMap(([id, order]) => (isPaid(order) ? id : []))
      const checkouts = paid.length === 0 ? [] : await repository.readCheckouts(paid)
      const news = checkouts.flatMap((checkout) => {
        const order = orders.get(checkout.id)
        return isNews(order, checkout) ? [{ checkout, order }] : []
      })
      await Promise.all(news.slice(0, policy.poll.mostDetails).map(({ checkout, order }) => ask(checkout, order)))
      return recording.recordAll(orders)
    },
  }
}

/**
 * Reads the details of a checkout's order. Rejects with a ServiceError also for details that name
 * no order and contradict the checkout: a gateway may have taken them from another order. Other
 * amounts or another coin may be the deposit's if the details show when the order was created.
 */
async function readDetails(gate: Context['gate'], checkout: CheckoutRecord, orderId: string, urgency: Urgency) {
  const order = await gate.orderDetails(orderId, urgency)
  const { instructions } = checkout
  if (!order.isUnnamed || !instructions) return order
  const other = wasCreatedIn(order, attemptWindow(checkout))
    ? otherTarget(order, checkout, instructions)
    : (contradiction(order, checkout, instructions) ?? otherAmounts(order, checkout, instructions))
  const against = other ?? otherTime(order, checkout)
  if (against === null) return order
  const what = `The details name no order, and may be those of another: ${against}`
  throw new ServiceError('invalid_answer', what, { outcome: 'unknown' })
}

function createFindOrder(context: Context, parts: Parts, { recordIfNew, record, unbind }: Recording & Release) {
  const { gate, rules, now, time } = context
  const { askingTurns } = parts
  const reportUnread = createReportUnread(context)
  const { recent, readBack, readFromList } = createListReads(context, parts, reportUnread)
  const flight = createSingleFlight<Looked>()
  let lastLooks: readonly number[] = []
  /** When details last said nothing, or were refused. */
  let uselessAtMs = Number.NEGATIVE_INFINITY

  /**
   * Undefined if the details show no status. Rejects with a ServiceError if the service cannot be
   * asked.
   */
  async function askDetails(checkout: CheckoutRecord, orderId: string): Promise<CheckoutRecord | undefined> {
    const order = await readDetails(gate, checkout, orderId, urgencyOf(checkout, now(), rules.phaseOf))
    const isPaid = order.status !== null && order.status !== checkout.status && rules.phaseOf[order.status] === 'paid'
    // Only the list may show what came.
    const listed = isPaid && !showsAmounts(order) ? await readFromList(checkout, orderId) : undefined
    const after = await recordIfNew(checkout, withAmounts(order, listed === 'not yet' ? undefined : listed))
    if (order.status !== null || after.binding?.orderId !== orderId) return after
    uselessAtMs = now()
    return undefined
  }

  /**
   * Asks for the details and reads the list. To take a status back, both have to show the same, as
   * far as they can be read.
   */
  async function askBoth(checkout: CheckoutRecord, orderId: string): Promise<CheckoutRecord | undefined> {
    const asked = readDetails(gate, checkout, orderId, urgencyOf(checkout, now(), rules.phaseOf))
    const details = unlessServiceFails(asked, (error) =>
      reportUnread(`The details of order ${orderId}`, error, { checkoutId: checkout.id }),
    )
    const both = [await details, await readBack(checkout, orderId, policy.poll.heldListAgeMs)]
    const [first, second] = both.flatMap((order) => (order?.status ? [order] : []))
    if (!first) return undefined
    const isAgreed = !second || second.status === first.status
    const after = await record(checkout.id, withAmounts(first, second), isAgreed ? (second ? 'both' : 'alone') : 'one')
    return second && !isAgreed ? recordIfNew(after, second) : after
  }

  async function askList(checkout: CheckoutRecord, orderId: string, needsStatus = false) {
    const listed = await readFromList(checkout, orderId)
    if (listed === 'not yet') return checkout
    const after = listed ? await recordIfNew(checkout, listed) : undefined
    return needsStatus && listed?.status === null ? undefined : after
  }

  /** Reads the list if the details say nothing or cannot be read. */
  async function orListed<Answer extends Looked>(
    checkout: CheckoutRecord,
    orderId: string,
    asked: Promise<Answer>,
    needsDetails = false,
  ): Promise<Answer | CheckoutRecord | undefined> {
    try {
      return (await asked) ?? (await askList(checkout, orderId, needsDetails))
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      reportUnread(`The details of order ${orderId}`, error, { checkoutId: checkout.id })
      if (isLasting(error)) uselessAtMs = now()
      // The service says that there is no such order.
      const isUnknown = error.code === 'not_found'
      if (needsDetails && !isUnknown && !isLasting(error)) return undefined
      // Services answer in many ways what is no id of an order.
      const known = (await askList(checkout, orderId, needsDetails)) ?? (await letGoOfUnknown(checkout, orderId))
      return known ?? (isUnknown ? checkout : undefined)
    }
  }

  function askInTurn(checkout: CheckoutRecord, orderId: string): Promise<Looked> {
    const work = () => askDetails(checkout, orderId)
    // A server whose request is held off leaves the turn to others. A server that does not know the
    // service's time asks in any case, to learn it.
    const isHeldOff = gate.heldMs(`order ${orderId}`) > 0
    const ask = time().serviceNowMs === null ? askingTurns.always : askingTurns.inTurn
    return orListed(checkout, orderId, isHeldOff ? work() : ask(turnOf(orderId), work))
  }

  /** Undefined while the order is kept: it is known, or new, or the list cannot be read. */
  async function letGoOfUnknown(checkout: CheckoutRecord, orderId: string): Promise<CheckoutRecord | undefined> {
    const why = `the creation named it, and the service has not known it for ${policy.poll.unknownForMs / 60_000} minutes; it is looked for in the list now`
    const isUnknown = (binding: Binding | null) =>
      binding !== null && restsOnIdAlone(binding) && now() > binding.boundAtMs + policy.poll.unknownForMs
    if (!isUnknown(checkout.binding) || (await readBack(checkout, orderId, policy.list.oldServesMs)) !== null) return
    return unbind(checkout.id, orderId, why, isUnknown)
  }

  return {
    /** Asks for the details, even if another server does. */
    ask: (checkout: CheckoutRecord, orderId: string, needsDetails: boolean) => {
      const work = () => askDetails(checkout, orderId)
      return orListed(checkout, orderId, askingTurns.always(turnOf(orderId), work), needsDetails)
    },
    /**
     * Reads an order from the list while many orders are wanted or details say nothing. Otherwise
     * asks for its details, unless another server does.
     */
    find: async (checkout: CheckoutRecord, orderId: string): Promise<Looked> => {
      if (needsBoth(checkout, now()))
        return flight(orderId, () => askingTurns.inTurn(turnOf(orderId), () => askBoth(checkout, orderId)))
      const isBusy = lastLooks.filter((at) => now() - at < policy.poll.askEveryMs).length === policy.poll.fewOrders
      const isUseless = now() - uselessAtMs < policy.poll.detailsUselessMs
      lastLooks = [...lastLooks, now()].slice(-policy.poll.fewOrders)
      // Only details take back what details said of the money.
      const mayBeListed = checkout.arrival?.from !== 'details'
      const listed = mayBeListed
        ? (recent.known(checkout) ?? (isBusy || isUseless ? await recent.read(checkout) : undefined))
        : undefined
      if (listed === 'not yet') return checkout
      return listed?.status ? recordIfNew(checkout, listed) : flight(orderId, () => askInTurn(checkout, orderId))
    },
  }
}

/** Reads an order from the list. Sends nothing while the list is held off. */
function createListReads(context: Context, { orderList, readingTurn }: Parts, reportUnread: ReportUnread) {
  const { gate, now } = context
  const recent = createRecentOrders(context, orderList, {
    inTurn: readingTurn({ servesMs: policy.list.freshMs, restMs: policy.list.restMs }),
    onFailure: (error) => reportUnread('The order list', error),
  })

  /**
   * Reads the list back to the creation of an order. Resolves with null if the list does not show
   * the order, and with undefined if it cannot be read. A failure is reported.
   */
  async function readBack(checkout: CheckoutRecord, orderId: string, maxAgeMs: number) {
    if (gate.heldMs('list') > 0) return undefined
    const reading = orderList.since(orderedSince(checkout), maxAgeMs)
    const listing = await unlessServiceFails(reading, (error) => reportUnread('The order list', error))
    return listing && (listing.orders.find(({ id }) => id === orderId) ?? null)
  }

  /**
   * Reads an order from the list, even an old one: nothing else shows that it was paid. Resolves
   * with `not yet` while the list is being read.
   */
  async function readFromList(checkout: CheckoutRecord, orderId: string) {
    if (gate.heldMs('list') > 0) return undefined
    return now() - checkout.createdAtMs > policy.list.recentMs
      ? readBack(checkout, orderId, policy.list.oldServesMs)
      : recent.read(checkout)
  }

  return { recent, readBack, readFromList }
}

/** Whether a step back has been held long enough: details and list then decide it together. */
export function needsBoth(checkout: CheckoutRecord, nowMs: number): boolean {
  return isHeldLongEnough(checkout, { sentAtMs: nowMs, asOfMs: nowMs })
}

/**
 * The urgency of a request for the order. `soon`: a deposit was seen, or less than two minutes are
 * left to pay.
 */
export function urgencyOf(
  { status, instructions }: CheckoutRecord,
  nowMs: number,
  phaseOf: Meanings['phaseOf'],
): Urgency {
  const phase = phaseOf[status]
  if (phase === 'seen') return 'soon'
  const leftMs = (instructions?.expiresAtMs ?? 0) - nowMs
  return phase === 'waiting' && leftMs >= 0 && leftMs < policy.poll.soonMs ? 'soon' : 'other'
}
