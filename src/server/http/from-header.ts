/** Names the client of a request by a header that the merchant's own proxy has set, and by nothing that a client can write. */
import ipaddr from 'ipaddr.js'
import { PaywindowError } from '../../contract/errors.ts'
import { checkNames } from '../../contract/option-names.ts'

/** The entries of trusted proxies are at the end. A client can write as much before them as the proxy lets through. */
const endLength = 4_096

/**
 * Names a client by the address that your proxy says. Use it as `clientKey` where every request comes through that proxy: anyone who can
 * bypass it can forge the header.
 *
 * `x-forwarded-for` and `forwarded` are lists to whose end each proxy adds whom it was called by, so that the end is yours and the
 * beginning anybody's: with one proxy the last address counts, with two the last but one. Other headers, such as `x-real-ip`,
 * `cf-connecting-ip`, `true-client-ip` and `fly-client-ip`, hold one address, which the proxy has to set anew on each request.
 *
 * Where the header is missing, too short or no address, the client is the socket's address: the proxy's, which all such requests share.
 *
 * @param header - The header's name, in any case.
 * @param options - `trustedHops`: how many proxies of yours a request passes, 1 to 10. Default 1. For lists only. A number
 *   that is too high takes what the client wrote.
 * @returns An IPv4 address, the /64 network of an IPv6 address, or undefined when not even the socket's address is known.
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

/** The socket's address, written as `clientAddress` does. */
export function ownAddress(request: Request): string | undefined {
  const address = socketAddress(request)
  return address === undefined ? undefined : (clientAddress(address) ?? address)
}

/**
 * The `for` of one element of a `Forwarded` header; empty where it has none, or two.
 * No address has a comma: one in a quoted text of another element only makes an element that cannot be read.
 *
 * @see RFC 7239, section 4
 */
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

/** An IPv6 customer has 2^64 addresses, so limits apply per /64, the network that providers assign. */
const networkParts = 4

/**
 * One text for each client: an IPv4 address, or the /64 network of an IPv6 address. A port is left out.
 *
 * @returns Undefined when the text is no address.
 */
export function clientAddress(text: string): string | undefined {
  const address = withoutPort(text.trim())
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address).toString()
  if (!/^[\da-f:.]{2,45}$/i.test(address) || !ipaddr.IPv6.isValid(address)) return undefined
  const parsed = ipaddr.IPv6.parse(address)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  // A server without IPv4 sees all clients of IPv4 within one network.
  if (['rfc6052', 'rfc6145'].includes(parsed.range())) return new ipaddr.IPv4(parsed.toByteArray().slice(-4)).toString()
  return `${parsed.parts
    .slice(0, networkParts)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

const innerRanges: readonly string[] = [
  'unspecified',
  'loopback',
  'private',
  'uniqueLocal',
  'linkLocal',
  'carrierGradeNat',
]

/** Whether a text of `clientAddress` is an address of this machine or of a network behind it, where proxies are. */
export function isInnerAddress(client: string): boolean {
  const address = client.replace(/\/64$/, '')
  return ipaddr.isValid(address) && innerRanges.includes(ipaddr.parse(address).range())
}

/** `192.0.2.1:4711` and `[2001:db8::1]:4711` as proxies write them, or the address alone. */
function withoutPort(text: string): string {
  const [, bracketed] = /^\[([^\]]{0,64})\](?::\d{1,5})?$/.exec(text) ?? []
  if (bracketed !== undefined) return bracketed
  const [, plain] = /^(\d[\d.]{0,14}):\d{1,5}$/.exec(text) ?? []
  return plain ?? text
}

const addresses = new WeakMap<Request, string>()

/** To be called by what makes the `Request`. */
export function noteSocketAddress(request: Request, address: string): void {
  addresses.set(request, address)
}

/** Undefined for a request that no listener of ours made. */
function socketAddress(request: Request): string | undefined {
  return addresses.get(request)
}
