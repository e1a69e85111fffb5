/**
 * What a session needs of a browser: a `Window`, or what stands in for one in a simulation. Nothing
 * in this folder reads a global.
 */

/** A `Window`, as far as a session uses it. */
export interface BrowserWindow extends ListenerTarget {
  /** Undefined on a server that renders the page. */
  readonly document: ListenerTarget & {
    readonly visibilityState: string
    readonly baseURI: string
    /** Part of the speculation rules, which not every browser supports. */
    readonly prerendering?: boolean
  }
  readonly location: { readonly hash: string; readonly href: string; readonly host?: string; reload(): void }
  /** Undefined on a server. */
  readonly history: Pick<History, 'state' | 'replaceState'>
  /** That of the document, `null` in a sandbox, while the location keeps that of its address. */
  readonly origin: string
  readonly performance: { now?(): number }
  readonly Date: { now(): number }
  readonly Math: { random(): number }
  readonly fetch: typeof fetch
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
  readonly console: { error(...what: readonly unknown[]): void }
  /** Takes errors that nobody caught. Chrome has it since version 95. */
  reportError?(error: unknown): void
  /** Undefined on a server. */
  readonly CSS?: { supports(condition: string): boolean }
}

/** A source of events. */
export interface ListenerTarget {
  addEventListener(name: string, listener: () => void): void
  removeEventListener(name: string, listener: () => void): void
}
