/**
 * Options of an LRU cache that remembers so many entries and grows with them. Its `max` would take the memory of all entries, and a
 * tenth of a second for all of a server's caches, whenever a server is created.
 */
export const growingTo = (count: number) => ({ maxSize: count, sizeCalculation: () => 1 })
