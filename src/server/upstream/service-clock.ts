/**
 * Estimates the service's clock from the `Date` headers of its answers. Each header gives two bounds: it has whole seconds, and was
 * written at some moment between request and answer, which can be many seconds apart.
 */
import { PaywindowError } from '../../contract/errors.ts'
import type { ServiceOptions } from '../../service/options.ts'
import type { ServiceClient, Timing } from '../../service/types.ts'
import type { Report } from '../observing/occurrence.ts'
import { isOfThisMachine } from './service-gate.ts'

/** The estimate from the answers so far. */
interface ServiceClock {
  /** Takes over a `Date` header; the other two by our own clock. All are ms since the epoch. */
  note(answer: { dateMs: number; sentAtMs: number; answeredAtMs: number }): void
  /**
   * How far the service's clock is ahead of ours, in ms; null before the first answer. At most a second too little, so that a quote may end early, never late.
   */
  aheadMs(): number | null
  /** The service's time as its last answer said it, and what has passed since by a clock that nobody sets, as ours may have been; null before the first answer. */
  nowMs(): number | null
}

interface Bounds {
  readonly leastMs: number
  readonly mostMs: number
}

/** Knows nothing until the first answer. */
export function createServiceClock(monotonicMs: () => number): ServiceClock {
  let bounds: Bounds | null = null
  /** How far the service's last `Date` was ahead of the monotonic clock. */
  let lastAheadMs: number | null = null
  /** What the last answer said, if it contradicts the ones before. */
  let doubted: Bounds | null = null
  return {
    note: ({ dateMs, sentAtMs, answeredAtMs }) => {
      const next = { leastMs: dateMs - answeredAtMs, mostMs: dateMs + 1_000 - sentAtMs }
      const both = bounds && common(bounds, next)
      // Bounds that exclude each other mean that one of the two clocks was set in between, or that one header is wrong: a second
      // answer has to say the same.
      const again = both === null && doubted ? common(doubted, next) : null
      if (bounds === null) bounds = next
      else if (both ?? again) bounds = both ?? again
      doubted = (both ?? again) ? null : next
      lastAheadMs = dateMs - monotonicMs()
    },
    aheadMs: () => bounds && Math.max(bounds.leastMs, bounds.mostMs - 1_000),
    nowMs: () => (lastAheadMs === null ? null : lastAheadMs + monotonicMs()),
  }
}

/** The bounds that both answers allow; null if they contradict each other. */
function common(left: Bounds, right: Bounds): Bounds | null {
  const leastMs = Math.max(left.leastMs, right.leastMs)
  const mostMs = Math.min(left.mostMs, right.mostMs)
  return leastMs <= mostMs ? { leastMs, mostMs } : null
}

/** Wraps the client so that its answers set the clock. Anything else, such as a gateway's error page, sets nothing. */
export function timedBy(clock: ServiceClock, client: ServiceClient): ServiceClient {
  const noted = <Answer extends { readonly timing: Timing }>(answer: Answer): Answer => {
    const { serviceDateMs: dateMs, sentAtMs, answeredAtMs } = answer.timing
    if (dateMs !== null) clock.note({ dateMs, sentAtMs, answeredAtMs })
    return answer
  }
  return {
    ...client,
    createOrder: async (request) => noted(await client.createOrder(request)),
    listOrders: async (query) => noted(await client.listOrders(query)),
    orderDetails: async (id) => noted(await client.orderDetails(id)),
  }
}

/** More than an answer takes, or a clock that is kept in step drifts. */
const mostMs = 30_000
const reportEveryMs = 3_600_000

interface ClockCheckParts {
  readonly settings: { readonly service: Pick<ServiceOptions, 'baseUrl'>; readonly report: Report }
  time(): { readonly nowMs: number; readonly serviceNowMs: number | null }
}

/** Returns a function that looks once. It knows nothing before the first answer of the service. */
export function createClockCheck({ settings, time }: ClockCheckParts): () => void {
  let reportedAtMs = Number.NEGATIVE_INFINITY
  // A service on the same machine has the same clock, and a sandbox moves its own on purpose.
  if (isOfThisMachine(new URL(settings.service.baseUrl).hostname)) return () => {}
  return () => {
    const { nowMs, serviceNowMs } = time()
    if (serviceNowMs === null || Math.abs(nowMs - serviceNowMs) <= mostMs || nowMs - reportedAtMs < reportEveryMs)
      return
    reportedAtMs = nowMs
    const seconds = Math.round(Math.abs(nowMs - serviceNowMs) / 1_000)
    settings.report(
      new PaywindowError(
        'clock_differs',
        `This server's clock is ${seconds} s ${nowMs > serviceNowMs ? 'ahead of' : 'behind'} the service's. Keep it in step (NTP): quotes may end early`,
      ),
      {},
    )
  }
}
