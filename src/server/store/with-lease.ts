/** Lets one process at a time do a piece of work, by a lease of the store. */
import type { Clock } from '../../service/clock.ts'
import type { Store } from './store.ts'

/**
 * A lease that is renewed holds for this long. When its process dies, another goes on within ten
 * seconds: it tries every second, and has one for its first look.
 */
const renewedForMs = 8_000
const renewEveryMs = 2_500

type Leases = Pick<Store, 'lease' | 'release'>

interface LeaseTerms {
  readonly name: string
  /** Who takes it: a secret of its own for each piece of work. */
  readonly holder: string
}

/** A lease for a fixed time. */
export interface Lease extends LeaseTerms {
  readonly forMs: number
}

/**
 * Does the work while holding the lease for a fixed time, and releases it however the work ends.
 *
 * @returns what the work resolves with; undefined, without work, when another holds the lease.
 */
export async function withLease<Result>(
  store: Leases,
  { name, holder, forMs }: Lease,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  if (!(await store.lease(name, holder, forMs))) return undefined
  try {
    return await work()
  } finally {
    await store.release(name, holder)
  }
}

/**
 * Whether somebody has a lease: one that can be taken is nobody's, is given back at once, and ends
 * by itself.
 */
export async function isLeased(store: Leases, terms: LeaseTerms): Promise<boolean> {
  return (await withLease(store, { ...terms, forMs: 1 }, async () => true)) === undefined
}

/**
 * Does the work while holding a lease of eight seconds, which is renewed every two and a half. It
 * is not released when the work ends.
 *
 * @param work - Gets a signal that aborts when the lease is not this holder's any more: another has
 *   taken it, as can happen to a process that was paused, or it could not be renewed for eight
 *   seconds.
 * @returns what the work resolves with; undefined, without work, when another holds the lease.
 */
export async function whileLeased<Result>(
  store: Leases,
  { now, sleep }: Pick<Clock, 'now' | 'sleep'>,
  { name, holder }: LeaseTerms,
  work: (lost: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  let heldUntilMs = now() + renewedForMs
  if (!(await store.lease(name, holder, renewedForMs))) return undefined
  const lost = new AbortController()
  const ended = new AbortController()
  const renewals = new Set<Promise<void>>()

  async function renew(): Promise<void> {
    const untilMs = now() + renewedForMs
    // One that fails leaves two more tries before the lease is over.
    const isHeld = await store.lease(name, holder, renewedForMs).catch(() => undefined)
    if (isHeld) heldUntilMs = Math.max(heldUntilMs, untilMs)
    else if (isHeld === false) lost.abort()
  }

  const renewing = (async () => {
    while (await slept(sleep(Math.min(renewEveryMs, heldUntilMs - now()), ended.signal))) {
      if (now() >= heldUntilMs) return lost.abort()
      // Not waited for: one that hangs would keep the next from being made.
      const renewal = renew().then(() => void renewals.delete(renewal))
      renewals.add(renewal)
    }
  })()
  try {
    return await work(lost.signal)
  } finally {
    ended.abort()
    // One that is under way would take the lease again after it was released.
    await renewing
    await Promise.all(renewals)
  }
}

/** Whether a sleep ended by itself. */
function slept(sleep: Promise<void>): Promise<boolean> {
  return sleep.then(
    () => true,
    () => false,
  )
}
