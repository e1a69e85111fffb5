import { describe, expect, it } from 'vitest'
import { isPlainAddress, isPlainTag } from './checkout.ts'
import { knownNetwork, sameNetwork } from './networks/table.ts'
import { parseCheckout, parseCheckoutRequest, parseHandover, parseKeyedCheckout, parseOffer } from './parsers.ts'

const checkout = {
  v: 1,
  id: 'c1',
  reference: 'cart-42',
  revision: 3,
  status: 'open',
  phase: 'waiting',
  tracked: true,
  cart: 'open',
  test: true,
  amount: '0.0015',
  asset: { symbol: 'BTC', name: 'Bitcoin', icon: 'icons/c1' },
  network: 'bitcoin',
  address: 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
  tag: null,
  price: { asset: 'USD', amount: '49.9' },
  merchant: { name: 'Lantern Books', supportUrl: 'https://shop.example/help' },
  methodCount: 2,
  createdAt: '2026-11-21T10:00:00.000Z',
  expiresAt: '2026-11-21T10:20:00.000Z',
  expiresInMs: 1_200_000,
  history: [{ status: 'open', phase: 'waiting', at: '2026-11-21T10:00:00.000Z' }],
  viewOnly: false,
}

const offer = {
  v: 1,
  reference: 'cart-42',
  price: { asset: 'USD', amount: '49.90' },
  merchant: { name: 'Lantern Books' },
  methods: [{ asset: 'BTC', network: 'bitcoin', name: 'Bitcoin' }],
  cart: 'open',
  test: false,
}

describe('parseCheckout', () => {
  it('accepts what the merchant server sends, and drops what it does not know', () => {
    expect(parseCheckout({ ...checkout, more: 1 })).toEqual(checkout)
    expect(parseKeyedCheckout({ ...checkout, key: 'k' })).toEqual({ ...checkout, key: 'k' })
  })

  it('accepts what the server says of the network, or nothing', () => {
    const networkInfo = { kind: 'base', name: 'Base', exchangeName: 'BASE', tagWord: 'tag', needsTag: false }
    expect(parseCheckout({ ...checkout, networkInfo: { ...networkInfo, more: 1 } })).toEqual({
      ...checkout,
      networkInfo,
    })
    for (const wrong of [null, {}, { ...networkInfo, name: '' }])
      expect(() => parseCheckout({ ...checkout, networkInfo: wrong })).toThrow(/networkInfo/)
  })

  // A page may keep the script of an earlier version for hours: one new word must not cost its
  // payers all ways to pay.
  it('makes do without what only adds to a screen, where a later version says it otherwise', () => {
    const networkInfo = { kind: 'x', name: 'X', exchangeName: 'X', tagWord: 'paymentId', needsTag: true, icon: 'svg/x' }
    const method = { asset: 'X', network: 'x', name: 'X', icon: 'https://evil.example/x.png', networkInfo }
    const read = { ...networkInfo, tagWord: 'tag', icon: undefined }
    expect(parseOffer({ ...offer, methods: [method, ...offer.methods] }).methods).toEqual([
      { asset: 'X', network: 'x', name: 'X', networkInfo: read },
      ...offer.methods,
    ])
    for (const icon of ['javascript:alert(1)', 'icons/../x', '', 5])
      expect(parseCheckout({ ...checkout, asset: { ...checkout.asset, icon } }).asset).toEqual({
        symbol: 'BTC',
        name: 'Bitcoin',
      })
  })

  it('writes the amount in canonical text', () => {
    expect(parseCheckout({ ...checkout, amount: '1.50e-3' }).amount).toBe('0.0015')
  })

  it.each<[string, unknown]>([
    ['v', 2],
    ['id', ''],
    ['revision', 1.5],
    ['status', 'cancelled'],
    ['phase', 'done'],
    ['tracked', 'yes'],
    ['cart', null],
    ['test', undefined],
    ['amount', 0.0015],
    ['amount', '0'],
    ['amount', '-1'],
    ['amount', '1,5'],
    ['address', ''],
    ['address', null],
    ['address', 'a b'],
    ['address', 'addr?amount=1'],
    ['address', 'addr\u202Egpj'],
    ['address', 'x'.repeat(257)],
    ['tag', undefined],
    ['tag', ''],
    ['tag', 5],
    ['tag', 'a\u200Bb'],
    ['network', ''],
    ['createdAt', 'yesterday'],
    ['createdAt', '2026-11-21'],
    ['expiresInMs', '5'],
    ['history', {}],
    ['asset', []],
    ['merchant', { name: 'x', returnUrl: 'javascript:alert(1)' }],
    ['viewOnly', 0],
  ])('refuses a wrong %s: %j', (field, value) => {
    expect(() => parseCheckout({ ...checkout, [field]: value })).toThrow()
  })

  it('reads what arrived, and leaves out what a later version says otherwise', () => {
    const arrival = { kind: 'short', received: { asset: 'BTC', amount: '0.10' } }
    expect(parseCheckout({ ...checkout, arrival }).arrival).toEqual({
      kind: 'short',
      received: { asset: 'BTC', amount: '0.1' },
    })
    for (const other of ['short', null, { kind: 'stuck' }, { kind: 'short', due: { asset: 'BTC', amount: '0' } }])
      expect(parseCheckout({ ...checkout, arrival: other }).arrival).toBeUndefined()
  })

  it.each([null, [], 'text', 1, undefined])('refuses %j', (json) => {
    expect(() => parseCheckout(json)).toThrow(/not an object/)
  })
})

describe('the other parsers', () => {
  it('accept an offer with and without a checkout', () => {
    expect(parseOffer(offer).price.amount).toBe('49.9')
    expect(parseOffer({ ...offer, checkout }).checkout?.id).toBe('c1')
    expect(() => parseOffer({ ...offer, methods: 'all' })).toThrow(/methods/)
  })

  it('let a later widget say that it reads more', () => {
    expect(parseCheckoutRequest({ reference: 'a', v: 2 })).toEqual({ reference: 'a' })
  })

  it('want asset and network together', () => {
    expect(parseCheckoutRequest({ reference: 'a' })).toEqual({ reference: 'a' })
    expect(() => parseCheckoutRequest({ reference: 'a', asset: 'BTC' })).toThrow(/together/)
    expect(() => parseCheckoutRequest({ reference: 'a'.repeat(201) })).toThrow(/200/)
  })

  it('accept a handover', () => {
    expect(parseHandover({ v: 1, token: 't', expiresInMs: 5 })).toEqual({ v: 1, token: 't', expiresInMs: 5 })
  })
})

describe('addresses, tags and networks', () => {
  it.each(['0', '4087552241', 'order 12', 'a'])('takes %j for a tag', (tag) => expect(isPlainTag(tag)).toBe(true))
  it.each(['', ' 1', '1 ', 'a\nb', 'é', 'x'.repeat(257)])('does not take %j for a tag', (tag) =>
    expect(isPlainTag(tag)).toBe(false),
  )
  it.each(['a#b', 'a&b', 'a%20', 'a b', '\u2066a', ''])('does not take %j for an address', (address) =>
    expect(isPlainAddress(address)).toBe(false),
  )

  it('knows one network by its many names, and no other by them', () => {
    for (const name of ['erc-20', 'ERC20', 'ethereum', 'ETH']) expect(knownNetwork(name)?.kind).toBe('ethereum')
    expect(knownNetwork('constructor')).toBeUndefined()
    expect(sameNetwork('ripple', 'XRP Ledger')).toBe(true)
    expect(sameNetwork('erc-20', 'trc-20')).toBe(false)
    expect(sameNetwork('NewChain', 'newchain')).toBe(true)
  })
})
