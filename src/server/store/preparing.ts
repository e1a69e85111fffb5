/** Prepares a database with its first use. */

/** Longer than a large database takes to get the tables of a newer version. */
const patienceMs = 60_000

interface Preparing {
  /** Resolves when it is prepared. Begins again where that failed, or has not ended after a minute: its connection may be dead. */
  done(): Promise<void>
  /** From now on it has to be prepared again, unless that has begun since: by the promise that `done` returned. */
  forget(done: Promise<void>): void
}

/** @param prepare - May run beside another run of it. */
export function createPreparing(prepare: () => Promise<void>): Preparing {
  let run: { readonly done: Promise<void>; readonly giveUpAtMs: number; isOver: boolean } | undefined

  function begin() {
    const begun = { done: prepare(), giveUpAtMs: Date.now() + patienceMs, isOver: false }
    begun.done.then(
      () => {
        begun.isOver = true
      },
      () => {
        if (run === begun) run = undefined
      },
    )
    return begun
  }

  return {
    done: () => {
      if (!run || (!run.isOver && Date.now() >= run.giveUpAtMs)) run = begin()
      return run.done
    },
    forget: (done) => {
      if (run?.done === done) run = undefined
    },
  }
}
