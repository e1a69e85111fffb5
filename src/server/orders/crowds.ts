/** Which requests have to do with each other, because they could want the same orders or came one after the other. */
import type { AnsweredRequest } from './in-order.ts'

/** The places of the requests that each order fits. */
export type PlacesByOrder = ReadonlyMap<string, readonly number[]>

/** In the sequence of the requests. */
export function placesByOrder(requests: readonly AnsweredRequest[]): PlacesByOrder {
  const places = new Map<string, number[]>()
  for (const [at, { fits }] of requests.entries())
    for (const order of fits) {
      const known = places.get(order)
      if (known) known.push(at)
      else places.set(order, [at])
    }
  return places
}

/** The requests that could want the same orders as one of them, directly or through others, and their places. That one is the first. */
export function crowdOf(
  requests: readonly AnsweredRequest[],
  own: number,
): { readonly crowd: readonly AnsweredRequest[]; readonly places: readonly number[] } {
  const places = reachedFrom(own, createSharing(requests, placesByOrder(requests)))
  const newPlaces = new Map(places.map((place, at) => [place, at]))
  const crowd = places
    .flatMap((place) => requests[place] ?? [])
    .map(({ fits, after }) => ({ fits, after: new Set([...after].flatMap((place) => newPlaces.get(place) ?? [])) }))
  return { crowd, places }
}

/** Parts of a crowd between which nothing is shared and no sequence counts, by their places; that of the first comes first. */
export function partsOf(requests: readonly AnsweredRequest[], placesOf: PlacesByOrder): readonly (readonly number[])[] {
  const later: number[][] = requests.map(() => [])
  for (const [at, { after }] of requests.entries()) for (const before of after) later[before]?.push(at)
  const sharing = createSharing(requests, placesOf)
  const next = (at: number) => [...sharing(at), ...(requests[at]?.after ?? []), ...(later[at] ?? [])]
  const done = new Set<number>()
  return [...requests.keys()].flatMap((at) => {
    if (done.has(at)) return []
    const part = reachedFrom(at, next)
    for (const each of part) done.add(each)
    return [part]
  })
}

/** The requests that share an order with one. Each order is looked at once: who shares it is known by then. */
function createSharing(requests: readonly AnsweredRequest[], placesOf: PlacesByOrder): (at: number) => number[] {
  const seen = new Set<string>()
  return (at) => {
    const fresh = [...(requests[at]?.fits ?? [])].filter((order) => !seen.has(order))
    for (const order of fresh) seen.add(order)
    return fresh.flatMap((order) => placesOf.get(order) ?? [])
  }
}

function reachedFrom(own: number, next: (at: number) => readonly number[]): readonly number[] {
  const reached = new Set([own])
  for (const each of reached) for (const at of next(each)) reached.add(at)
  return [...reached]
}
