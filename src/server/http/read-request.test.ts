import { describe, expect, it } from 'vitest'
import { readReference } from './exchange.ts'

const refused = (reference: string) => {
  try {
    readReference(reference)
    return false
  } catch {
    return true
  }
}

describe('a reference', () => {
  it('has no character that is not seen, wherever it stands', () => {
    const unseen = Array.from({ length: 0x11_0000 }, (_, point) => String.fromCodePoint(point)).filter((character) =>
      /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(character),
    )
    expect(unseen.length).toBeGreaterThan(4_000)
    const accepted = unseen.filter((one) => ![`cart-1${one}`, `${one}cart-1`, `cart${one}-1`].every(refused))
    expect(accepted).toEqual([])
  })

  it.each(['cart 42', 'Nº 7 – Zoë', '注文-42', 'می\u200cخواهم', 'क्\u200dष', '❤\ufe0f\u200d🔥', '👩\u200d🚀'])(
    'is in any language: %j',
    (reference) => expect(readReference(reference)).toBe(reference),
  )
})
