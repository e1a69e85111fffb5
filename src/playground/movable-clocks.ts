/**
 * The clocks of a page, which can be moved: everything in it that reads the time believes that it
 * has passed. Timers stay as they are.
 */

/**
 * Replaces the clocks of the page. @returns The function that moves them forward by `ms`
 * milliseconds.
 */
export function makeClocksMovable(page: Pick<typeof globalThis, 'Date' | 'performance'>): (ms: number) => void {
  let aheadMs = 0
  const { Date: PageDate } = page
  const wall = PageDate.now
  const monotonic = page.performance.now.bind(page.performance)
  const now = () => wall() + aheadMs
  page.Date = class extends PageDate {
    constructor(...values: [] | [string | number | Date]) {
      super(...((values.length === 0 ? [now()] : values) as [number]))
    }
    static override now = now
  } as DateConstructor
  page.performance.now = () => monotonic() + aheadMs
  return (ms) => {
    aheadMs += ms
  }
}
