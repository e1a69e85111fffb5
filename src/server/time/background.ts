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
  const underWay = new Set<Promise<unknown>>()
  return {
    add: (work) => {
      const reported = work
        .catch((cause: unknown) =>
          report(new PaywindowError('internal', 'Work in the background failed', { cause }), {}),
        )
        .finally(() => underWay.delete(reported))
      underWay.add(reported)
    },
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
