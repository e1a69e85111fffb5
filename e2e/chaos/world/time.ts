/**
 * Virtual time: it stands still until nothing is left to do, then jumps to the next timer. An hour
 * of waiting costs nothing, and the same seed always gives the same order of events.
 */

/** The time of a segment. */
export interface VirtualTime {
  /** The true time, in milliseconds since the epoch. Nobody in the simulation can set it. */
  nowMs(): number
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Does work of the real world while virtual time stands still, one piece after the other. */
  outside<Result>(work: () => Promise<Result>): Promise<Result>
  /** Lets time pass until the work settles. Rejects if the work waits although no timer is left. */
  run<Value>(work: Promise<Value>): Promise<Value>
}

interface Timer {
  readonly atMs: number
  /** Of two timers for the same moment, the one with the lower number rings first. */
  readonly number: number
  ring: (() => void) | undefined
}

/** Creates a clock that stands at `startMs`. */
export function createVirtualTime(startMs: number): VirtualTime {
  const timers = createQueue()
  const work: (() => Promise<void>)[] = []
  let nowMs = startMs
  let count = 0

  return {
    nowMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise<void>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const stop = () => {
          timer.ring = undefined
          reject(signal?.reason)
        }
        count += 1
        const timer: Timer = {
          atMs: nowMs + Math.max(0, ms),
          number: count,
          ring: () => {
            signal?.removeEventListener('abort', stop)
            resolve()
          },
        }
        timers.add(timer)
        signal?.addEventListener('abort', stop, { once: true })
      }),
    outside: (piece) => new Promise((resolve, reject) => work.push(() => piece().then(resolve, reject))),
    run: async (play) => {
      const state = { settled: false }
      const settle = () => {
        state.settled = true
      }
      play.then(settle, settle)
      for (;;) {
        // Promises and streams finish before the next turn of the event loop. What is left waits
        // for a timer.
        await new Promise((resolve) => setImmediate(resolve))
        if (state.settled) return play
        // In the order of the calls, however long each takes: a seed gives the same run in every
        // database.
        const piece = work.shift()
        if (piece) {
          await piece()
          continue
        }
        const next = timers.takeFirst()
        if (!next) throw new Error('The simulation waits for something that no timer will bring')
        if (!next.ring) continue
        nowMs = next.atMs
        next.ring()
      }
    },
  }
}

/** A binary heap, because there are thousands of timers, and most are canceled before they ring. */
function createQueue() {
  const heap: Timer[] = []
  const isBefore = (left: Timer, right: Timer) =>
    left.atMs < right.atMs || (left.atMs === right.atMs && left.number < right.number)

  function sinkFromTop(timer: Timer): void {
    let at = 0
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]]
      const first = right && left && isBefore(right, left) ? right : left
      if (!first || isBefore(timer, first)) break
      const from = first === left ? 2 * at + 1 : 2 * at + 2
      heap[at] = first
      at = from
    }
    heap[at] = timer
  }

  return {
    add: (timer: Timer) => {
      let at = heap.length
      while (at > 0) {
        const parentAt = (at - 1) >> 1
        const parent = heap[parentAt]
        if (!parent || isBefore(parent, timer)) break
        heap[at] = parent
        at = parentAt
      }
      heap[at] = timer
    },
    takeFirst: (): Timer | undefined => {
      const first = heap[0]
      const last = heap.pop()
      if (last && heap.length > 0) sinkFromTop(last)
      return first
    },
  }
}
