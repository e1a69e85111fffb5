import { describe, expect, it } from 'vitest'
import { en } from './en.ts'
import { textParts } from './format.ts'
import { languageOf, languages } from './languages.ts'
import { textsOf } from './texts-of.ts'

function namesIn(text: string): string[] {
  return textParts(text)
    .filter((_, index) => index % 2)
    .sort()
}

describe.each(languages)('%s', (language) => {
  const texts = Object.entries(textsOf(language))

  it('has every text and no other, and none is empty or ends in a space', () => {
    expect(texts.map(([name]) => name).sort()).toEqual(Object.keys(en).sort())
    for (const [name, text] of texts) expect([name, text.trim()]).toEqual([name, text])
    expect(texts.filter(([, text]) => text === '')).toEqual([])
  })

  it('fills in what the English text fills in', () => {
    const expected = Object.fromEntries(Object.entries(en).map(([name, text]) => [name, namesIn(text)]))
    expect(Object.fromEntries(texts.map(([name, text]) => [name, namesIn(text)]))).toEqual(expected)
  })

  it('is plain text: no markup, and nothing that turns the text around it', () => {
    // Prices are written as Intl writes them, marks of direction included; forms.test.ts compares
    // them.
    const words = texts.filter(([name]) => name !== 'priceForms')
    expect(words.filter(([, text]) => /[<>]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(text))).toEqual([])
  })
})

describe('the language of a locale', () => {
  it.each([
    ['en-GB', 'en'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['de_AT', 'de'],
    ['zh', 'zh-Hans'],
    ['zh-CN', 'zh-Hans'],
    ['zh-TW', 'zh-Hant'],
    ['zh-Hant-HK', 'zh-Hant'],
    ['zh-Hans-HK', 'zh-Hans'],
    ['iw', 'he'],
    ['in-ID', 'id'],
    ['AR-eg', 'ar'],
    ['sv', null],
    ['', null],
  ])('%j is %j', (locale, language) => expect(languageOf(locale)).toBe(language))
})
