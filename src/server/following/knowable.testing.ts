/**
 * The knowable facts of a small world, by listing every assignment of orders to requests. For tests
 * only; uses none of the server's rules.
 */

/**
 * An answered creation request whose address a payer was shown. Times are those of one clock that
 * all share.
 */
export interface Request {
  readonly checkoutId: string
  /** The order that it made: known to the test, and to no server. */
  readonly ownId: string
  readonly sentAtMs: number
  /** When its server had asked the store which other requests were answered. */
  readonly askedAtMs: number
  readonly answeredAtMs: number
  /** When other servers can read the answer. */
  readonly storedAtMs: number
  /** The `Date` of the answer: whole seconds. */
  readonly dateMs: number
  /** The creation time that the answer named; null where it named none. */
  readonly dateTime: string | null
  /** Orders that the server which sent it had seen in the list by then. */
  readonly listedBefore: ReadonlySet<string>
}

/**
 * An order of the list, as it shows it. All orders of a small world have the same assets and
 * amounts.
 */
export interface Order {
  readonly id: string
  readonly createdAt: string
}

/**
 * `shared`: the knowledge of every server. `any`: also that of a single process, or of the sequence
 * within a millisecond.
 */
type Knowledge = 'shared' | 'any'

/** Orders by the ids of the checkouts that could have made them. */
type Assignment = ReadonlyMap<string, Order>

/** Every assignment of an order to each request that no known fact contradicts. */
export function assignments(
  requests: readonly Request[],
  orders: readonly Order[],
  knowledge: Knowledge,
): readonly Assignment[] {
  const all = requests.reduce<readonly Assignment[]>(
    (given, request) =>
      given.flatMap((assignment) =>
        orders
          .filter((order) => ![...assignment.values()].includes(order) && fits(order, request, knowledge))
          .map((order) => new Map([...assignment, [request.checkoutId, order]])),
      ),
    [new Map()],
  )
  return all.filter((assignment) => isInOrder(assignment, requests, knowledge))
}

/** The only order that may be a request's own, or undefined. */
export function soleOrder(ways: readonly Assignment[], { checkoutId }: Request): string | undefined {
  const ids = new Set(ways.map((way) => way.get(checkoutId)?.id))
  return ids.size === 1 ? [...ids][0] : undefined
}

/** Whether a request belongs to a group that has the same orders in every assignment. */
export function isInClosedGroup(ways: readonly Assignment[], { checkoutId }: Request): boolean {
  const ids = [...(ways[0]?.keys() ?? [])]
  return subsets(ids).some((group) => {
    if (!group.includes(checkoutId)) return false
    const between = ways.map((way) =>
      group
        .map((id) => way.get(id)?.id ?? '')
        .sort()
        .join(' '),
    )
    return new Set(between).size === 1
  })
}

/**
 * Whether an order has the creation time that the answer named or, without one, a time that the
 * `Date` allows.
 */
function fits({ id, createdAt }: Order, request: Request, knowledge: Knowledge): boolean {
  if (request.dateTime !== null) return createdAt === request.dateTime
  const createdMs = timeMs(createdAt)
  // The answer was written during the request, and its `Date` lacks the fraction of a second. The
  // list may lack it, too, or round it up.
  const fromMs = request.dateMs - (request.answeredAtMs - request.sentAtMs) - 1_000
  const isInTime = createdMs >= fromMs && createdMs <= request.dateMs + 2_000
  return isInTime && (knowledge === 'shared' || !request.listedBefore.has(id))
}

/** Whether each request that was sent after another's answer has a later order. */
function isInOrder(assignment: Assignment, requests: readonly Request[], knowledge: Knowledge): boolean {
  const isBefore = (first: Request, second: Request) =>
    knowledge === 'shared' ? first.storedAtMs < second.askedAtMs : first.answeredAtMs <= second.sentAtMs
  const createdMs = ({ checkoutId }: Request) => timeMs(assignment.get(checkoutId)?.createdAt ?? '')
  return requests.every((first) =>
    requests.every((second) => first === second || !isBefore(first, second) || createdMs(first) <= createdMs(second)),
  )
}

/** With the digits that `Date.parse` leaves out. */
function timeMs(text: string): number {
  const [second = '', fraction = '0'] = text.replace('Z', '').split('.')
  return Date.parse(`${second}Z`) + Number(`0.${fraction}`) * 1_000
}

function subsets<Value>(values: readonly Value[]): readonly (readonly Value[])[] {
  return Array.from({ length: 2 ** values.length }, (_, bits) => values.filter((_, at) => (bits >> at) & 1))
}
