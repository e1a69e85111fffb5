import { describe, expect, it } from 'vitest'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { priceAfterForm, timeAfterForm } from './forms.ts'
import { languages } from './languages.ts'
import { textsOf } from './texts-of.ts'

const written = languages.flatMap((language) => {
  const forms = textsOf(language)
  return forms.formsOf.split(' ').map((locale) => [locale, forms] as const)
})
const examples = written.filter(([locale]) => locale !== '-')

describe('the examples', () => {
  it('are there for every language but one', () => {
    expect(written.filter(([locale]) => locale === '-')).toHaveLength(1)
    for (const language of languages) {
      const [first] = textsOf(language).formsOf.split(' ')
      expect([language, '-']).toContain(first)
    }
  })

  it.each(examples)('%s: prices are those of Intl', (locale, forms) => {
    const assets = forms.priceForms.split(' ').map((form) => form.slice(0, 3))
    expect(assets.slice(0, 3)).toEqual(['EUR', 'USD', 'GBP'])
    for (const asset of assets) {
      const { format } = new Intl.NumberFormat(locale, { style: 'currency', currency: asset })
      for (const amount of ['0', '0.01', '0.5', '7', '10.25', '49.9', '100', '999.99'] as const)
        expect(priceAfterForm(asset, amount, locale, forms)).toBe(format(amount))
    }
  })

  it.each(examples)('%s: times are those of Intl, of every hour', (locale, forms) => {
    const { format } = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
    for (let minutes = 0; minutes < 24 * 60; minutes += 7) {
      const time = new Date(2026, 10, 22, 0, minutes)
      expect(timeAfterForm(time, locale, forms)).toBe(format(time))
    }
  })
})

describe('what is left to Intl', () => {
  it.each([
    ['a thousand', 'USD', '1000', 'en'],
    ['more than two decimals', 'USD', '49.905', 'en'],
    ['another currency', 'JPY', '490', 'en'],
    ['no currency', 'USDT', '49.9', 'en'],
    ['another region', 'USD', '49.9', 'en-GB'],
    ['another language, whose texts the page brings in part', 'USD', '49.9', 'sv'],
    ['no locale', 'USD', '49.9', undefined],
    ['what marks the absence of examples', 'USD', '49.9', '-'],
  ])('%s', (_, asset, amount, locale) => expect(priceAfterForm(asset, amount, locale, en)).toBeNull())

  it('times of other regions', () => expect(timeAfterForm(new Date(), 'en-GB', en)).toBeNull())
})

it('follows the direction of the language', () => {
  expect(priceAfterForm('EUR', '49.9', 'ar', ar)).toBe('\u200f49.90\u00a0€')
  expect(priceAfterForm('EUR', '49.9', 'de', de)).toBe('49,90\u00a0€')
})
