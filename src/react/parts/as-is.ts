/**
 * Marks what no translator may change: amounts, addresses, tags, symbols, names of coins and
 * networks. Spread it into an element. In a file of its own, because Preact, with which the script
 * draws, takes another value for the same attribute.
 */
export const asIs = { translate: 'no' } as const
