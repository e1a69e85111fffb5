/** Names the client of a request by a header that the merchant's own proxy has set, and by nothing that a client can write. */
import { PaywindowError } from '../../contract/errors.ts'
import { checkNames } from '../../contract/option-names.ts'
import { clientAddress } from './client-address.ts'
import { socketAddress } from './socket-addresses.ts'

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
