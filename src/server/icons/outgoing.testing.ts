/**
 * What the tests of outgoing requests share: hostile answers in numbers, each of which has to end.
 * For tests only.
 */
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { inTier } from '../../testing/tier.testing.ts'

/** Registers what a file of tests needs whose outgoing requests must not end the process. */
export function mustLive(): void {
  /** What ends a process that has no such listeners. */
  const deadly: unknown[] = []
  const note = (error: unknown) => deadly.push(error)
  beforeAll(() => {
    process.on('uncaughtException', note)
    process.on('unhandledRejection', note)
  })
  afterEach(async () => {
    // What comes too late comes now.
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(deadly).toEqual([])
  })
  afterAll(() => {
    process.off('uncaughtException', note)
    process.off('unhandledRejection', note)
  })
  // Thousands of connections: seconds on a machine that is busy.
  vi.setConfig({ testTimeout: 60_000 })
}

/** Those that mean something to who reads an answer, and the ends of their hundreds. */
const known = [
  101, 103, 199, 200, 201, 204, 205, 206, 299, 301, 302, 304, 307, 308, 399, 401, 407, 408, 417, 421, 429, 499,
]
/**
 * Every status that a status line can have in `npm run test:money`; those that are known and every
 * twentieth in `npm test`.
 */
export const statuses = Array.from({ length: 900 }, (_, at) => at + 100).filter((status) =>
  inTier(known.includes(status) || status % 20 === 0, true),
)
/** Of a request: enough for one that is answered, also where everything is slow. */
export const deadlineMs = 2_000

/** Ends after this deadline, whatever deadline is asked for. */
export const sleep = (_: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, deadlineMs)
    signal.addEventListener('abort', () => clearTimeout(timer))
  })

/** Tries all names, some at once. Each has to end soon after its deadline. */
export async function each(
  names: readonly string[],
  atOnce: number,
  work: (name: string) => Promise<void>,
): Promise<void> {
  const left = names.values()
  const take = async () => {
    for (const name of left) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`${name}: nothing happened`)), deadlineMs + 10_000)
      })
      await Promise.race([work(name), late]).finally(() => clearTimeout(timer))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, take))
}
