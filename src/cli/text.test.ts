import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columns, jsonText, plainLine } from './text.ts'

describe('a plain line', () => {
  it.each([
    ['colours', '\u001b[31mred', '[31mred'],
    ['a C1 control', 'a\u009b2Jb', 'a2Jb'],
    ['reversed text', 'a\u202egnp.exe', 'agnp.exe'],
    ['line breaks', 'a\r\nb\u2028c', 'a b c'],
    ['invisible text', 'a\u200bb\u{e0041}c', 'abc'],
    ['other scripts', 'Наличные 現金 🙂', 'Наличные 現金 🙂'],
  ])('of %s shows only what is seen', (_, text, expected) => {
    expect(plainLine(text)).toBe(expected)
  })

  it('is cut by characters, not by code units', () => {
    expect(plainLine('🙂'.repeat(10), 4)).toBe('🙂🙂🙂…')
  })

  it('is always one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(plainLine(text)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
      }),
    )
  })
})

it('columns stand below each other', () => {
  expect(
    columns([
      ['a', 'bb'],
      ['ccc', 'd', 'e'],
    ]),
  ).toBe('a    bb\nccc  d   e\n')
})

it('JSON for programs is the same value with nothing invisible in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const written = jsonText({ text })
      expect(JSON.parse(written)).toEqual({ text })
      expect(written.replaceAll('\n', '')).not.toMatch(/\p{C}/u)
    }),
  )
})
