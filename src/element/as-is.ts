/**
 * Replaces src/react/parts/as-is.ts: Preact sets the property, which is true or false, and not the
 * attribute.
 */
export const asIs = { translate: false } as const
