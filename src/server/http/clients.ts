/** Limits by client, and reports where several payers share a limit that is meant for one. */
import { LRUCache } from 'lru-cache'
import { PaywindowError } from '../../contract/errors.ts'
import { growingTo } from '../../service/growing-to.ts'
import type { Settings } from '../options.ts'
import { clientAddress, isInnerAddress, ownAddress } from './from-header.ts'

/** Headers in which proxies name the client. */
const proxyHeaders = [
  'x-forwarded-for',
  'forwarded',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
  'fly-client-ip',
]
/** Payers without a name share so many times the limit of a client: one alone cannot use it up. */
const unknownClients = 10
/** With this many carts and senders, a client name means several payers. */
const manyCarts = 10
const manySenders = 3
const maxWatched = 1_000
const maxKeyLength = 200

/** Limits by client. */
export interface Clients {
  /** @throws PaywindowError `rate_limited` when the client has caused as much as it may. */
  check(request: Request, reference: string): void
  /** Counts a checkout that the request caused, or one that the service refused. */
  note(request: Request, reference: string): void
}

/** Counts in this process only. */
export function createClients(
  settings: Pick<Settings, 'creationsPerClient' | 'clientKey' | 'report'>,
  now: () => number,
): Clients {
  const { creationsPerClient, clientKey } = settings
  const limit = createClientLimit(creationsPerClient, now)
  const sharedLimit = createClientLimit(creationsPerClient * unknownClients, now)
  const limitOf = (client: string | undefined) => (client === undefined ? sharedLimit : limit)
  const seenOf = new LRUCache<string, Seen>(growingTo(maxWatched))
  const reportedAtMs = new Map<string, number>()

  function report(what: keyof typeof messages): void {
    if (now() < (reportedAtMs.get(what) ?? Number.NEGATIVE_INFINITY) + reportEveryMs) return
    reportedAtMs.set(what, now())
    settings.report(new PaywindowError('clients_look_alike', messages[what]), {})
  }

  /** Undefined where the name is missing, and where it is that of a proxy. */
  function clientOf(request: Request): string | undefined {
    const name = clientKey?.(request)
    if (!name) return undefined
    const isOfHeader = clientKey !== ownAddress
    const isProxy = isInnerAddress(name) && (isOfHeader ? name === ownAddress(request) : namesOthers(request, name))
    return isProxy ? undefined : ownText(name)
  }

  function noteSeen(client: string, request: Request, reference: string): Seen {
    const seen = seenOf.get(client) ?? { carts: new Set(), senders: new Set() }
    seenOf.set(client, seen)
    if (seen.carts.size < manyCarts) seen.carts.add(ownText(reference))
    if (seen.senders.size < manySenders && namesOthers(request, client)) seen.senders.add(ownText(sendersOf(request)))
    return seen
  }

  return {
    check: (request, reference) => {
      const client = clientOf(request)
      try {
        limitOf(client).check(client ?? '')
      } catch (error) {
        if (client === undefined) report('all refused')
        else if (noteSeen(client, request, reference).carts.size >= manyCarts) report('refused')
        throw error
      }
    },
    note: (request, reference) => {
      const client = clientOf(request)
      limitOf(client).note(client ?? '')
      if (client === undefined) return report('unknown')
      const { carts, senders } = noteSeen(client, request, reference)
      if (carts.size >= manyCarts && senders.size >= manySenders) report('several senders')
    },
  }
}

/** What one client has sent, as far as it is counted. */
interface Seen {
  readonly carts: Set<string>
  /** Texts of proxies' headers that name another than the client. */
  readonly senders: Set<string>
}

const advice =
  'clientKey: fromHeader("x-forwarded-for", { trustedHops: 1 }) behind one proxy, else a name of the visitor that your session knows'
const messages = {
  unknown: `Nothing says which visitor a request comes from, so that all payers share one limit of new checkouts, which one of them can use up. Set ${advice}`,
  'all refused': `A payer was refused because all payers together have used up one limit of new checkouts: nothing says which visitor a request comes from. Set ${advice}`,
  'several senders':
    'Many carts share one limit although a proxy says that their payers are several. Name the header that your proxy sets: clientKey: fromHeader("x-forwarded-for", { trustedHops: 1 })',
  refused:
    'A client was refused that has begun many different carts. Either that is one client, or a proxy in front does not say who its clients are: let it set X-Forwarded-For, and set clientKey: fromHeader("x-forwarded-for", { trustedHops: 1 })',
} as const

/** Each message is reported at most once in this time. */
const reportEveryMs = 3_600_000

/** Whether proxies' headers name somebody, and not this client. */
function namesOthers(request: Request, client: string): boolean {
  const senders = sendersOf(request)
  const addresses = senders.slice(0, 4_096).split(/[,;\s]+/)
  return (
    senders !== '' &&
    !addresses.some((part) => clientAddress(part.replace(/^for=/i, '').replaceAll('"', '')) === client)
  )
}

function sendersOf(request: Request): string {
  return proxyHeaders
    .map((name) => request.headers.get(name) ?? '')
    .join(' ')
    .trim()
}

/** A copy of the text. With a part of a header V8 would keep all of it, which may be 16 KB. */
function ownText(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text.slice(0, maxKeyLength)))
}

const windowMs = 600_000
const maxClients = 100_000
interface ClientLimit {
  /** @throws PaywindowError `rate_limited`, with `retryAfterMs`. */
  check(client: string): void
  /** Counts one thing that the client caused. */
  note(client: string): void
}

/**
 * A used-up limit comes back piece by piece, not at once after ten minutes: where a client is
 * several payers, none waits long.
 *
 * @param most - What a client may cause at once, and again in each ten minutes.
 */
export function createClientLimit(most: number, now: () => number): ClientLimit {
  const pieceMs = windowMs / most
  /** When each client has all of its limit again. Clients noted longest ago are forgotten first. */
  const wholeAtMs = new LRUCache<string, number>(growingTo(maxClients))
  const wholeAt = (client: string) => wholeAtMs.peek(client) ?? 0

  return {
    check: (client) => {
      const retryAfterMs = wholeAt(client) + pieceMs - windowMs - now()
      // Less than a millisecond is a rounding error: a piece may be no whole number.
      if (retryAfterMs < 1) return
      const what = 'Too many new payments were started from here: try again in a moment'
      throw new PaywindowError('rate_limited', what, { retryAfterMs })
    },
    note: (client) => {
      wholeAtMs.set(client, Math.max(wholeAt(client), now()) + pieceMs)
    },
  }
}
