// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { onAttention, whenVisible } from './visibility.ts'

function setDocument(values: { visibilityState?: string; prerendering?: boolean }): void {
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(document, name, { value, configurable: true })
}

afterEach(() => {
  setDocument({ visibilityState: 'visible' })
  Reflect.deleteProperty(document, 'prerendering')
})

async function isSettled(promise: Promise<void>): Promise<boolean> {
  const pending = Symbol('pending')
  return (await Promise.race([promise.catch(() => 'rejected'), Promise.resolve(pending)])) !== pending
}

describe('whenVisible', () => {
  it('waits while the page is hidden', async () => {
    setDocument({ visibilityState: 'hidden' })
    const waiting = whenVisible(globalThis, new AbortController().signal)
    expect(await isSettled(waiting)).toBe(false)
    setDocument({ visibilityState: 'visible' })
    document.dispatchEvent(new Event('visibilitychange'))
    await expect(waiting).resolves.toBeUndefined()
  })

  it('goes on with the focus where something keeps from the page that it is shown', async () => {
    setDocument({ visibilityState: 'hidden' })
    const waiting = whenVisible(globalThis, new AbortController().signal)
    setDocument({ visibilityState: 'visible' })
    expect(await isSettled(waiting)).toBe(false)
    window.dispatchEvent(new Event('focus'))
    await expect(waiting).resolves.toBeUndefined()
  })

  it('waits while the page is prerendered, though it calls itself visible', async () => {
    setDocument({ prerendering: true })
    const waiting = whenVisible(globalThis, new AbortController().signal)
    document.dispatchEvent(new Event('visibilitychange'))
    expect(await isSettled(waiting)).toBe(false)
    setDocument({ prerendering: false })
    document.dispatchEvent(new Event('prerenderingchange'))
    await expect(waiting).resolves.toBeUndefined()
  })

  it('ends, and leaves no listener, when nobody waits any more', async () => {
    setDocument({ visibilityState: 'hidden' })
    const removed = vi.spyOn(document, 'removeEventListener')
    const abort = new AbortController()
    const waiting = whenVisible(globalThis, abort.signal)
    abort.abort()
    await expect(waiting).rejects.toBe(abort.signal.reason)
    expect(removed.mock.calls.map(([name]) => name)).toEqual(['visibilitychange', 'prerenderingchange'])
    removed.mockRestore()
  })
})

describe('onAttention', () => {
  it('calls back on every sign of a payer who is back or a connection that changed, until it is stopped', () => {
    const callback = vi.fn()
    const stop = onAttention(globalThis, callback)
    for (const name of ['focus', 'pageshow', 'online', 'offline']) window.dispatchEvent(new Event(name))
    document.dispatchEvent(new Event('visibilitychange'))
    expect(callback).toHaveBeenCalledTimes(5)
    setDocument({ visibilityState: 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
    stop()
    window.dispatchEvent(new Event('focus'))
    expect(callback).toHaveBeenCalledTimes(5)
  })
})
