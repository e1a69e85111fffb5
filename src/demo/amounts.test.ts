import { describe, expect, it } from 'vitest'
import { halfOf, missingOf, sumOf } from './amounts.ts'

const quote = (sourceAmount: string, sourceDecimals: number, received = '0') => ({
  sourceAmount,
  sourceDecimals,
  received,
})

describe('what the simulated payer sends', () => {
  it.each([
    ['0.00051263', 8, '0.00025631'],
    ['10', 6, '5'],
    ['0.000000000000000003', 18, '0.000000000000000001'],
  ])('half of %s is cut to %i decimals', (amount, decimals, half) => {
    expect(halfOf(quote(amount, decimals))).toBe(half)
  })

  it('is exact where a double is not', () => {
    expect(missingOf(quote('123456789012345678.000000000000000009', 18, '0.000000000000000001'))).toBe(
      '123456789012345678.000000000000000008',
    )
    expect(sumOf(quote('0.1', 18), '0.2')).toBe('0.3')
  })
})
