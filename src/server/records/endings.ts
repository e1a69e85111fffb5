/** How checkouts leave those in use: deleted, or archived. */
import type { Store } from '../store/store.ts'
import { withoutSuccessor } from './entries.ts'
import { archivingAtMs } from './looks.ts'
import { checkoutKind, writeArchived } from './record-kinds.ts'
import type { Repository } from './repository.ts'
import { type Unreadable, unlessUnreadable } from './unreadable.ts'

/** @param updateCart - The repository's. */
export function createEndings(
  store: Store,
  unreadable: Unreadable,
  updateCart: Repository['updateCart'],
): Pick<Repository, 'forget' | 'archive'> {
  return {
    forget: async ({ id, reference }, isForgettable) => {
      const stored = await store.read(checkoutKind.keyOf(id))
      const [latest] = stored ? unreadable.readAll([stored], checkoutKind.parse) : []
      if (!stored || !latest || !isForgettable(latest)) return
      // Where another process has changed it since, it stays.
      if (!(await store.remove(stored.key, stored.version))) return
      // An unreadable cart keeps the id. An empty one stays: in a new one versions would begin again, and a late write could fit.
      await unlessUnreadable(
        updateCart(reference, (cart) => ({
          ...cart,
          entries: withoutSuccessor(cart.entries, id).filter((entry) => entry.id !== id),
        })),
      )
    },
    archive: async (ids) => {
      const stored = await store.readMany(ids.map(checkoutKind.keyOf))
      const replacements = stored.flatMap((record) =>
        unreadable
          .readAll([record], checkoutKind.parse)
          .filter((checkout) => archivingAtMs(checkout) !== null)
          .map((checkout) => ({ record: writeArchived(checkout), version: record.version })),
      )
      // Those that somebody changed meanwhile are left out, and stay due.
      if (replacements.length > 0) await store.replaceMany(replacements)
    },
  }
}
