/** How checkouts leave those in use: deleted, or archived. */
import type { Store } from '../store/store.ts'
import { archivingAtMs } from './looks.ts'
import { cartKind, checkoutKind, writeArchived } from './record-kinds.ts'
import type { Repository } from './repository.ts'
import { type Unreadable, unlessUnreadable } from './unreadable.ts'

/** @param updateCart - The repository's. */
export function createEndings(
  store: Store,
  unreadable: Unreadable,
  updateCart: Repository['updateCart'],
): Pick<Repository, 'forget' | 'archive'> {
  async function removeEmptyCart(reference: string): Promise<void> {
    const stored = await store.read(cartKind.keyOf(reference))
    const [cart] = stored ? unreadable.readAll([stored], cartKind.parse) : []
    if (stored && cart?.entries.length === 0) await store.remove(stored.key, stored.version)
  }

  return {
    forget: async ({ id, reference }) => {
      const left = await unlessUnreadable(
        updateCart(reference, (cart) => ({ ...cart, entries: cart.entries.filter((entry) => entry.id !== id) })),
      )
      // An unreadable cart keeps the id of the deleted checkout.
      if (left !== 'unreadable') await removeEmptyCart(reference)
      const stored = await store.read(checkoutKind.keyOf(id))
      if (stored) await store.remove(stored.key, stored.version)
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
