/** Repeats what a database has certainly not done, for a reason that passes by itself. */

/** Longer than a database takes to start again, and shorter than any call may take. */
const longestMs = 10_000
const [firstPauseMs, longestPauseMs] = [20, 500]

/**
 * Does it, and does it again while it fails for such a reason, for ten seconds in all.
 *
 * @param mayRepeat - Whether an error says that nothing was done, and that this may be otherwise
 *   the next time.
 */
export async function repeating<Result>(
  work: () => Promise<Result>,
  mayRepeat: (error: unknown) => boolean,
): Promise<Result> {
  const untilMs = Date.now() + longestMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await work()
    } catch (error) {
      if (!mayRepeat(error) || Date.now() + pauseMs > untilMs) throw error
    }
    // Calls that were in each other's way must not meet again.
    const waitMs = pauseMs * (0.5 + Math.random() / 2)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

/** Wrappers of drivers keep the driver's own error in one of these. */
const inner = ['cause', 'original', 'driverError', 'meta'] as const
const deepest = 5

/** What an error says, and those that it wraps. */
export function wordsOf(error: unknown): string {
  return errorsIn(error)
    .map(({ message }) => String(message))
    .join('\n')
}

/** An error and those that it wraps. */
export function errorsIn(error: unknown, left: number = deepest): readonly Readonly<Record<string, unknown>>[] {
  if (!isObject(error) || left === 0) return []
  return [error, ...inner.flatMap((name) => errorsIn(error[name], left - 1))]
}

/** Whether a value has fields. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Longer than a large database takes to get the tables of a newer version. */
const patienceMs = 60_000

/**
 * @param prepare - May run beside another run of it.
 * @param lastsMs - How long it stays prepared.
 */
export function createPreparing(prepare: () => Promise<void>, lastsMs: number = Number.POSITIVE_INFINITY) {
  let run: { readonly done: Promise<void>; untilMs: number } | undefined

  function begin() {
    const begun = { done: prepare(), untilMs: Date.now() + patienceMs }
    begun.done.then(
      () => {
        begun.untilMs = Date.now() + lastsMs
      },
      () => {
        if (run === begun) run = undefined
      },
    )
    return begun
  }

  return {
    /**
     * Resolves when it is prepared. Begins again where that failed, or has not ended after a
     * minute: its connection may be dead.
     */
    done: () => {
      if (!run || Date.now() >= run.untilMs) run = begin()
      return run.done
    },
    /**
     * From now on it has to be prepared again, unless that has begun since: by the promise that
     * `done` returned.
     */
    forget: (done: Promise<void>) => {
      if (run?.done === done) run = undefined
    },
  }
}
