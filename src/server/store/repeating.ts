/** Repeats calls that a database has certainly not carried out, for a reason that passes. */

/** Longer than a database's restart, and shorter than the limit of a call. */
const longestMs = 10_000
const [firstPauseMs, longestPauseMs] = [20, 500]

/**
 * Does the work, and repeats it for up to ten seconds while `mayRepeat` allows it.
 *
 * @param mayRepeat - Whether an error says that nothing was done, and that a repetition may help.
 * @param explained - What is thrown for the last error. Default: that error.
 */
export async function repeating<Result>(
  work: () => Promise<Result>,
  mayRepeat: (error: unknown) => boolean,
  explained: (error: unknown) => unknown = (error) => error,
): Promise<Result> {
  const untilMs = Date.now() + longestMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await work()
    } catch (error) {
      if (!mayRepeat(error) || Date.now() + pauseMs > untilMs) throw explained(error)
    }
    // Calls that conflicted must not meet again.
    const waitMs = pauseMs * (0.5 + Math.random() / 2)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

/** Fields in which wrappers of drivers keep the driver's own error. */
const inner = ['cause', 'original', 'driverError', 'sourceError', 'meta'] as const
const deepest = 5

/** The words of an error and of the errors inside. */
export function wordsOf(error: unknown): string {
  return errorsIn(error)
    .map(({ message }) => String(message))
    .join('\n')
}

/** An error and the errors inside. */
export function errorsIn(error: unknown, left: number = deepest): readonly Readonly<Record<string, unknown>>[] {
  if (!isObject(error) || left === 0) return []
  return [error, ...inner.flatMap((name) => errorsIn(error[name], left - 1))]
}

/** Whether a value has fields. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Longer than a large database takes for a new version of its tables. */
const patienceMs = 60_000

/**
 * Prepares a database once for all calls. `prepare` may run several times at once.
 *
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
     * Resolves when it is prepared. Begins again after a failure, or a minute without an end: the
     * connection may be dead.
     */
    done: () => {
      if (!run || Date.now() >= run.untilMs) run = begin()
      return run.done
    },
    /** Demands a new preparation, unless one has begun since `done` returned this promise. */
    forget: (done: Promise<void>) => {
      if (run?.done === done) run = undefined
    },
  }
}
