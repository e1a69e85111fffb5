/** Normalises addresses of clients: one text for each client, however it is written. */
import ipaddr from 'ipaddr.js'

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
