/**
 * What can be known of a small world, found in the plainest way: by listing every way of giving the
 * requests their orders. For tests only; uses none of the server's rules.
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
  /** When its server asked the store, before that, which others were answered. */
  readonly askedAtMs: number
  readonly answeredAtMs: number
  /**
   * When other servers can read the answer: the deposits at its address are listed before it is
   * stored.
   */
  readonly storedAtMs: number
  /** What the `Date` of the answer says: whole seconds. */
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
 * `shared`: what every server knows, whichever looks. `any`: also what only one process knows, or
 * only if it stored the answer to one request before it sent another in the same millisecond.
 */
type Knowledge = 'shared' | 'any'

/** Orders by the ids of the checkouts that could have made them. */
type Assignment = ReadonlyMap<string, Order>

/** Every way to give each request an order of its own that nothing known speaks against. */
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

/**
 * Whether a request is one of some that have the same orders between them, whichever way it was.
 */
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
 * Whether an order shows the creation time that the answer named; else, whether it was created when
 * its `Date` allows.
 */
function fits({ id, createdAt }: Order, request: Request, knowledge: Knowledge): boolean {
  if (request.dateTime !== null) return createdAt === request.dateTime
  const createdMs = timeMs(createdAt)
  // The answer was written at most as long before it came as the request took, and says of its time
  // all but the fraction of a second; the list may show a time without its fraction, too, or round
  // it up.
  const fromMs = request.dateMs - (request.answeredAtMs - request.sentAtMs) - 1_000
  const isInTime = createdMs >= fromMs && createdMs <= request.dateMs + 2_000
  return isInTime && (knowledge === 'shared' || !request.listedBefore.has(id))
}

/** What was sent after the answer to another request made a later order. */
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
