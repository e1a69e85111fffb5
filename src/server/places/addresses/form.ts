/** The results of an address check. */

/** `'main'` and `'test'`: valid, on that chain; `'any'`: valid, and the form does not show the chain; `'invalid'`. */
export type AddressForm = 'main' | 'test' | 'any' | 'invalid'

/**
 * Judges an address of one network. May throw instead of answering `'invalid'`: the decoders do so on a wrong character, length or
 * checksum.
 */
export type Check = (address: string) => AddressForm
