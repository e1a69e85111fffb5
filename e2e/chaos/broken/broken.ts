/**
 * Rules broken on purpose, from outside: what servers and widgets use is wrapped, and their own
 * code stays as it is. A simulation that does not notice is worthless.
 */
import { answerVariants } from './answers.ts'
import { browserVariants } from './browser.ts'
import { deliveryVariants } from './delivery.ts'
import { evidenceVariants } from './evidence.ts'
import { loadVariants } from './load.ts'
import { pageVariants } from './pages.ts'
import { toldVariants } from './told.ts'
import type { Variant } from './variant.ts'

const variants = {
  ...answerVariants,
  ...deliveryVariants,
  ...evidenceVariants,
  ...loadVariants,
  ...pageVariants,
  ...toldVariants,
  ...browserVariants,
} satisfies Record<string, Variant>

/** Names of the variants. */
export type VariantName = keyof typeof variants

/** Names of all variants. */
export const variantNames = Object.keys(variants) as VariantName[]

/** Returns the variant with this name. */
export function variantOf(name: VariantName): Variant {
  return variants[name]
}
