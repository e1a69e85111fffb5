/** Bounds the lists of a record, so that the server, and a browser, can read back what was written. */
import type { CheckoutRecord } from './types.ts'

/** Far below what the readers of `parsers.ts` and of the browser accept. */
export const bounds = {
  /** Requests to the service; beyond that none is sent for this checkout. */
  attempts: 400,
  candidates: 100,
  excluded: 400,
  history: 200,
  /** Events that are not delivered yet; later ones are merged into one. */
  events: 200,
  /** Checkouts of one cart, over all its life. */
  entries: 1_000,
} as const

/** Shortens the lists of a checkout that others can make grow, dropping what matters least. */
export function withinBounds(checkout: CheckoutRecord): CheckoutRecord {
  const { candidates, excluded, history } = checkout
  const isWithin =
    candidates.length <= bounds.candidates && excluded.length <= bounds.excluded && history.length <= bounds.history
  if (isWithin) return checkout
  return {
    ...checkout,
    candidates: candidates.slice(0, bounds.candidates),
    excluded: excluded.slice(-bounds.excluded),
    history:
      history.length <= bounds.history ? history : [...history.slice(0, 1), ...history.slice(1 - bounds.history)],
  }
}
