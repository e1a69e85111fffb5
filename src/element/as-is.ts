/** What the React component has in src/react/parts/as-is.ts: preact sets the property, which is true or false, and not the attribute. */
export const asIs = { translate: false } as const
