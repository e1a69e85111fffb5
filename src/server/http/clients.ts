/** Identifies the client of a request for limits, and reports when all payers seem to be one client. */
import { PaywindowError } from '../../contract/errors.ts'
import type { Settings } from '../options.ts'
import { clientAddress } from './client-address.ts'
import { createClientLimit } from './limits.ts'

/** Headers in which proxies name the client. */
const proxyHeaders = [
  'x-forwarded-for',
  'forwarded',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
  'fly-client-ip',
]
/** With this many carts and senders, one client name covers several payers. */
const manyCarts = 10
const manySenders = 3
const maxWatched = 1_000
const maxKeyLength = 200

/** Limits by client. */
export interface Clients {
  /** @throws PaywindowError `rate_limited` when the request's client has caused as much as it may. */
  check(request: Request): void
  /** Counts a checkout that the request caused, or one that the service refused. */
  note(request: Request, reference: string): void
}

/** Counts in this process only. */
export function createClients(
  settings: Pick<Settings, 'creationsPerClient' | 'clientKey' | 'report'>,
  now: () => number,
): Clients {
  const limit = createClientLimit(settings.creationsPerClient, now)
  const seenOf = new Map<string, Seen>()
  const reportOnce = createReports(settings)
  const keyOf = (request: Request) => (settings.clientKey?.(request) || 'everybody').slice(0, maxKeyLength)

  function noteSeen(key: string, request: Request, reference: string): void {
    const senders = proxyHeaders.map((name) => request.headers.get(name) ?? '').join(' ')
    const seen = seenOf.get(key) ?? { carts: new Set(), senders: new Set() }
    if (seenOf.size < maxWatched) seenOf.set(key, seen)
    if (seen.carts.size < manyCarts) seen.carts.add(reference)
    const isOther = senders.trim() !== '' && !names(senders, key)
    if (isOther && seen.senders.size < manySenders) seen.senders.add(senders.slice(0, maxKeyLength))
    if (seen.carts.size >= manyCarts && seen.senders.size >= manySenders) reportOnce('several senders')
  }

  return {
    check: (request) => {
      const key = keyOf(request)
      try {
        limit.check(key)
      } catch (error) {
        if ((seenOf.get(key)?.carts.size ?? 0) >= manyCarts) reportOnce('refused')
        throw error
      }
    },
    note: (request, reference) => {
      const key = keyOf(request)
      limit.note(key)
      noteSeen(key, request, reference)
    },
  }
}

/** What one client has sent, as far as it is counted. */
interface Seen {
  readonly carts: Set<string>
  /** What proxies' headers said, where that is not the client. */
  readonly senders: Set<string>
}

const messages = {
  'several senders':
    'Many carts share one limit although a proxy says that their payers are several. Name the header that your proxy sets: clientKey: fromHeader("x-forwarded-for", { trustedHops: 1 })',
  refused:
    'A client was refused that has begun many different carts. Either that is one client, or a proxy in front does not say who its clients are: let it set X-Forwarded-For, and set clientKey: fromHeader("x-forwarded-for", { trustedHops: 1 })',
} as const

/** Reports each of the two once. */
function createReports({ report }: Pick<Settings, 'report'>): (what: keyof typeof messages) => void {
  const done = new Set<string>()
  return (what) => {
    if (done.has(what)) return
    done.add(what)
    report(new PaywindowError('clients_look_alike', messages[what]), {})
  }
}

/** Whether the client's name is an address that the proxies' headers hold: then the limit goes by them. */
function names(headers: string, key: string): boolean {
  return headers
    .slice(0, 4_096)
    .split(/[,;\s]+/)
    .some((part) => clientAddress(part.replace(/^for=/i, '').replaceAll('"', '')) === key)
}
