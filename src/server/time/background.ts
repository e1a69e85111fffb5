/** Work that goes on after an answer was sent. */
import { PaywindowError } from '../../contract/errors.ts'
import type { ErrorContext } from '../options.ts'

interface Background {
  /** Failures are reported. */
  add(work: Promise<unknown>): void
  /** Resolves when none is under way. */
  settled(): Promise<void>
}

/** Failures of the work are reported. */
export function createBackground(report: (error: PaywindowError, context: ErrorContext) => void): Background {
  // Counted, because a set that changes with each work keeps what it held long ago in memory until the old heap is collected.
  let underWay = 0
  let waiting: (() => void)[] = []

  function end(): void {
    underWay -= 1
    if (underWay > 0) return
    for (const resolve of waiting) resolve()
    waiting = []
  }

  return {
    add: (work) => {
      underWay += 1
      work
        .catch((cause: unknown) =>
          report(new PaywindowError('internal', 'Work in the background failed', { cause }), {}),
        )
        .finally(end)
    },
    settled: async () => {
      while (underWay > 0) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
}
