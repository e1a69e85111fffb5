/** Lets callers go on one by one, so that the work of many does not keep the event loop from everything else. */
import type { Clock } from '../../service/clock.ts'

/** Returns a function that resolves in a turn of the event loop of its own, after all who called before. */
export function createOneByOne({ sleep }: Pick<Clock, 'sleep'>): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(() => sleep(0))
    return last
  }
}
