/**
 * Time for the rules of leases: what this process takes for the time, and waiting for what only the
 * store's clock decides.
 */

/**
 * Does the work while everybody in this process who asks for the time is told one that is so far
 * ahead.
 */
export async function withWrongTime<Result>(aheadMs: number, work: () => Promise<Result>): Promise<Result> {
  const right = globalThis.Date
  const now = () => right.now() + aheadMs
  globalThis.Date = new Proxy(right, {
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
    construct: (target, parts) => Reflect.construct(target, parts.length === 0 ? [now()] : parts),
  })
  try {
    return await work()
  } finally {
    globalThis.Date = right
  }
}

/**
 * Asks again and again until the answer is yes. Resolves with how long that took, ms. @throws Error
 * after five seconds.
 */
export async function untilTrue(ask: () => Promise<boolean>): Promise<number> {
  const beganMs = performance.now()
  while (!(await ask())) {
    if (performance.now() - beganMs > 5_000) throw new Error('a lease has not run out after five seconds')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return performance.now() - beganMs
}
