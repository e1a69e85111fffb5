import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalDecimal, decimalPlaces, equalDecimals, formatAtomic, isDecimal, toAtomic } from './decimal.ts'

describe('canonicalDecimal', () => {
  it.each([
    ['0', '0'],
    ['0.10', '0.1'],
    ['00012.300', '12.3'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['1e-8', '0.00000001'],
    ['1E+3', '1000'],
    ['1.1e-7', '0.00000011'],
    ['12.5e1', '125'],
    ['0.000000000000000001', '0.000000000000000001'],
    ['9007199254740993', '9007199254740993'],
    ['123456789012345678901234.123456789012345678901234', '123456789012345678901234.123456789012345678901234'],
    ['0e9999', '0'],
  ])('writes %s as %s', (text, expected) => {
    expect(canonicalDecimal(text)).toBe(expected)
  })

  it.each([
    '',
    '.',
    '-1',
    '+1',
    '1,000',
    '1 000',
    ' 1',
    '1e',
    'e5',
    'NaN',
    'Infinity',
    '0x10',
    '1e999',
    '1e-999',
    '1e-79',
    `.${'1'.repeat(79)}`,
    '1e99999',
    '١',
    '9'.repeat(81),
  ])('refuses %j', (text) => {
    expect(() => canonicalDecimal(text)).toThrow(expect.objectContaining({ code: 'invalid_amount' }))
    expect(isDecimal(text)).toBe(false)
  })

  it('leaves canonical text as it is', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 30 }), (atomic, decimals) => {
        const text = formatAtomic(atomic, decimals)
        expect(canonicalDecimal(text)).toBe(text)
        expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
      }),
    )
  })

  it('writes nothing that it refuses', () => {
    const digits = (maxLength: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength })
    fc.assert(
      fc.property(digits(85), digits(85), fc.integer({ min: -90, max: 90 }), (whole, fraction, power) => {
        const text = `${whole}.${fraction}e${power}`
        if (!isDecimal(text)) return
        expect(canonicalDecimal(canonicalDecimal(text))).toBe(canonicalDecimal(text))
      }),
      { numRuns: 1_000 },
    )
  })

  it('gives the same value for every way of writing it', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 24n }),
        fc.integer({ min: 0, max: 24 }),
        fc.integer({ min: -20, max: 20 }),
        (atomic, decimals, shift) => {
          const plain = formatAtomic(atomic, decimals)
          const exponent = `${atomic}e${-decimals}`
          const shifted = `${formatAtomic(atomic * 10n ** 20n, decimals + 20 > 36 ? 36 : 20)}e${shift}`
          expect(canonicalDecimal(exponent)).toBe(plain)
          expect(equalDecimals(exponent, `${plain}${plain.includes('.') ? '000' : '.000'}`)).toBe(true)
          expect(isDecimal(shifted)).toBe(true)
        },
      ),
    )
  })
})

describe('toAtomic and formatAtomic', () => {
  it("are each other's inverse at every number of decimals", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.integer({ min: 0, max: 36 }), (atomic, decimals) => {
        expect(toAtomic(formatAtomic(atomic, decimals), decimals)).toBe(atomic)
      }),
    )
  })

  it('refuse more decimals than the asset has, and cut nothing', () => {
    expect(() => toAtomic('0.000000001', 8)).toThrow(/more than the 8 decimals/)
    expect(toAtomic('0.100000000', 1)).toBe(1n)
  })

  it.each([-1, 37, 1.5, Number.NaN])('refuse %s decimals', (decimals) => {
    expect(() => toAtomic('1', decimals)).toThrow(/0 to 36/)
  })

  it('refuse a negative count', () => {
    expect(() => formatAtomic(-1n, 8)).toThrow(/negative/)
  })
})

describe('decimalPlaces', () => {
  it.each([
    ['1', 0],
    ['1.50', 1],
    ['1e-18', 18],
  ])('of %s is %i', (text, places) => {
    expect(decimalPlaces(text)).toBe(places)
  })
})
