/**
 * What no translator may touch: amounts, addresses, tags, symbols, names of coins and networks. To be spread into an element. Alone in
 * its file, because the drawing library of the script takes another value for the same attribute.
 */
export const asIs = { translate: 'no' } as const
