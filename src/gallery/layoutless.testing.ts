/**
 * For tests only: what browsers have and the DOM of the unit tests lacks, because that DOM does no
 * layout.
 */
if (typeof document !== 'undefined') {
  globalThis.ResizeObserver ??= class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  }
  globalThis.IntersectionObserver ??= class {
    readonly root = null
    readonly rootMargin = ''
    readonly scrollMargin = ''
    readonly thresholds = []
    /** Nothing has a position, so nothing comes into view. */
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
    takeRecords(): IntersectionObserverEntry[] {
      return []
    }
  }
}
