import { describe, expect, it } from 'vitest'
import { sameSecret } from './ids.ts'

describe('two secrets', () => {
  it.each([
    ['', '', true],
    ['secret', 'secret', true],
    ['secret', 'secreT', false],
    ['Secret', 'secret', false],
    ['secret', 'secre', false],
    ['secret', 'secrets', false],
    ['', 's', false],
    // The same bytes, if only the lower half of each unit counted.
    ['a', '\u0161', false],
  ])('%j and %j', (left, right, isSame) => {
    expect([sameSecret(left, right), sameSecret(right, left)]).toEqual([isSame, isSame])
  })
})
