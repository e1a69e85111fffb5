/** The merchant's page around the widget. Its callbacks fail now and then: they throw or reject. */
import { createEmit, type Emit, type PaywindowCallbacks } from '../../../src/session/callbacks.ts'
import type { BrowserWindow } from '../../../src/session/world.ts'
import type { World } from '../world/types.ts'

/** The page around a widget. */
export interface Page {
  /** Receives uncaught errors, as the browser's `reportError` does. */
  reportError(error: unknown): void
  /** Returns the function with which the widget calls the page's callbacks. */
  emitOf(window: BrowserWindow): Emit
}

/** Creates a page whose callbacks fail whenever the faults say so. */
export function createPage({ findings, faults, breakage }: World): Page {
  /** Errors that the page's own code threw and that have not reached `reportError` yet. */
  const thrown = new Set<unknown>()

  function fail(what: string): unknown {
    if (!faults.strikes('browser: callback of the page fails')) return undefined
    const error = new Error(`the page's ${what} failed`)
    thrown.add(error)
    if (faults.random.chance(0.5)) return Promise.reject(error)
    throw error
  }

  const callbacks: PaywindowCallbacks = {
    onStatusChange: () => fail('onStatusChange'),
    onConfirmed: () => fail('onConfirmed'),
    onError: ({ code }) => {
      findings.count(`browser met ${code}`)
      return fail('onError')
    },
  }
  return {
    reportError: (error) => {
      if (!thrown.delete(error)) findings.violate('unexpected error', `in a browser: ${error}`)
    },
    emitOf: (window) =>
      breakage.emit(
        createEmit(() => callbacks, window),
        callbacks,
      ),
  }
}
