import { expect, it } from 'vitest'
import { inLocale } from './written.ts'

const written = (locale: string | undefined) =>
  inLocale(locale, (known) => new Intl.NumberFormat(known, { minimumFractionDigits: 2 }).format(49.9))

it('takes the locales of POSIX, which pages have in `lang`', () => {
  expect(written('de_DE')).toBe('49,90')
})

it('writes in the locale of the payer where the browser refuses that of the page', () => {
  expect(written('not a locale')).toBe(written(undefined))
})
