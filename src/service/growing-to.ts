/**
 * Options of an LRU cache of `count` entries that grows as needed. The cache's own option `max`
 * would allocate all entries at once, which takes a server's caches a tenth of a second.
 */
export const growingTo = (count: number) => ({ maxSize: count, sizeCalculation: () => 1 })
