/**
 * Decides when the session of an element asks: one request at a time, and the next when the session says. An element starts
 * it before anything is drawn. TanStack Query, which does this for the React component, would be a quarter of the script.
 */
import type { Session } from '../react/session.ts'
import type { Poll } from '../react/useSession.ts'
import { isHidden } from '../react/visibility.ts'

export interface Polling extends Poll {
  /** For good. A creation that is on its way is not taken back. */
  stop(): void
}

/** Asks at once, and goes on until it is stopped. */
export function startPolling(session: Session): Polling {
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking: AbortController | undefined
  let isStopped = false

  function plan(): void {
    clearTimeout(timer)
    if (isStopped) return
    const delayMs = session.delayMs(isHidden())
    if (delayMs !== false) timer = setTimeout(() => void ask(), delayMs)
  }

  async function ask(): Promise<void> {
    if (isStopped) return
    clearTimeout(timer)
    const mine = new AbortController()
    asking = mine
    try {
      await session.step(mine.signal)
    } finally {
      if (asking === mine) {
        asking = undefined
        plan()
      }
    }
  }

  void ask()
  return {
    join: () => {
      if (!asking) void ask()
    },
    restart: () => {
      asking?.abort()
      void ask()
    },
    quicken: () => {
      if (!asking) plan()
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
      asking?.abort()
    },
  }
}
