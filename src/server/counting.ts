/**
 * Counting as evidence. A request that was answered made an order, and after a while the list shows it: so each such request has
 * an order of its own among those that fit it. Orders of others and of lost requests may be there or not; they prove nothing.
 */

/** The orders that fit a request whose order the list shows, by their ids. */
export type Fits = ReadonlySet<string>

/**
 * The orders that may be a request's own, when every request has one: those that leave an order for each of the others.
 * None when the requests cannot all have one, so that something that was taken for certain is not.
 *
 * @param requests - What fits each request.
 * @param own - Which of them is asked about.
 */
export function possibleOrders(requests: readonly Fits[], own: number): readonly string[] {
  const holders = matching(requests)
  if (holders === undefined) return []
  return [...(requests[own] ?? [])].filter((order) => canHave(requests, holders, own, order))
}

/**
 * Requests that have exactly as many orders between them as they are: each of these orders is one of theirs, and only which is whose
 * is open. Undefined where there are more orders than requests.
 *
 * @returns An order for each request of the group that `own` belongs to, by the request's place.
 */
export function closedGroup(requests: readonly Fits[], own: number): ReadonlyMap<number, string> | undefined {
  const holders = matching(requests)
  if (holders === undefined) return undefined
  const group = new Set([own])
  const orders = new Set<string>()
  for (const request of group) {
    for (const order of possibleOrders(requests, request)) {
      const holder = holders.get(order)
      if (holder === undefined) return undefined
      orders.add(order)
      group.add(holder)
    }
  }
  return new Map([...orders].map((order) => [holders.get(order) ?? own, order]))
}

/** Whether all requests can have an order when one of them has this one. */
function canHave(requests: readonly Fits[], holders: ReadonlyMap<string, number>, own: number, order: string): boolean {
  const holder = holders.get(order)
  if (holder === own) return true
  const changed = new Map([...holders].filter(([, request]) => request !== own))
  changed.set(order, own)
  return holder === undefined || place(requests, changed, holder, new Set([order]))
}

/** Gives each request an order of its own: who holds which. Undefined when that cannot be. */
function matching(requests: readonly Fits[]): Map<string, number> | undefined {
  const holders = new Map<string, number>()
  const all = requests.every((_, request) => place(requests, holders, request, new Set()))
  return all ? holders : undefined
}

/** Gives a request an order that is free, or that its holder can change for another. */
function place(requests: readonly Fits[], holders: Map<string, number>, request: number, tried: Set<string>): boolean {
  for (const order of requests[request] ?? []) {
    if (tried.has(order)) continue
    tried.add(order)
    const holder = holders.get(order)
    if (holder !== undefined && !place(requests, holders, holder, tried)) continue
    holders.set(order, request)
    return true
  }
  return false
}
