import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalPlaces, formatAtomic, toAtomic } from '../contract/decimal.ts'
import { assetDecimals } from '../contract/networks/table.ts'
import { type SandboxAsset, sandboxAssets, sourceFor, targetFor } from './assets.ts'
import { exactNumber, writeJson } from './json.ts'

const asset = fc.constantFrom(...sandboxAssets)
const amount = (of: SandboxAsset) => fc.bigInt(1n, 10n ** 14n).map((atomic) => formatAtomic(atomic, of.quoteDecimals))
const pair = fc
  .tuple(asset, asset)
  .filter(([source, target]) => source !== target)
  .chain(([source, target]) => fc.tuple(fc.constant(source), fc.constant(target), amount(target)))
const rateOf = (each: SandboxAsset) => each.rate

describe('quotes', () => {
  it('always buy what was asked, and one unit less would not', () => {
    fc.assert(
      fc.property(pair, ([source, target, targetAmount]) => {
        const quote = sourceFor(source, target, targetAmount, rateOf)
        const worth = (text: string) => toAtomic(text, source.quoteDecimals) * toAtomic(source.rate, 18)
        const needed =
          toAtomic(targetAmount, target.decimals) * toAtomic(target.rate, 18) * 10n ** BigInt(source.quoteDecimals)
        const scale = 10n ** BigInt(target.decimals)
        expect(worth(quote) * scale).toBeGreaterThanOrEqual(needed)
        const less = formatAtomic(toAtomic(quote, source.quoteDecimals) - 1n, source.quoteDecimals)
        expect(worth(less) * scale).toBeLessThan(needed)
        expect(decimalPlaces(quote)).toBeLessThanOrEqual(source.decimals)
      }),
    )
  })

  it('never promise more than a source amount buys', () => {
    fc.assert(
      fc.property(pair, ([target, source, sourceAmount]) => {
        const quote = targetFor(source, target, sourceAmount, rateOf)
        const value = toAtomic(quote, target.quoteDecimals) * toAtomic(target.rate, 18) * 10n ** BigInt(source.decimals)
        const paid =
          toAtomic(sourceAmount, source.decimals) * toAtomic(source.rate, 18) * 10n ** BigInt(target.quoteDecimals)
        expect(value).toBeLessThanOrEqual(paid)
      }),
    )
  })

  it('have realistic sizes', () => {
    const usd = sandboxAssets.find(({ symbol }) => symbol === 'USD')
    const quotes = sandboxAssets
      .filter(({ network }) => network !== null)
      .map((source) => usd && `${source.symbol} ${sourceFor(source, usd, '49.90', rateOf)}`)
    expect(quotes).toMatchInlineSnapshot(`
      [
        "BTC 0.00051263",
        "LTC 0.52876974",
        "ETH 0.01595544",
        "USDC 49.909982",
        "USDT 49.885035",
        "XRP 22.840665",
        "XLM 190.9682358",
        "ETH 0.01595544",
        "USDC 49.909982",
        "USDC 49.909982",
        "USDT 49.885035",
        "AVAX 2.30698105",
        "SOL 0.266104949",
        "DOGE 273.57456141",
        "ADA 81.243895",
        "DOT 12.09110735",
        "HBAR 278.30451757",
        "TON 16.955487598",
      ]
    `)
  })
})

describe('assets', () => {
  it('have the decimals that the contract knows', () => {
    for (const { symbol, network, decimals } of sandboxAssets) {
      if (network !== null) expect(assetDecimals(symbol, network)).toBe(decimals)
    }
  })
})

describe('JSON numbers', () => {
  it('are written with every digit and no exponent', () => {
    expect(writeJson({ amount: exactNumber('1e-18'), big: exactNumber('123456789012345678901234567890.10') })).toBe(
      '{"amount":0.000000000000000001,"big":123456789012345678901234567890.1}',
    )
  })

  it('leave the rest as JSON.stringify writes it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // Both types describe JSON.
        expect(JSON.parse(writeJson(JSON.parse(JSON.stringify(value))))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})
