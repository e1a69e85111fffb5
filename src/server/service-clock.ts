/**
 * The service's clock, as the `Date` headers of its answers tell it. Each header gives bounds: it has whole seconds, and was
 * written at some moment between the request and the answer, which can lie many seconds apart.
 */

/** What the answers so far say. */
interface ServiceClock {
  /** Takes over a `Date` header; the other two by our own clock. All are ms since the epoch. */
  note(answer: { dateMs: number; sentAtMs: number; answeredAtMs: number }): void
  /**
   * How far the service's clock is ahead of ours, in ms; null before the first answer. At most a second too little: what ends by
   * the service's clock is held to have ended rather too early.
   */
  aheadMs(): number | null
}

export function createServiceClock(): ServiceClock {
  let bounds: { readonly leastMs: number; readonly mostMs: number } | null = null
  return {
    note: ({ dateMs, sentAtMs, answeredAtMs }) => {
      const next = { leastMs: dateMs - answeredAtMs, mostMs: dateMs + 1_000 - sentAtMs }
      const both = bounds && {
        leastMs: Math.max(bounds.leastMs, next.leastMs),
        mostMs: Math.min(bounds.mostMs, next.mostMs),
      }
      // Bounds that exclude each other mean that one of the two clocks was set in between.
      bounds = both && both.leastMs <= both.mostMs ? both : next
    },
    aheadMs: () => bounds && Math.max(bounds.leastMs, bounds.mostMs - 1_000),
  }
}
