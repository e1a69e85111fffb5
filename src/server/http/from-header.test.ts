import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clientAddress, fromHeader, noteSocketAddress } from './clients.ts'

const proxy = '10.0.0.2'

function request(headers: Record<string, string>, socket: string | undefined = proxy): Request {
  const made = new Request('https://shop.example/paywindow/checkouts', { headers })
  if (socket !== undefined) noteSocketAddress(made, socket)
  return made
}

describe('clientAddress', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7 ', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    // A client of IPv4 as a server of IPv6 alone sees it: RFC 6052.
    ['64:ff9b::203.0.113.7', '203.0.113.7'],
    ['64:ff9b::cb00:7107', '203.0.113.7'],
    // As a translator of one packet at a time writes it: RFC 6145.
    ['::ffff:0:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]:4711', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('reads %j as %s', (text, address) => expect(clientAddress(text)).toBe(address))

  it.each([
    '',
    'unknown',
    '_hidden',
    '127.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    '203.0.113.7.5',
    '203.0.113.256',
    '203.0.113.7, 198.51.100.1',
    '203.0.113.7:4711:1',
    '203.0.113.7:port',
    'fe80::1%eth0',
    '[2001:db8::1',
    '2001:db8::1]:80',
    '2001:db8::1::2',
    '::ffff:999.1.1.1',
    'localhost',
    '203.0.113.7\u0000',
    `${'1'.repeat(5_000)}.1.1.1`,
  ])('reads nothing in %j', (text) => expect(clientAddress(text)).toBeUndefined())
})

describe('fromHeader, with x-forwarded-for', () => {
  const one = fromHeader('X-Forwarded-For')
  const two = fromHeader('x-forwarded-for', { trustedHops: 2 })

  it('uses what the nearest proxy added, whatever the client wrote before it', () => {
    expect(one(request({ 'x-forwarded-for': '203.0.113.7' }))).toBe('203.0.113.7')
    expect(one(request({ 'x-forwarded-for': '1.1.1.1, 2.2.2.2, 203.0.113.7' }))).toBe('203.0.113.7')
    expect(two(request({ 'x-forwarded-for': '1.1.1.1, 203.0.113.7, 198.51.100.1' }))).toBe('203.0.113.7')
  })

  it.each([[''], ['unknown'], ['203.0.113.7, '], ['203.0.113.7,'], ['x'.repeat(5_000)], [', , ,']])(
    'takes the socket where it ends in no address: %j',
    (value) => expect(one(request({ 'x-forwarded-for': value }))).toBe(proxy),
  )

  it("uses the socket's address when the header is missing or too short", () => {
    expect(one(request({}))).toBe(proxy)
    expect(two(request({ 'x-forwarded-for': '203.0.113.7' }))).toBe(proxy)
    expect(one(request({}, undefined))).toBe(proxy)
    expect(one(new Request('https://shop.example'))).toBeUndefined()
  })

  it('ignores everything that a client sends through a proxy that adds to the list', () => {
    const text = fc.string({ unit: fc.constantFrom(...'0123456789.,:;= "[]abcfor\\_%-'.split('')), maxLength: 200 })
    fc.assert(
      fc.property(text, (sent) => {
        // As nginx does with $proxy_add_x_forwarded_for.
        const value = sent.trim() === '' ? '203.0.113.7' : `${sent}, 203.0.113.7`
        expect(one(request({ 'x-forwarded-for': value }))).toBe('203.0.113.7')
      }),
    )
  })

  it("gives a client no other names than those that the proxy adds for it, and the proxy's own", () => {
    const text = fc.string({ unit: fc.constantFrom(...'0123456789.,: '.split('')), maxLength: 60 })
    fc.assert(
      fc.property(text, (sent) => {
        const value = `${sent}, 203.0.113.7, 198.51.100.1`
        expect([proxy, '203.0.113.7']).toContain(two(request({ 'x-forwarded-for': value })))
      }),
    )
  })
})

describe('fromHeader, with forwarded', () => {
  const one = fromHeader('Forwarded')
  it.each([
    ['for=203.0.113.7', '203.0.113.7'],
    ['For=203.0.113.7;proto=https;by=198.51.100.1', '203.0.113.7'],
    ['proto=https; for="203.0.113.7:4711"', '203.0.113.7'],
    ['for=1.1.1.1, for="[2001:db8:cafe::17]:4711"', '2001:db8:cafe:0::/64'],
    // A client's own element is not closed: it spoils nothing of what the proxy adds.
    ['for="1.1.1.1, for=203.0.113.7', '203.0.113.7'],
    ['for="a;b=", for=203.0.113.7;proto=http', '203.0.113.7'],
  ])('reads %j', (value, address) => expect(one(request({ forwarded: value }))).toBe(address))

  it.each([
    ['for=unknown'],
    ['for=_hidden'],
    ['by=203.0.113.7'],
    ['for=203.0.113.7;for=1.1.1.1'],
    ['for="203.0.113.7'],
    ['for=203.0.113.7"'],
    ['for='],
    ['203.0.113.7'],
  ])("uses the socket's address when the header has no address: %j", (value) =>
    expect(one(request({ forwarded: value }))).toBe(proxy),
  )
})

describe('fromHeader, with a header of one address', () => {
  it.each(['x-real-ip', 'CF-Connecting-IP', 'true-client-ip', 'fly-client-ip'])('reads %s', (name) => {
    const key = fromHeader(name)
    expect(key(request({ [name]: '203.0.113.7' }))).toBe('203.0.113.7')
    expect(key(request({ [name]: '2001:db8:1:2::1' }))).toBe('2001:db8:1:2::/64')
    // Twice: one of them is not the proxy's.
    expect(key(request({ [name]: '1.1.1.1, 203.0.113.7' }))).toBe(proxy)
  })
})

describe('fromHeader', () => {
  it.each([
    ['', {}],
    ['x forwarded', {}],
    ['x-forwarded-for', { trustedHops: 0 }],
    ['x-forwarded-for', { trustedHops: 1.5 }],
    ['x-forwarded-for', { trustedHops: 11 }],
    ['x-real-ip', { trustedHops: 2 }],
  ])('refuses %j with %j', (name, options) => expect(() => fromHeader(name, options)).toThrow('clientKey'))
})
