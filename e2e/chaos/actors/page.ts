/** The merchant's page around the widget: its callbacks fail now and then, in every way that code of a page can. */
import { createEmit, type Emit, type PaywindowCallbacks } from '../../../src/session/callbacks.ts'
import type { BrowserWindow } from '../../../src/session/world.ts'
import type { World } from '../world/types.ts'

/** The page around a widget. */
export interface Page {
  /** Where the browser brings errors that nobody caught. */
  reportError(error: unknown): void
  /** How the widget tells the page. */
  emitOf(window: BrowserWindow): Emit
}

/** Its callbacks fail as the faults are drawn. */
export function createPage({ findings, faults, breakage }: World): Page {
  /** Of the page's own code, thrown and not seen by its monitoring yet. */
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
