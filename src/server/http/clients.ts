/**
 * Names clients by the header that a proxy sets, limits each, and reports several payers who share
 * one client's limit.
 */
import ipaddr from 'ipaddr.js'
import { PaywindowError } from '../../contract/errors.ts'
import { checkNames } from '../../contract/option-names.ts'
import { createLru } from '../../service/lru.ts'
import type { Settings } from '../options.ts'
import { hashOf } from '../records/ids.ts'

/** Headers in which proxies name the client. */
const proxyHeaders = [
  'x-forwarded-for',
  'forwarded',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
  'fly-client-ip',
]
/** Unnamed payers share the limits of this many clients, so that one alone cannot use them up. */
const unknownClients = 10
/** With this many carts and senders, a client name means several payers. */
const manyCarts = 10
const manySenders = 3
const maxWatched = 1_000
const maxKeyLength = 200

/** Limits by client. */
export type Clients = ReturnType<typeof createClients>

/** Counts in this process only. */
export function createClients(
  settings: Pick<Settings, 'creationsPerClient' | 'clientKey' | 'report'>,
  now: () => number,
) {
  const { creationsPerClient, clientKey } = settings
  const limit = createClientLimit(creationsPerClient, now)
  const sharedLimit = createClientLimit(creationsPerClient * unknownClients, now)
  const limitOf = (client: string | undefined) => (client === undefined ? sharedLimit : limit)
  /** The carts of a client, and the values of proxies' headers that do not name it. */
  const seenOf = createLru<Record<'carts' | 'senders', Set<string>>>(maxWatched)
  const reportedAtMs = new Map<string, number>()

  function report(what: keyof typeof messages): void {
    if (now() < (reportedAtMs.get(what) ?? Number.NEGATIVE_INFINITY) + reportEveryMs) return
    reportedAtMs.set(what, now())
    settings.report(new PaywindowError('clients_look_alike', messages[what]), {})
  }

  /**
   * Undefined if the name is missing, or is that of a proxy.
   *
   * @throws PaywindowError `callback_failed`
   */
  function clientOf(request: Request): string | undefined {
    let name: unknown
    try {
      name = clientKey?.(request)
    } catch (cause) {
      throw new PaywindowError('callback_failed', 'clientKey threw: see its cause', { cause })
    }
    if (!name) return undefined
    // A promise would be one name for all payers, and its rejection would end the process.
    if (name instanceof Promise) name.catch(() => undefined)
    if (typeof name !== 'string') throw new PaywindowError('callback_failed', 'clientKey must return a text at once')
    const isOfHeader = clientKey !== ownAddress
    const isProxy = isInnerAddress(name) && (isOfHeader ? name === ownAddress(request) : namesOthers(request, name))
    return isProxy ? undefined : ownText(name)
  }

  function noteSeen(client: string, request: Request, reference: string) {
    const seen = seenOf.get(client) ?? { carts: new Set(), senders: new Set() }
    seenOf.set(client, seen)
    if (seen.carts.size < manyCarts) seen.carts.add(ownText(reference))
    if (seen.senders.size < manySenders && namesOthers(request, client)) seen.senders.add(ownText(sendersOf(request)))
    return seen
  }

  return {
    /** @throws PaywindowError `rate_limited` when the client has reached its limit. */
    check: (request: Request, reference: string) => {
      const client = clientOf(request)
      try {
        limitOf(client).check(client ?? '')
      } catch (error) {
        if (client === undefined) report('all refused')
        else if (noteSeen(client, request, reference).carts.size >= manyCarts) report('refused')
        throw error
      }
    },
    /** Counts a checkout that the request created, or that the service refused. */
    note: (request: Request, reference: string) => {
      const client = clientOf(request)
      limitOf(client).note(client ?? '')
      if (client === undefined) return report('unknown')
      const { carts, senders } = noteSeen(client, request, reference)
      if (carts.size >= manyCarts && senders.size >= manySenders) report('several senders')
    },
  }
}

const advice =
  'clientKey: fromHeader("x-forwarded-for", { trustedHops: 1 }) behind one proxy, else a name of the visitor that your session knows'
const messages = {
  unknown: `Nothing says which visitor a request comes from, so that all payers share one limit of new checkouts, which one of them can use up. Set ${advice}`,
  'all refused': `A payer was refused because all payers together have used up one limit of new checkouts: nothing says which visitor a request comes from. Set ${advice}`,
  'several senders':
    'Many carts share one limit, although a proxy names several payers. Name the header that your proxy sets: clientKey: fromHeader("x-forwarded-for", { trustedHops: 1 })',
  refused:
    'A client was refused that has begun many different carts. Either that is one client, or a proxy in front does not say who its clients are: let it set X-Forwarded-For, and set clientKey: fromHeader("x-forwarded-for", { trustedHops: 1 })',
} as const

/** Each message is reported at most this often. */
const reportEveryMs = 3_600_000

/** Whether proxies' headers name another client. */
function namesOthers(request: Request, client: string): boolean {
  const senders = sendersOf(request)
  if (senders === '') return false
  const addresses = senders.slice(0, 4_096).split(/[,;\s]+/)
  return !addresses.some((part) => clientAddress(part.replace(/^for=/i, '').replaceAll('"', '')) === client)
}

function sendersOf(request: Request): string {
  return proxyHeaders
    .map((name) => request.headers.get(name) ?? '')
    .join(' ')
    .trim()
}

/**
 * A copy of the text, or the hash of a long one, such as a token: two may begin alike. With a part of
 * a header V8 would keep all of it, which may be 16 KB.
 */
function ownText(text: string): string {
  return text.length > maxKeyLength ? hashOf(text) : new TextDecoder().decode(new TextEncoder().encode(text))
}

const windowMs = 600_000
const maxClients = 100_000

/**
 * A used-up limit comes back piece by piece, not at once after ten minutes, so that no payer of a
 * shared client waits long.
 *
 * @param most - How often a client may create at once, and again in each ten minutes.
 */
export function createClientLimit(most: number, now: () => number) {
  const pieceMs = windowMs / most
  /** When each client has its whole limit again. The oldest are forgotten first. */
  const wholeAtMs = createLru<number>(maxClients)
  const wholeAt = (client: string) => wholeAtMs.peek(client) ?? 0

  return {
    /** @throws PaywindowError `rate_limited`, with `retryAfterMs`. */
    check: (client: string) => {
      const retryAfterMs = wholeAt(client) + pieceMs - windowMs - now()
      // Less than a millisecond is a rounding error.
      if (retryAfterMs < 1) return
      const what = 'Too many new payments were started from here: try again in a moment'
      throw new PaywindowError('rate_limited', what, { retryAfterMs })
    },
    /** Counts one creation of the client. */
    note: (client: string) => void wholeAtMs.set(client, Math.max(wholeAt(client), now()) + pieceMs),
  }
}

/** Trusted proxies write at the end. A client may have written the rest. */
const endLength = 4_096

/**
 * Names a client by the address that your proxy says. Use it as `clientKey` where every request
 * comes through that proxy: whoever can bypass it can forge the header.
 *
 * `x-forwarded-for` and `forwarded` are lists. Each proxy adds its caller at the end, and a client
 * may have written the beginning. With one proxy the last address counts, with two the last but
 * one. Other headers, such as `x-real-ip`, `cf-connecting-ip`, `true-client-ip` and
 * `fly-client-ip`, hold one address, which the proxy has to set anew on each request.
 *
 * If the header is missing, too short or no address, the client is the socket's address: the
 * proxy's, for all such requests.
 *
 * @param header - The header's name, in any case.
 * @param options - `trustedHops`, for lists only: how many proxies of yours a request passes, 1 to
 *   10. Default 1. A number that is too high trusts what the client wrote.
 * @returns An IPv4 address, the /64 network of an IPv6 address, or undefined when not even the
 *   socket's address is known.
 * @throws PaywindowError `invalid_options`
 *
 * @example
 * ```ts
 * const clientKey = fromHeader('x-forwarded-for', { trustedHops: 1 })
 * const headers = { 'x-forwarded-for': '198.51.100.9, 203.0.113.7' }
 * clientKey(new Request('https://shop.example', { headers })) // => '203.0.113.7'
 * ```
 */
export function fromHeader(
  header: string,
  options: { readonly trustedHops?: number } = {},
): (request: Request) => string | undefined {
  const name = header.toLowerCase()
  checkNames('fromHeader', options, { trustedHops: 0 })
  const { trustedHops = 1 } = options
  if (!/^[!#$%&'*+.^_`|~\da-z-]{1,100}$/.test(name)) throw invalid(`${JSON.stringify(header)} is not a header's name`)
  if (!Number.isInteger(trustedHops) || trustedHops < 1 || trustedHops > 10)
    throw invalid('trustedHops must be a whole number from 1 to 10')
  const isList = name === 'x-forwarded-for' || name === 'forwarded'
  if (!isList && trustedHops !== 1) throw invalid(`${name} holds one address: trustedHops is for lists`)

  return (request) => {
    const value = request.headers.get(name) ?? ''
    const entry = isList ? value.slice(-endLength).split(',').at(-trustedHops) : value
    const text = name === 'forwarded' ? forIn(entry ?? '') : (entry ?? '')
    return clientAddress(text) ?? ownAddress(request)
  }
}

const socketAddresses = new WeakMap<Request, string>()

/** Called by listeners, which make the `Request`. */
export function noteSocketAddress(request: Request, address: string): void {
  socketAddresses.set(request, address)
}

/** The socket's address as `clientAddress` writes it. Undefined without a listener of ours. */
export function ownAddress(request: Request): string | undefined {
  const address = socketAddresses.get(request)
  return address === undefined ? undefined : (clientAddress(address) ?? address)
}

/** The `for` of an element of `Forwarded`; empty where it has none or two. @see RFC 7239 */
function forIn(element: string): string {
  const values = element
    .split(';')
    .map((pair) => /^\s*for\s*=\s*("?)([^"\s]*)\1\s*$/i.exec(pair)?.[2])
    .filter((value) => value !== undefined)
  return values.length === 1 ? (values[0] ?? '') : ''
}

function invalid(message: string): PaywindowError {
  return new PaywindowError('invalid_options', `clientKey: ${message}`)
}

/**
 * One text for each client: an IPv4 address, or the /64 network of an IPv6 address, which providers
 * assign to one customer. A port is left out.
 *
 * @returns Undefined when the text is no address.
 */
export function clientAddress(text: string): string | undefined {
  const address = withoutPort(text.trim())
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address).toString()
  if (!/^[\da-f:.]{2,45}$/i.test(address) || !ipaddr.IPv6.isValid(address)) return undefined
  const parsed = ipaddr.IPv6.parse(address)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  // A server without IPv4 sees all IPv4 clients in one network (NAT64).
  if (['rfc6052', 'rfc6145'].includes(parsed.range())) return new ipaddr.IPv4(parsed.toByteArray().slice(-4)).toString()
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}

const innerRanges = ['unspecified', 'loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']

/** Whether a text of `clientAddress` is of this machine or a private network, where proxies are. */
function isInnerAddress(client: string): boolean {
  const address = client.replace(/\/64$/, '')
  return ipaddr.isValid(address) && innerRanges.includes(ipaddr.parse(address).range())
}

/** `192.0.2.1:4711` and `[2001:db8::1]:4711` as proxies write them, or the address alone. */
function withoutPort(text: string): string {
  const [, bracketed] = /^\[([^\]]{0,64})\](?::\d{1,5})?$/.exec(text) ?? []
  const [, plain] = /^(\d[\d.]{0,14}):\d{1,5}$/.exec(text) ?? []
  return bracketed ?? plain ?? text
}
