// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTicker } from './ticker.ts'

const onError = vi.fn()
const startTicking = createTicker(globalThis, onError)

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  setHidden(false)
})

function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'visibilityState', { value: hidden ? 'hidden' : 'visible', configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
}

/** Notes at each tick whether the tab is hidden. */
function noteHidden() {
  const seen: boolean[] = []
  const stop = startTicking(({ hidden }) => {
    seen.push(hidden)
    return hidden ? Number.POSITIVE_INFINITY : 1000
  })
  return { seen, stop }
}

describe('createTicker', () => {
  it('ticks at once, then when asked to, with one timer for all', () => {
    const first = vi.fn(() => 1000)
    const second = vi.fn(() => 700)
    const stops = [startTicking(first), startTicking(second)]
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(700)
    expect(second).toHaveBeenCalledTimes(2)
    expect(vi.getTimerCount()).toBe(1)
    for (const stop of stops) stop()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('keeps no timer when nobody needs one', () => {
    const stop = startTicking(() => Number.POSITIVE_INFINITY)
    expect(vi.getTimerCount()).toBe(0)
    stop()
  })

  it('passes to the ticks that the tab is hidden, and ticks at once when it is shown again', () => {
    const { seen, stop } = noteHidden()
    setHidden(true)
    vi.advanceTimersByTime(60_000)
    setHidden(false)
    expect(seen).toEqual([false, true, false])
    stop()
  })

  it('ticks at once with the focus where the page is not told that it is shown again', () => {
    const { seen, stop } = noteHidden()
    setHidden(true)
    vi.advanceTimersByTime(60_000)
    const swallow = (event: Event) => event.stopImmediatePropagation()
    window.addEventListener('visibilitychange', swallow, true)
    setHidden(false)
    window.dispatchEvent(new Event('focus'))
    expect(seen).toEqual([false, true, false])
    window.removeEventListener('visibilitychange', swallow, true)
    stop()
  })

  it('goes on where a tick throws, which ends no other, and says so once', () => {
    const broken = startTicking(() => {
      throw new Error('no element')
    })
    const end = vi.fn(() => 1000)
    const stop = startTicking(end)
    vi.advanceTimersByTime(3000)
    expect(end).toHaveBeenCalledTimes(4)
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ code: 'internal' })]])
    broken()
    stop()
  })

  it('lets a tick stop itself while it runs', () => {
    let stop: (() => void) | undefined
    const tick = vi.fn(() => {
      stop?.()
      return 1000
    })
    stop = startTicking(tick)
    vi.advanceTimersByTime(5000)
    expect(tick).toHaveBeenCalledTimes(2)
    expect(vi.getTimerCount()).toBe(0)
  })
})
