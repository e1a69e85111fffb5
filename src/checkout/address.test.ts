import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupAddress } from './address.ts'

describe('groupAddress', () => {
  it('makes groups of four and lets the first two and the last two stand out', () => {
    const groups = groupAddress('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')
    expect(groups.map(({ text }) => text)).toEqual([
      'bc1q',
      'w508',
      'd6qe',
      'jxtd',
      'g4y5',
      'r3za',
      'rvar',
      'y0c5',
      'xw7k',
      'v8f3',
      't4',
    ])
    expect(groups.flatMap(({ text, strong }) => (strong ? [text] : []))).toEqual(['bc1q', 'w508', 'v8f3', 't4'])
  })

  it('loses and adds no character', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 128 }), (address) => {
        expect(
          groupAddress(address)
            .map(({ text }) => text)
            .join(''),
        ).toBe(address)
      }),
    )
  })
})
