import { describe, expect, it } from 'vitest'
import { formatPrice } from './money.ts'

describe('formatPrice', () => {
  it.each([
    ['USD', '49.9', 'en-US', '$49.90'],
    ['EUR', '1234.5', 'de-DE', '1.234,50\u00a0€'],
    ['JPY', '4990', 'en-US', '¥4,990'],
    ['USD', '49.905', 'en-US', '$49.905'],
    ['USD', '90071992547409931.25', 'en-US', '$90,071,992,547,409,931.25'],
    ['USDT', '49.9', 'en-US', '49.90 USDT'],
    ['USDT', '1234', 'de', '1.234,00 USDT'],
    ['USDC', '1234.5', 'en-US', '1,234.50 USDC'],
    ['USDT', '0.123456789012345678', 'en-US', '0.123456789012345678 USDT'],
    ['USD', '0.1234567890123456789012', 'en-US', '0.1234567890123456789012 USD'],
  ])('%s %s in %s: %s', (asset, amount, locale, text) => {
    expect(formatPrice({ asset, amount }, locale)).toBe(text)
  })

  it('does not fail on a locale that the browser refuses', () => {
    expect(formatPrice({ asset: 'USD', amount: '49.9' }, 'no such locale')).toBe('$49.90')
  })
})
