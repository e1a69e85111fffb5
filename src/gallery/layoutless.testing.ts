/** What browsers have and the DOM of the unit tests lacks, because it lays nothing out. For tests only. */
if (typeof document !== 'undefined')
  globalThis.IntersectionObserver ??= class {
    readonly root = null
    readonly rootMargin = ''
    readonly scrollMargin = ''
    readonly thresholds = []
    /** Nothing is anywhere, so nothing comes into view. */
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
    takeRecords(): IntersectionObserverEntry[] {
      return []
    }
  }
