import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Polling, startPolling } from './polling.ts'
import type { Session } from './session.ts'

/** Requests of the session as they were made, the last one first to be answered. */
let requests: { readonly signal: AbortSignal; readonly answer: () => void }[]
let delayMs: number | false
let polling: Polling

beforeEach(() => {
  vi.useFakeTimers()
  requests = []
  delayMs = 4000
  const session: Pick<Session, 'step' | 'delayMs'> = {
    step: (signal) =>
      new Promise((resolve) => {
        // Nobody looks at what it resolves with.
        requests.push({ signal, answer: () => resolve({} as Awaited<ReturnType<Session['step']>>) })
      }),
    delayMs: () => delayMs,
  }
  polling = startPolling(session as Session, globalThis)
})

afterEach(() => {
  polling.stop()
  vi.useRealTimers()
})

async function answer(): Promise<void> {
  requests.at(-1)?.answer()
  await vi.advanceTimersByTimeAsync(0)
}

it('asks at once, and again when the session says, counted from the answer', async () => {
  expect(requests).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requests).toHaveLength(1)
  await answer()
  await vi.advanceTimersByTimeAsync(3999)
  expect(requests).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(requests).toHaveLength(2)
})

it('has one request on its way, and joins it', async () => {
  polling.join()
  expect(requests).toHaveLength(1)
  await answer()
  polling.join()
  polling.join()
  expect(requests).toHaveLength(2)
  await answer()
  await vi.advanceTimersByTimeAsync(4000)
  expect(requests).toHaveLength(3)
})

it('takes back a request for another, whose answer is what the next is counted from', async () => {
  polling.restart()
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false])
  requests[0]?.answer()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requests).toHaveLength(2)
  await answer()
  await vi.advanceTimersByTimeAsync(4000)
  expect(requests).toHaveLength(3)
})

it('changes its pace on request, and rests when there is nothing to ask', async () => {
  delayMs = 60_000
  await answer()
  delayMs = 4000
  polling.quicken()
  await vi.advanceTimersByTimeAsync(4000)
  expect(requests).toHaveLength(2)
  delayMs = false
  await answer()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(requests).toHaveLength(2)
})

it('leaves no timer and no request behind when it is stopped, whatever comes after', async () => {
  polling.stop()
  expect(requests[0]?.signal.aborted).toBe(true)
  await answer()
  polling.join()
  polling.restart()
  polling.quicken()
  expect(requests).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(0)
})

it('goes on after an error of its own, which the page gets to see', async () => {
  const errors: unknown[] = []
  const onRejection = (error: unknown) => errors.push(error)
  process.on('unhandledRejection', onRejection)
  polling.stop()
  const session: Pick<Session, 'step' | 'delayMs'> = {
    step: () => Promise.reject(new TypeError('a mistake of ours')),
    delayMs: () => 4000,
  }
  polling = startPolling(session as Session, globalThis)
  await vi.advanceTimersByTimeAsync(4000)
  polling.stop()
  vi.useRealTimers()
  await new Promise(setImmediate)
  process.off('unhandledRejection', onRejection)
  expect(errors).toHaveLength(2)
})
