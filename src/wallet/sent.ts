/**
 * Which checkouts a wallet of this browser was asked to pay: each at most once, over all tabs. Kept before the wallet is asked,
 * and given back only where the wallet says that its user refused.
 */

const key = 'paywindow-sent'
/** Of these, the latest. */
const mostKept = 50

/** Where the page forbids its storage, other tabs are not seen. */
const here = new Set<string>()

/** Whether a wallet was asked to pay it. */
export function wasAsked(id: string): boolean {
  return here.has(id) || stored().includes(id)
}

/** Keeps that a wallet is about to be asked. */
export function keepAsked(id: string): void {
  here.add(id)
  store([...stored(), id].slice(-mostKept))
}

/** The wallet says that nothing was sent. */
export function forgetAsked(id: string): void {
  here.delete(id)
  store(stored().filter((each) => each !== id))
}

/** Does the work in one tab at a time. @returns null where another tab is at it. */
export async function alone<Result>(work: () => Promise<Result>): Promise<Result | null> {
  // Pages without TLS have no locks.
  const { locks }: { readonly locks?: LockManager } = navigator
  return locks ? locks.request(key, { ifAvailable: true }, (lock) => (lock ? work() : null)) : work()
}

function stored(): readonly string[] {
  try {
    return localStorage.getItem(key)?.split(' ') ?? []
  } catch {
    return []
  }
}

function store(ids: readonly string[]): void {
  try {
    localStorage.setItem(key, ids.join(' '))
  } catch {
    // `here` has it.
  }
}
