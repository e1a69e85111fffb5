/**
 * What a session needs of a browser: a `Window`, or what stands in for one in a simulation. Nothing in this folder reads a global.
 */

/** A `Window`, as far as a session uses it. */
export interface BrowserWindow extends Listening {
  /** There is none on a server that renders the page. */
  readonly document: Listening & {
    readonly visibilityState: string
    readonly baseURI: string
    /** Part of the speculation rules that not every browser has. */
    readonly prerendering?: boolean
  }
  readonly location: { readonly origin: string; readonly hash: string }
  readonly performance: { now(): number }
  readonly Date: { now(): number }
  readonly Math: { random(): number }
  readonly fetch: typeof fetch
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
  /** Where errors go that nobody caught. */
  reportError(error: unknown): void
}

/** Something that events come from. */
export interface Listening {
  addEventListener(name: string, listener: () => void): void
  removeEventListener(name: string, listener: () => void): void
}
