/** Lets callers go on a few at a time, so that the work of many does not keep the event loop from everything else. */
import type { Clock } from '../../service/clock.ts'

/** Returns a function that resolves for no more than so many callers in a turn of the event loop, in the order of their calls. */
export function createFewAtATime({ sleep }: Pick<Clock, 'sleep'>, few: number): () => Promise<void> {
  let turn = Promise.resolve()
  let left = 0
  return () => {
    if (left === 0) {
      turn = turn.then(() => sleep(0))
      left = few
    }
    left -= 1
    return turn
  }
}
