import { describe, expect, it } from 'vitest'
import { PaywindowError } from '../contract/errors.ts'
import { quoteLifetimeMs } from '../contract/quote.ts'
import { createSandbox, seededRandom } from './index.ts'
import type { SandboxOptions } from './options.ts'
import type { SandboxOrder } from './order.ts'

const startMs = Date.parse('2026-11-21T10:00:00Z')

function setUp(
  options: SandboxOptions = {},
  source: { sourceAsset: string; network?: string } = { sourceAsset: 'BTC' },
) {
  const sandbox = createSandbox({ now: () => startMs, random: seededRandom(1), ...options })
  const order = sandbox.addOrder({ ...source, targetAsset: 'USD', sourceAmount: '0.5' })
  const current = () => sandbox.orders().find(({ id }) => id === order.id) ?? order
  const deposit = (amount: string, details: { asset?: string; network?: string } = {}) =>
    sandbox.payer.deposit({ address: order.address ?? '', tag: order.tag, amount, ...details })
  return { ...sandbox, order, current, deposit, sandbox }
}

const stateOf = ({ workflow, status }: SandboxOrder) => [workflow, status]

describe('a deposit', () => {
  it('of the exact amount in time is detected, then confirmed', () => {
    const { deposit, current, payer, order } = setUp()
    expect(stateOf(current())).toEqual(['awaiting', 'open'])
    deposit('0.50')
    expect(stateOf(current())).toEqual(['detected', 'pending'])
    expect(current().message).toContain('detected')
    payer.confirm(order.id)
    expect(stateOf(current())).toEqual(['confirmed', 'confirmed'])
  })

  it('of less asks for a top-up, and is detected when the sum is exact', () => {
    const { deposit, current, payer, order } = setUp()
    deposit('0.3')
    expect(stateOf(current())).toEqual(['top_up', 'pending'])
    expect(current().message).toContain('0.3 of 0.5 BTC')
    expect(() => payer.confirm(order.id)).toThrow(PaywindowError)
    deposit('0.1')
    expect(stateOf(current())).toEqual(['top_up', 'pending'])
    deposit('0.1')
    expect(stateOf(current())).toEqual(['detected', 'pending'])
  })

  it.each([
    ['an address', { sourceAsset: 'BTC' }],
    ['an address and tag', { sourceAsset: 'XRP' }],
  ])('to %s that a later order has, too, goes to the first', (_, source) => {
    const { sandbox, order, current, deposit } = setUp({}, source)
    const { address, tag } = order
    const place = { address: address ?? '', tag }
    const later = sandbox.addOrder({ ...source, targetAsset: 'USD', sourceAmount: '0.5', place })
    expect(later).toMatchObject(place)
    deposit('0.5')
    expect(current().workflow).toBe('detected')
    expect(sandbox.orders().find(({ id }) => id === later.id)?.workflow).toBe('awaiting')
  })

  it('that tops up may come after the quote has ended', () => {
    const { deposit, current, clock } = setUp()
    deposit('0.3')
    clock.advance(quoteLifetimeMs)
    deposit('0.2')
    expect(current().workflow).toBe('detected')
  })

  it('of more is confirmed, and the excess refunded', () => {
    const { deposit, current, payer, order } = setUp()
    deposit('0.6')
    expect(stateOf(current())).toEqual(['excess', 'pending'])
    payer.confirm(order.id)
    expect(stateOf(current())).toEqual(['confirmed_excess', 'confirmed'])
    expect(current().message).toContain('excess is being refunded')
    payer.completeRefund(order.id)
    expect(current()).toMatchObject({ workflow: 'confirmed', received: '0.5' })
  })

  it.each([
    ['another asset', { asset: 'USDT' }],
    ['another network', { network: 'erc-20' }],
  ])('of %s is refunded, and the order canceled', (_, details) => {
    const { deposit, current, payer, order } = setUp()
    deposit('0.5', details)
    expect(stateOf(current())).toEqual(['other_asset', 'pending'])
    expect(current()).toMatchObject({ received: '0', message: expect.stringContaining('refund') })
    payer.completeRefund(order.id)
    expect(stateOf(current())).toEqual(['canceled', 'canceled'])
  })

  it('of another asset does not prevent the right deposit', () => {
    const { deposit, current } = setUp()
    deposit('0.5', { asset: 'USDT' })
    deposit('0.5')
    deposit('7', { asset: 'USDT' })
    expect(current()).toMatchObject({ workflow: 'detected', message: expect.stringContaining('another asset') })
  })

  it.each([
    ['one millisecond before the end', quoteLifetimeMs - 1, 'detected'],
    ['at the end', quoteLifetimeMs, 'late'],
    ['a day later', 86_400_000, 'late'],
  ])('that arrives %s of the quote is %s', (_, afterMs, workflow) => {
    const { deposit, current, clock } = setUp()
    clock.advance(afterMs)
    deposit('0.5')
    expect(current()).toMatchObject({ workflow, status: 'pending' })
  })

  it('that is late is refunded or accepted', () => {
    for (const [settle, expected] of [
      ['completeRefund', 'canceled'],
      ['acceptLate', 'confirmed'],
    ] as const) {
      const { deposit, current, clock, payer, order } = setUp()
      clock.advance(quoteLifetimeMs)
      deposit('0.5')
      expect(current().message).toContain('Late deposit')
      expect(() => payer.confirm(order.id)).toThrow(PaywindowError)
      payer[settle](order.id)
      expect(current().status).toBe(expected)
    }
  })

  it('is late for an ended order, and an excess for a paid order', () => {
    const { deposit, current, payer, order } = setUp()
    payer.cancel(order.id)
    deposit('0.5')
    expect(stateOf(current())).toEqual(['late', 'pending'])
    payer.acceptLate(order.id)
    deposit('0.5')
    expect(stateOf(current())).toEqual(['confirmed_excess', 'confirmed'])
  })

  it.each(['0', '0.00', '-1', '0.123456789', 'all', ''])('of %j is no deposit', (amount) => {
    const { deposit, current } = setUp()
    expect(() => deposit(amount)).toThrow(PaywindowError)
    expect(current().workflow).toBe('awaiting')
  })
})

describe('finding the order', () => {
  it('needs the address', () => {
    const { payer } = setUp()
    expect(payer.deposit({ address: 'tb1qelsewhere', amount: '1' })).toEqual({
      matched: false,
      reason: 'unknown_address',
    })
  })

  it('needs the right tag where the network has tags', () => {
    const { payer, order, current } = setUp({}, { sourceAsset: 'XRP' })
    const address = order.address ?? ''
    const amount = '0.5'
    expect(payer.deposit({ address, amount })).toEqual({ matched: false, reason: 'missing_tag' })
    expect(payer.deposit({ address, amount, tag: '' })).toEqual({ matched: false, reason: 'missing_tag' })
    expect(payer.deposit({ address, amount, tag: `${order.tag}0` })).toEqual({ matched: false, reason: 'unknown_tag' })
    expect(current().workflow).toBe('awaiting')
    expect(payer.deposit({ address, amount, tag: order.tag })).toMatchObject({ matched: true })
    expect(current().workflow).toBe('detected')
  })

  it('reads an Ethereum address in any case, and a QR code in capitals', () => {
    const eth = setUp({}, { sourceAsset: 'ETH' })
    expect(eth.payer.deposit({ address: eth.order.address?.toLowerCase() ?? '', amount: '0.1' }).matched).toBe(true)
    const btc = setUp()
    expect(btc.payer.deposit({ address: btc.order.address?.toUpperCase() ?? '', amount: '0.1' }).matched).toBe(true)
    const xrp = setUp({}, { sourceAsset: 'XRP' })
    expect(xrp.payer.deposit({ address: xrp.order.address?.toLowerCase() ?? '', amount: '0.1' }).matched).toBe(false)
  })
})

describe('what time does', () => {
  it('confirms a deposit if the option says so', () => {
    const { deposit, current, clock } = setUp({ autoConfirmMs: 5000 })
    deposit('0.6')
    clock.advance(4999)
    expect(current().status).toBe('pending')
    clock.advance(1)
    expect(current()).toMatchObject({ workflow: 'confirmed_excess', changedAtMs: startMs + 5000 })
  })

  it('does not confirm a deposit that lacks a top-up', () => {
    const { deposit, current, clock } = setUp({ autoConfirmMs: 5000 })
    deposit('0.4')
    clock.advance(60_000)
    expect(current().workflow).toBe('top_up')
  })

  it('leaves an order without a deposit open, or cancels it if the option says so', () => {
    for (const [options, status] of [
      [{}, 'open'],
      [{ cancelExpiredAfterMs: 1000 }, 'canceled'],
    ] as const) {
      const { current, clock } = setUp(options)
      clock.advance(quoteLifetimeMs + 999)
      expect(current().status).toBe('open')
      clock.advance(1)
      expect(current().status).toBe(status)
    }
  })
})

describe('the operator at the service', () => {
  it('reverses a paid order', () => {
    const { deposit, current, payer, order } = setUp()
    deposit('0.5')
    payer.confirm(order.id)
    payer.cancel(order.id)
    expect(current()).toMatchObject({ status: 'canceled', message: 'Order reversed' })
  })

  it.each(['confirm', 'acceptLate', 'completeRefund'] as const)('cannot %s an order without a deposit', (action) => {
    const { payer, order } = setUp()
    expect(() => payer[action](order.id)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
    expect(() => payer[action]('nobody')).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })
})
