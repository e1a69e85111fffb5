/**
 * What wallets of this browser were asked to pay: each quote at most once, over all tabs. Kept
 * before a wallet is asked, and forgotten only where the wallet says that its user refused.
 */

/** The panel reads it, too, to warn above it. */
const key = 'paywindow-sent'
/** Of these, the latest. */
const mostKept = 50

/** The page that asked knows it, whatever the shop does to its storage. */
let here: readonly string[] = []

/** Whether a wallet was asked to pay this: the id of a quote, or the mark of a cart. */
export function wasAsked(name: string): boolean {
  return [...here, ...kept()].includes(name)
}

/**
 * Keeps that a wallet is about to be asked. False where the page may keep nothing: then nobody
 * could know it after a reload.
 */
export function keepAsked(...names: readonly string[]): boolean {
  keep([...kept(), ...names].slice(-mostKept))
  if (!names.every((name) => kept().includes(name))) return false
  here = [...here, ...names]
  return true
}

/** The wallet says that nothing was sent. */
export function forgetAsked(...names: readonly string[]): void {
  here = without(here, names)
  keep(without(kept(), names))
}

/** Of each name one is taken away: another quote of the cart may have been asked for, too. */
function without(all: readonly string[], names: readonly string[]): readonly string[] {
  return names.reduce((left, name) => {
    const at = left.indexOf(name)
    return left.filter((_, place) => place !== at)
  }, all)
}

/** Does the work for a name in one tab at a time. @returns null where another tab is at it. */
export async function alone<Result>(name: string, work: () => Promise<Result>): Promise<Result | null> {
  // Pages without TLS have no locks.
  const { locks }: { readonly locks?: LockManager } = navigator
  return locks ? locks.request(`${key} ${name}`, { ifAvailable: true }, (lock) => (lock ? work() : null)) : work()
}

function kept(): readonly string[] {
  try {
    return localStorage.getItem(key)?.split(' ') ?? []
  } catch {
    return []
  }
}

function keep(names: readonly string[]): void {
  try {
    localStorage.setItem(key, names.join(' '))
  } catch {
    // Whoever has to know reads it back.
  }
}
