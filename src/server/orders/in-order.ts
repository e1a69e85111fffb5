/** What the sequence of requests says of their orders: a request that was sent after another's answer has a later one. */

/** The orders that fit a request, by their ids. */
export type Fits = ReadonlySet<string>

/** A request that was answered so long ago that the list shows its order. */
export interface AnsweredRequest {
  readonly fits: Fits
  /** Places of the requests whose answers were known before this one was sent. */
  readonly after: ReadonlySet<number>
}

/** When the service created an order, ms since its epoch. */
export type CreatedMs = (orderId: string) => number

/**
 * The requests without the orders that are too early for one that was sent after another's answer, or too late for that other one,
 * whichever of its orders each has.
 */
export function inOrder(requests: readonly AnsweredRequest[], createdMs: CreatedMs): readonly AnsweredRequest[] {
  const spans = requests.map(({ fits }) => spanOf(fits, createdMs))
  const bounds = boundsOf(requests, spans)
  const left = requests.map((request, at): AnsweredRequest => {
    const [span, bound] = [spans[at], bounds[at]]
    if (!span || !bound || (span.fromMs >= bound.fromMs && span.toMs <= bound.toMs)) return request
    const canBe = (atMs: number) => !(atMs < bound.fromMs) && !(atMs > bound.toMs)
    return { ...request, fits: new Set([...request.fits].filter((order) => canBe(createdMs(order)))) }
  })
  return left.some(({ fits }, at) => fits.size !== requests[at]?.fits.size) ? inOrder(left, createdMs) : requests
}

/** The times of the first and the last of some orders; `NaN` where one of them has none. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** Unlimited where there are no orders. */
export function spanOf(fits: Fits, createdMs: CreatedMs): Span {
  if (fits.size === 0) return { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }
  let [fromMs, toMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const order of fits) {
    fromMs = Math.min(fromMs, createdMs(order))
    toMs = Math.max(toMs, createdMs(order))
  }
  return { fromMs, toMs }
}

/** Between which times the order of each request was made, as the requests before and after it say. A time that is not known says nothing. */
function boundsOf(requests: readonly AnsweredRequest[], spans: readonly Span[]): readonly Span[] {
  const bounds = requests.map(() => ({ fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }))
  for (const [at, { after }] of requests.entries())
    for (const before of after) {
      const [own, others] = [bounds[at], bounds[before]]
      const [span, othersSpan] = [spans[at], spans[before]]
      if (!own || !others || !span || !othersSpan) continue
      if (othersSpan.fromMs > own.fromMs) own.fromMs = othersSpan.fromMs
      if (span.toMs < others.toMs) others.toMs = span.toMs
    }
  return bounds
}
