/** Changes of a cart's entries that all who end a checkout share. */
import type { CartEntry } from './types.ts'

/** The entries, of which none has this checkout as its successor any more: whoever renews that one gets another. */
export function withoutSuccessor(entries: readonly CartEntry[], id: string): readonly CartEntry[] {
  return entries.map((entry) => (entry.successor === id ? { ...entry, successor: null } : entry))
}
