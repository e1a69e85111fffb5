/**
 * What payers answered last, kept in the browser's storage. A page may forbid its storage: then
 * nothing is remembered.
 */

/**
 * The last answer; null where there is none. `sent`: what wallets were asked to pay, which
 * `src/wallet` keeps.
 */
export function recall(question: 'where' | 'coin' | 'sent'): string | null {
  try {
    return localStorage.getItem(`paywindow-${question}`)
  } catch {
    return null
  }
}

/** Keeps an answer. */
export function remember(question: 'where' | 'coin', answer: string): void {
  try {
    localStorage.setItem(`paywindow-${question}`, answer)
  } catch {
    // The next page asks again.
  }
}

/** Names a cart without its reference, which may be a secret. */
export function markOf(reference: string): string {
  let mark = 0
  for (const sign of reference) mark = (Math.imul(mark, 31) + (sign.codePointAt(0) ?? 0)) | 0
  return `cart${mark}`
}
