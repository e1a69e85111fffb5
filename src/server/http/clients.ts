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
export function createClients(settings: Settings, now: () => number): Clients {
  const limit = createClientLimit(settings.creationsPerClient, now)
  const shared = new Map<string, { carts: Set<string>; senders: Set<string> }>()
  let isReported = false
  const keyOf = (request: Request) => (settings.clientKey?.(request) || 'everybody').slice(0, maxKeyLength)

  /** Notes clients that seem to be one although a proxy says that they are several. */
  function compare(key: string, request: Request, reference: string): void {
    const senders = proxyHeaders.map((name) => request.headers.get(name) ?? '').join(' ')
    if (isReported || senders.trim() === '' || names(senders, key)) return
    const seen = shared.get(key) ?? { carts: new Set(), senders: new Set() }
    if (shared.size < maxWatched) shared.set(key, seen)
    if (seen.carts.size < manyCarts) seen.carts.add(reference)
    if (seen.senders.size < manySenders) seen.senders.add(senders.slice(0, maxKeyLength))
    if (seen.carts.size < manyCarts || seen.senders.size < manySenders) return
    isReported = true
    shared.clear()
    settings.report(
      new PaywindowError(
        'clients_look_alike',
        'Many carts share one limit although a proxy says that their payers are several. Name the header that your proxy sets: clientKey: fromHeader("x-forwarded-for", { trustedHops: 1 })',
      ),
      {},
    )
  }

  return {
    check: (request) => limit.check(keyOf(request)),
    note: (request, reference) => {
      const key = keyOf(request)
      limit.note(key)
      compare(key, request, reference)
    },
  }
}

/** Whether the client's name is an address that the proxies' headers hold: then the limit goes by them. */
function names(headers: string, key: string): boolean {
  return headers
    .slice(0, 4_096)
    .split(/[,;\s]+/)
    .some((part) => clientAddress(part.replace(/^for=/i, '').replaceAll('"', '')) === key)
}
