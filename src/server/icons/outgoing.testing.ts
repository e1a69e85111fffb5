/**
 * Shared by the tests of outgoing requests: many hostile answers, each of which has to end. For
 * tests only.
 */
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { inTier } from '../../testing/tier.testing.ts'

/** Registers the checks of a test file whose outgoing requests must not end the process. */
export function mustLive(): void {
  /** Errors that would end a process. */
  const deadly: unknown[] = []
  const note = (error: unknown) => deadly.push(error)
  beforeAll(() => {
    process.on('uncaughtException', note)
    process.on('unhandledRejection', note)
  })
  afterEach(async () => {
    // Late events come now.
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

/** Statuses with a meaning, and the ends of their hundreds. */
const known = [
  101, 103, 199, 200, 201, 204, 205, 206, 299, 301, 302, 304, 307, 308, 399, 401, 407, 408, 417, 421, 429, 499,
]
/** Every possible status in `npm run test:money`; known ones and every twentieth in `npm test`. */
export const statuses = Array.from({ length: 900 }, (_, at) => at + 100).filter((status) =>
  inTier(known.includes(status) || status % 20 === 0, true),
)
/** The deadline of a request: enough on a slow machine. */
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
