/**
 * Against the registries of addresses with a special purpose, as IANA publishes them:
 * https://www.iana.org/assignments/iana-ipv4-special-registry and
 * https://www.iana.org/assignments/iana-ipv6-special-registry (RFC 6890 and RFC 8190, with the
 * blocks that were added until 2025). Facts of the registries: block, and whether it is reachable
 * globally.
 */
import ipaddr from 'ipaddr.js'
import { describe, expect, it } from 'vitest'
import { isPublicAddress } from './public-fetch.ts'

/** "Globally Reachable" is False, or N/A because the block is deprecated. */
const notReachable = [
  '0.0.0.0/8',
  '0.0.0.0/32',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/29',
  '192.0.0.8/32',
  '192.0.0.170/32',
  '192.0.0.171/32',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.88.99.2/32',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '240.0.0.0/4',
  '255.255.255.255/32',
  '::1/128',
  '::/128',
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '2001::/32',
  '2001:2::/48',
  '2001:10::/28',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
]

/** "Globally Reachable" is True, but the block is infrastructure: no host with icons. */
const ofNoUse = [
  '192.0.0.9/32',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.175.48.0/24',
  '64:ff9b::/96',
  '2001:1::1/128',
  '2001:1::2/128',
  '2001:3::/32',
  '2001:4:112::/48',
  '2001:20::/28',
  '2001:30::/28',
  '2620:4f:8000::/48',
]

/** Blocks of other registries and standards that are not the public internet. */
const others = [
  // Multicast: RFC 5771 and RFC 4291.
  '224.0.0.0/4',
  'ff00::/8',
  // Site-local, deprecated: RFC 3879.
  'fec0::/10',
  // IPv4-compatible, deprecated: RFC 4291, section 2.5.5.1.
  '::/96',
  // IPv4-translated: RFC 2765, section 2.1.
  '::ffff:0:0:0/96',
  // Not given to anybody: https://www.iana.org/assignments/ipv6-address-space
  '200::/7',
  '400::/6',
  '1000::/4',
  '4000::/3',
  '8000::/3',
  'e000::/4',
  'fe00::/9',
]

/** First, last and some address in between of a block. */
function addressesOf(block: string): string[] {
  const [address, bits] = ipaddr.parseCIDR(block)
  const first = address.toByteArray()
  const free = first.map((_, at) => 255 >> Math.min(8, Math.max(0, bits - at * 8)))
  const fill = (byte: number) =>
    ipaddr.fromByteArray(first.map((value, at) => value | ((free[at] ?? 0) & byte))).toString()
  return [...new Set([0, 255, 0x5a, 0xa5].map(fill))]
}

describe('isPublicAddress', () => {
  it.each([...notReachable, ...ofNoUse, ...others])('refuses all of %s', (block) => {
    for (const address of addressesOf(block)) {
      expect(isPublicAddress(address), address).toBe(false)
      if (address.includes('.')) expect(isPublicAddress(`::ffff:${address}`), `mapped ${address}`).toBe(false)
    }
  })

  it.each([
    'fe80::1%eth0',
    '127.0.0.1%lo',
    '',
    'localhost',
    'icons.example',
    '1.2.3',
    '0x7f.1',
    '[::1]',
    '1.1.1.1/8',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::a00:1',
  ])('refuses %j', (address) => expect(isPublicAddress(address)).toBe(false))

  it.each([
    '1.1.1.1',
    '93.184.216.34',
    '172.32.0.1',
    '100.128.0.1',
    '192.0.1.1',
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '2a00:1450::1',
    '::ffff:8.8.8.8',
  ])('accepts %s', (address) => expect(isPublicAddress(address)).toBe(true))
})
