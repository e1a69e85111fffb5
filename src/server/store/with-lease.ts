/** Work that one process does at a time, by a lease of the store. */
import type { Store } from './store.ts'

interface LeaseTerms {
  readonly name: string
  /** Who takes it: a secret of its own for each piece of work. */
  readonly holder: string
  /** Ms after which another may take it, should this process die. */
  readonly forMs: number
}

/** Takes the lease once more, for as long again; false when another has taken it meanwhile. */
export type ExtendLease = () => Promise<boolean>

/**
 * Does the work while holding the lease, and gives it back however the work ends.
 *
 * @returns what the work resolves with; undefined, without work, when another holds the lease.
 */
export async function withLease<Result>(
  store: Pick<Store, 'lease' | 'release'>,
  { name, holder, forMs }: LeaseTerms,
  work: (extend: ExtendLease) => Promise<Result>,
): Promise<Result | undefined> {
  const take = () => store.lease(name, holder, forMs)
  if (!(await take())) return undefined
  try {
    return await work(take)
  } finally {
    await store.release(name, holder)
  }
}
