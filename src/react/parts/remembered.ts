/** What payers answered last, kept in the browser's storage. A page may forbid its storage: then nothing is remembered. */

/** The last answer; null where there is none. */
export function recall(question: 'where' | 'coin'): string | null {
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
