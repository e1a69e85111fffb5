/** Names the client of a request, by a header of the merchant's own proxy or by the socket. */
import ipaddr from 'ipaddr.js'
import { PaywindowError } from '../../contract/errors.ts'
import { checkNames } from '../../contract/option-names.ts'

/** Trusted proxies write at the end. Before it a client can write what a proxy lets through. */
const endLength = 4_096

/**
 * Names a client by the address that your proxy says. Use it as `clientKey` where every request
 * comes through that proxy: whoever can bypass it can forge the header.
 *
 * `x-forwarded-for` and `forwarded` are lists. Each proxy adds its caller at the end, so the end is
 * yours, and a client may have written the beginning. With one proxy the last address counts, with
 * two the last but one. Other headers, such as `x-real-ip`, `cf-connecting-ip`, `true-client-ip`
 * and `fly-client-ip`, hold one address, which the proxy has to set anew on each request.
 *
 * Where the header is missing, too short or no address, the client is the socket's address: the
 * proxy's, which all such requests share.
 *
 * @param header - The header's name, in any case.
 * @param options - `trustedHops`, for lists only: how many proxies of yours a request passes, 1 to
 *   10. Default 1. A number that is too high takes what the client wrote.
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

/** For listeners, which make the `Request`. */
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
export function isInnerAddress(client: string): boolean {
  const address = client.replace(/\/64$/, '')
  return ipaddr.isValid(address) && innerRanges.includes(ipaddr.parse(address).range())
}

/** `192.0.2.1:4711` and `[2001:db8::1]:4711` as proxies write them, or the address alone. */
function withoutPort(text: string): string {
  const [, bracketed] = /^\[([^\]]{0,64})\](?::\d{1,5})?$/.exec(text) ?? []
  const [, plain] = /^(\d[\d.]{0,14}):\d{1,5}$/.exec(text) ?? []
  return bracketed ?? plain ?? text
}
