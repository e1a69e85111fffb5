import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readReference } from './exchange.ts'

const vectors: { readonly refusedLinks: readonly { readonly claims?: { readonly order?: string } }[] } = JSON.parse(
  readFileSync(new URL('../../../examples/languages/vectors.json', import.meta.url), 'utf8'),
)

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

  it('has first and last of each range of such characters in the vectors of other languages', () => {
    const isRefused = Array.from({ length: 0x11_0000 }, (_, point) => refused(`本${String.fromCodePoint(point)}本`))
    const edges = isRefused.flatMap((is, point) => (is && !(isRefused[point - 1] && isRefused[point + 1]) ? point : []))
    const known = vectors.refusedLinks.flatMap(({ claims }) => [...(claims?.order ?? '')])
    // Halves of characters are no text in other languages.
    const isHalf = (point: number) => point === 0xd800 || point === 0xdfff
    const missing = edges.filter((point) => !isHalf(point) && !known.includes(String.fromCodePoint(point)))
    expect(missing.map((point) => point.toString(16))).toEqual([])
  })

  it.each(['cart 42', 'Nº 7 – Zoë', '注文-42', 'می\u200cخواهم', 'क्\u200dष', '❤\ufe0f\u200d🔥', '👩\u200d🚀'])(
    'is in any language: %j',
    (reference) => expect(readReference(reference)).toBe(reference),
  )
})
