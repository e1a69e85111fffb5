/** Does something on the first call, and then at most once in this time. */
export function atMostEvery(ms: number, now: () => number, work: () => void): () => void {
  let lastMs = Number.NEGATIVE_INFINITY
  return () => {
    if (now() - lastMs < ms) return
    lastMs = now()
    work()
  }
}
