import { describe, expect, it } from 'vitest'
import { directionOf } from './direction.ts'
import { en } from './en.ts'
import { fill, textParts } from './format.ts'

describe('fill', () => {
  it('fills in every name, as often as it stands there', () => {
    expect(fill('{a} and {b} and {a}', { a: '1', b: '2' })).toBe('1 and 2 and 1')
  })

  it('leaves a name without a value, and reads no name inside a value', () => {
    expect(fill('{a} {b}', { a: '{b}' })).toBe('{b} {b}')
  })
})

describe('textParts', () => {
  it.each([
    ['Only on the {network} network', ['Only on the ', 'network', ' network']],
    ['{step} · {label}', ['', 'step', ' · ', 'label', '']],
    ['Copy {not a name}', ['Copy {not a name}']],
    ['', ['']],
  ])('cuts %j so that every second part is a name', (text, parts) => expect(textParts(text)).toEqual(parts))
})

describe('the English texts', () => {
  it('are plain data that survives JSON', () => {
    expect(JSON.parse(JSON.stringify(en))).toEqual(en)
  })

  it('promise nothing about how or when a refund arrives', () => {
    for (const text of Object.values(en))
      expect(text).not.toMatch(/(within|in) \d+ (hours|days)|will be refunded|guarantee/i)
  })
})

describe('directionOf', () => {
  it.each([
    ['en', 'ltr'],
    ['ar-EG', 'rtl'],
    ['he', 'rtl'],
    ['hi', 'ltr'],
  ])('%s: %s', (locale, direction) => {
    expect(directionOf(locale)).toBe(direction)
  })
})
