/**
 * Random numbers from named streams, one for each purpose: one more fault does not change what is
 * drawn for all other purposes.
 */
import { type Random, seededRandom } from '../../../src/sandbox/random.ts'

/** Random numbers for one purpose. */
export interface RandomStream {
  /** A number from 0 (included) to 1 (excluded). */
  readonly next: Random
  chance(probability: number): boolean
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number
  pick<Item>(items: readonly Item[]): Item
  /** Picks by weight: `{ often: 5, rarely: 1 }`. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name
  bytes(length: number): Uint8Array
}

/** Creates a stream. The same seed and name always give the same numbers. */
export function createRandomStream(seed: number, name: string): RandomStream {
  const next = seededRandom(hashOf(`${seed} ${name}`))
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    chance: (probability) => next() < probability,
    between,
    pick: (items) => {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new RangeError('There is nothing to pick from')
      return item
    },
    weighted: <Name extends string>(weights: Readonly<Record<Name, number>>) => {
      const names = Object.keys(weights) as Name[]
      let left = next() * names.reduce((sum, each) => sum + weights[each], 0)
      for (const each of names) {
        left -= weights[each]
        if (left < 0) return each
      }
      throw new RangeError('Weights have to be above zero')
    },
    bytes: (length) => Uint8Array.from({ length }, () => between(0, 255)),
  }
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}
