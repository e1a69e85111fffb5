/** Remembers when each of a number of things was last done; the oldest are forgotten first. */
import { LRUCache } from 'lru-cache'
import { growingTo } from '../../service/growing-to.ts'

interface LastTimes {
  /** It is done now. */
  note(id: string): void
  /** Ms since it was done; infinite where it was not, or is forgotten. */
  sinceMs(id: string): number
}

/** @param max - Things that are remembered. */
export function createLastTimes(max: number, now: () => number): LastTimes {
  const times = new LRUCache<string, number>(growingTo(max))
  return {
    note: (id) => {
      times.set(id, now())
    },
    sinceMs: (id) => now() - (times.peek(id) ?? Number.NEGATIVE_INFINITY),
  }
}
