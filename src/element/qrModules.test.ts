import fc from 'fast-check'
import { encode } from 'uqr'
import { describe, expect, it } from 'vitest'
import { qrModules } from './qrModules.ts'

/** What the library itself would choose, in the slower way: as rows of 0 and 1, with the number of its mask. */
function chosenByLibrary(text: string) {
  const { data, maskPattern } = encode(text, { ecc: 'M', boostEcc: true, border: 0 })
  return { rows: data.map((row) => row.map(Number).join('')), mask: maskPattern }
}

function rowsOf(text: string): string[] {
  const { size, modules } = qrModules(text)
  return Array.from({ length: size }, (_, y) => modules.subarray(y * size, (y + 1) * size).join(''))
}

describe('qrModules', () => {
  it('finds the mask that the library finds, whichever of the eight it is', () => {
    const masks = new Set<number>()
    const texts = fc.sample(fc.string({ minLength: 1, maxLength: 120, unit: 'binary-ascii' }), {
      numRuns: 300,
      seed: 5,
    })
    for (const text of texts) {
      const { rows, mask } = chosenByLibrary(text)
      expect(rowsOf(text), text).toEqual(rows)
      masks.add(mask)
    }
    expect(masks.size).toBe(8)
  })

  it('finds it in codes of every size, for digits, capitals and other texts', () => {
    const sizes = new Set<number>()
    for (const [pattern, most] of Object.entries({ '4087552241': 5596, 'BC1QW5 $': 3391, '0x4f7a✓': 1813 })) {
      for (let length = 1; length <= most; length = Math.ceil(length * 1.06)) {
        const text = ''.padEnd(length, pattern)
        const rows = rowsOf(text)
        expect(rows).toEqual(chosenByLibrary(text).rows)
        sizes.add(rows.length)
      }
    }
    expect(sizes.size).toBe(40)
  })

  it('refuses a text that no code can hold', () => {
    expect(() => qrModules('x'.repeat(3000))).toThrow(RangeError)
  })
})
