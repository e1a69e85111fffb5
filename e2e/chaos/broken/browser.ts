/** Mistakes of the widget, made on purpose: the window around the session is wrapped. */
import type { Emit } from '../../../src/session/callbacks.ts'
import type { BrowserWindow } from '../../../src/session/world.ts'
import { unbroken } from '../world/breakage.ts'
import { planSegment } from '../world/plan.ts'
import { listening, type Variant, windowWith } from './variant.ts'

/** Variants with a mistake in the browser. */
export const browserVariants = {
  wallClockOnly: {
    what: 'counts down by the wall clock alone, which somebody sets',
    caughtBy: ['deadline moved later', 'shown late'],
    make: () => ({
      ...unbroken,
      window: (window) => windowWith(window, { Date: setBack(window), performance: setBack(window) }),
    }),
  },
  endlessRequests: {
    what: 'never gives up a request that is not answered',
    caughtBy: ['stopped asking'],
    make: () => ({
      ...unbroken,
      window: (window) =>
        windowWith(window, {
          // Drops the time limits of requests. The pauses between requests last other times.
          setTimeout: (callback, ms) => (ms === 12_000 || ms === 30_000 ? undefined : window.setTimeout(callback, ms)),
          fetch: hangingOften(window.fetch),
        }),
    }),
  },
  createsUnseen: {
    what: 'creates checkouts in tabs that nobody looks at',
    caughtBy: ['created without cause'],
    make: () => ({
      ...unbroken,
      window: (window) => {
        const { document } = window
        const seen = { ...listening(document), visibilityState: 'visible', baseURI: document.baseURI }
        return windowWith(window, { document: seen })
      },
    }),
  },
  keepsForgotten: {
    what: 'goes on asking for what its server does not know any more',
    caughtBy: ['asked for what nobody follows'],
    // The service's times let a quote last 20 minutes, so the page still asks when it is looked at.
    plan: { restores: true, sandbox: planSegment(12, 0, 20).sandbox },
    make: () => ({ ...unbroken, received: (text) => text.replace('"code":"not_found"', '"code":"internal"') }),
  },
  asksOneAddress: {
    what: 'asks one address again, which a cache answers',
    caughtBy: ['shown late'],
    // A cache is there, and enough quotes end while somebody looks at them from another device.
    plan: {
      ...planSegment(16, 0, 120),
      faultLevel: 2,
      equalShare: 0.6,
      splitRoles: true,
      servers: 2,
      spanMs: 1_440_000,
    },
    make: () => ({
      ...unbroken,
      window: (window) =>
        windowWith(window, { fetch: (input, init) => window.fetch(String(input).replace(/[?&]t=\d+$/, ''), init) }),
    }),
  },
  uncaughtCallbacks: {
    what: 'lets through what callbacks of the page throw',
    caughtBy: ['unexpected error'],
    make: () => ({
      ...unbroken,
      emit:
        (_, callbacks): Emit =>
        (name, detail) => {
          const call = Reflect.get(callbacks, name) as ((detail: unknown) => void) | undefined
          call?.(detail)
        },
    }),
  },
} satisfies Record<string, Variant>

/** A wall clock that is set back by ten minutes, one minute after the page was opened. */
function setBack(window: BrowserWindow): BrowserWindow['Date'] {
  return { now: () => window.Date.now() - ((window.performance.now?.() ?? 0) > 60_000 ? 600_000 : 0) }
}

function hangingOften(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  let count = 0
  return (input, init) => {
    count += 1
    return count % 20 === 0 ? new Promise(() => undefined) : fetch(input, init)
  }
}
