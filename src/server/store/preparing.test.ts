import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPreparing } from './repeating.ts'

/** Runs that a test ends by hand. */
function start() {
  const runs: PromiseWithResolvers<void>[] = []
  const preparing = createPreparing(() => {
    const run = Promise.withResolvers<void>()
    runs.push(run)
    return run.promise
  })
  return { preparing, runs }
}

describe('createPreparing', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('prepares once for all who ask', async () => {
    const { preparing, runs } = start()
    const asked = [preparing.done(), preparing.done()]
    runs[0]?.resolve()
    await Promise.all(asked)
    vi.advanceTimersByTime(3_600_000)
    await preparing.done()
    expect(runs).toHaveLength(1)
  })

  it('prepares again after a time that is named, once for all who ask then', async () => {
    const prepare = vi.fn(async () => {})
    const preparing = createPreparing(prepare, 300_000)
    await preparing.done()
    vi.advanceTimersByTime(299_999)
    await preparing.done()
    expect(prepare).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    await Promise.all([preparing.done(), preparing.done()])
    expect(prepare).toHaveBeenCalledTimes(2)
  })

  it('begins again after a failure', async () => {
    const { preparing, runs } = start()
    const asked = preparing.done()
    runs[0]?.reject(new Error('no table'))
    await expect(asked).rejects.toThrow('no table')
    const again = preparing.done()
    runs[1]?.resolve()
    await again
    expect(runs).toHaveLength(2)
  })

  it('begins again where a run has not ended after a minute, whatever becomes of that', async () => {
    const { preparing, runs } = start()
    const asked = preparing.done()
    vi.advanceTimersByTime(59_000)
    expect(preparing.done()).toBe(asked)
    vi.advanceTimersByTime(1_000)
    const again = preparing.done()
    runs[0]?.reject(new Error('the connection has died'))
    await expect(asked).rejects.toThrow('died')
    runs[1]?.resolve()
    await again
    await preparing.done()
    expect(runs).toHaveLength(2)
  })

  it('forgets only what was named', async () => {
    const { preparing, runs } = start()
    const first = preparing.done()
    runs[0]?.resolve()
    await first
    preparing.forget(first)
    const second = preparing.done()
    preparing.forget(first)
    expect(preparing.done()).toBe(second)
    expect(runs).toHaveLength(2)
  })
})
