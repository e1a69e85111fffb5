/** Mistakes after a failover, made on purpose. */
import { unbroken } from '../world/breakage.ts'
import type { Variant } from './broken.ts'

/** Variants that forget what the store has lost. */
export const failoverVariants = {
  looksForNoStrays: {
    what: 'never looks for orders that its store has lost',
    caughtBy: ['paid, known to nobody'],
    plan: { restores: true, failsOver: true },
    make: () => ({
      ...unbroken,
      serverStore: (store) => ({
        ...store,
        lease: async (name, holder, forMs) => !name.endsWith('strays') && store.lease(name, holder, forMs),
      }),
    }),
  },
} satisfies Record<string, Variant>
