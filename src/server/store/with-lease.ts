/** Lets one process at a time do a piece of work, by a lease of the store. */
import type { Clock } from '../../service/clock.ts'
import type { Store } from './store.ts'

/**
 * A renewed lease holds for this long. When its process dies, another goes on within ten seconds:
 * it tries every second.
 */
const renewedForMs = 8_000
const renewEveryMs = 2_500

type Leases = Pick<Store, 'lease' | 'release'>

interface LeaseTerms {
  readonly name: string
  /** The holder: a new secret for each piece of work. */
  readonly holder: string
}

/** A lease for a fixed time. */
export type Lease = LeaseTerms & { readonly forMs: number }

/**
 * Does the work while holding the lease for a fixed time, and always releases it.
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

/** Whether somebody has a lease, by an attempt to take it for a millisecond. */
export async function isLeased(store: Leases, terms: LeaseTerms): Promise<boolean> {
  return (await withLease(store, { ...terms, forMs: 1 }, async () => true)) === undefined
}

/**
 * Does the work while holding a lease of eight seconds, which it renews every two and a half, and
 * does not release.
 *
 * @param work - Gets a signal that aborts when the lease is lost: another process has taken it from
 *   a paused process, or it could not be renewed for eight seconds.
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
    // A failure leaves two more tries before the lease is over.
    const isHeld = await store.lease(name, holder, renewedForMs).catch(() => undefined)
    if (isHeld) heldUntilMs = Math.max(heldUntilMs, untilMs)
    else if (isHeld === false) lost.abort()
  }

  const renewing = (async () => {
    while (await slept(sleep(Math.min(renewEveryMs, heldUntilMs - now()), ended.signal))) {
      if (now() >= heldUntilMs) return lost.abort()
      // Not awaited: a hanging renewal would block the next.
      const renewal = renew().then(() => void renewals.delete(renewal))
      renewals.add(renewal)
    }
  })()
  try {
    return await work(lost.signal)
  } finally {
    ended.abort()
    // A renewal under way would take the lease again after its release.
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
