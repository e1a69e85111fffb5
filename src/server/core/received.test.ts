import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalDecimal, formatAtomic } from '../../contract/decimal.ts'
import { someCheckout, someOrder } from '../records/records.testing.ts'
import { compareShown, isRounded, mayBeEqual } from './agreement.ts'

describe('an amount that is shown', () => {
  it.each([
    ['0.015625123456789012', '0.01562512', true],
    ['49.9', '49.900000000000006', true],
    ['33.333', '33.33', true],
    ['20.791667', '20.79', true],
    ['49.90', '49.89', false],
    ['49.90', '50', false],
    ['5.4', '5', false],
    ['0.00076769', '0.0008', false],
    ['0.00076769', '0.00076768', false],
    ['49.90', 'many', false],
  ])('of %s as %s is rounded: %j', (ours, theirs, expected) => {
    expect(isRounded(theirs, ours)).toBe(expected)
  })

  it('is the same where digits are left out that say less than a ten-thousandth', () => {
    const amount = fc.bigInt({ min: 10n ** 12n, max: 10n ** 24n })
    fc.assert(
      fc.property(amount, fc.integer({ min: 8, max: 18 }), (atomic, places) => {
        const ours = formatAtomic(atomic, 18)
        const cut = canonicalDecimal(ours.slice(0, (ours.includes('.') ? ours.indexOf('.') + 1 : ours.length) + places))
        const lost = atomic % 10n ** BigInt(18 - places)
        expect(compareShown(cut, ours)).toBe(lost * 10_000n <= atomic ? 'same' : 'less')
      }),
    )
  })

  it('may be of every order whose price it is rounded from, and of no other', () => {
    const price = fc.bigInt({ min: 1_000_000n, max: 10n ** 24n })
    const hundredThousandths = fc.bigInt({ min: -200n, max: 200n })
    const digits = fc.bigInt({ min: -5n, max: 5n })
    fc.assert(
      fc.property(price, hundredThousandths, digits, (atomic, away, more) => {
        const ours = formatAtomic(atomic, 18)
        const theirs = formatAtomic(atomic + (atomic * away) / 100_000n + more, 18)
        const { terms, ...checkout } = someCheckout()
        const priced = { ...checkout, terms: { ...terms, price: { asset: 'USD', amount: ours } } }
        expect(mayBeEqual(someOrder({ targetAmount: theirs }), priced)).toBe(isRounded(theirs, ours))
      }),
      { numRuns: 1_000 },
    )
  })

  it('is less or more where as many digits say so', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.bigInt({ min: 1n, max: 10n ** 6n }), (cents, away) => {
        // Of both the last digit is written: nothing was rounded.
        const [less, more] = [cents * 10n + 1n, (cents + away) * 10n + 1n]
        expect(compareShown(formatAtomic(less, 3), formatAtomic(more, 3))).toBe('less')
        expect(compareShown(formatAtomic(more, 3), formatAtomic(less, 3))).toBe('more')
      }),
    )
  })
})
