import fc from 'fast-check'
import { encode } from 'uqr'
import { describe, expect, it } from 'vitest'
import { qrModules } from './qr-modules.ts'

/** What another library makes of the text under the same mask: as rows of 0 and 1. */
function madeElsewhere(text: string, maskPattern: number): string[] {
  const { data } = encode(text, { ecc: 'M', boostEcc: true, border: 0, maskPattern })
  return data.map((row) => row.map(Number).join(''))
}

function rowsOf(text: string): string[] {
  const code = qrModules(text)
  const places = Array.from({ length: code.size }, (_, place) => place)
  return places.map((y) => places.map((x) => (code.get(x, y) ? '1' : '0')).join(''))
}

/**
 * The number of the mask, as the format tells it: three bits right below the first corner, under a
 * mask of their own.
 */
function maskOf(rows: readonly string[]): number {
  return Number.parseInt(rows[8]?.slice(2, 5) ?? '', 2) ^ 0b101
}

describe('qrModules', () => {
  it('makes the modules that another library makes, whichever of the eight masks is chosen', () => {
    const masks = new Set<number>()
    const texts = fc.sample(fc.string({ minLength: 1, maxLength: 120, unit: 'binary-ascii' }), {
      numRuns: 300,
      seed: 5,
    })
    for (const text of texts) {
      const rows = rowsOf(text)
      const mask = maskOf(rows)
      expect(rows, text).toEqual(madeElsewhere(text, mask))
      masks.add(mask)
    }
    expect(masks.size).toBe(8)
  })

  it('makes them in codes of every size, for digits, capitals and other texts', () => {
    const sizes = new Set<number>()
    for (const [pattern, most] of Object.entries({ '4087552241': 5596, 'BC1QW5 $': 3391, '0x4f7a✓': 1813 })) {
      for (let length = 1; length <= most; length = Math.ceil(length * 1.06)) {
        const text = ''.padEnd(length, pattern)
        const rows = rowsOf(text)
        expect(rows).toEqual(madeElsewhere(text, maskOf(rows)))
        sizes.add(rows.length)
      }
    }
    expect(sizes.size).toBe(40)
  })

  it('refuses a text that no code can hold', () => {
    expect(() => qrModules('x'.repeat(3000))).toThrow(/^lean-qr error/)
  })
})
