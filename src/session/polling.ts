/**
 * Decides when a session asks: one request at a time, and the next when the session says. An
 * element starts it before anything is drawn. TanStack Query, which does this for the React
 * component, would be a quarter of the script.
 */
import type { Session } from './session.ts'
import type { BrowserWindow } from './world.ts'

/** Decides when the session sends requests. */
export interface Poll {
  /** Asks now, unless a request is on its way. */
  join(): void
  /** Asks now, in place of a request that is on its way. */
  restart(): void
  /** Takes the pace for a visible page. */
  quicken(): void
}

/** A poll that runs. */
export interface Polling extends Poll {
  /** Stops for good. A creation that is on its way is not aborted. */
  stop(): void
}

/** Asks at once, or soon after what is drawn already, and goes on until it is stopped. */
export function startPolling({ step, delayMs }: Session, window: BrowserWindow, isDrawn = false): Polling {
  let timer: unknown
  let asking: AbortController | undefined
  let isStopped = false

  function plan(): void {
    window.clearTimeout(timer)
    if (isStopped) return
    const nextMs = delayMs()
    if (nextMs !== false) timer = window.setTimeout(() => void ask(), nextMs)
  }

  async function ask(): Promise<void> {
    if (isStopped) return
    window.clearTimeout(timer)
    const mine = new AbortController()
    asking = mine
    try {
      await step(mine.signal)
    } finally {
      if (asking === mine) {
        asking = undefined
        plan()
      }
    }
  }

  if (isDrawn) plan()
  else void ask()
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
      window.clearTimeout(timer)
      asking?.abort()
    },
  }
}
