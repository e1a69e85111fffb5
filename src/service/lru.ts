import { LRUCache } from 'lru-cache'

/**
 * An LRU cache of `count` entries that grows as needed. The cache's own option `max` would allocate
 * all entries at once, which takes a server's caches a tenth of a second.
 */
export function createLru<Value extends NonNullable<unknown>>(count: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: count, sizeCalculation: () => 1 })
}

/** Returns a function that tells whether a text is new to it. It remembers the last `count` texts. */
export function createFirstTimes(count: number): (text: string) => boolean {
  const known = createLru<true>(count)
  return (text) => {
    if (known.has(text)) return false
    known.set(text, true)
    return true
  }
}
