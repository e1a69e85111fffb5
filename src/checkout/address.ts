/**
 * An address in groups that eyes can compare. People compare the beginning and the end, so these
 * stand out.
 */

/**
 * Four characters of an address (the last group may be shorter). `strong` marks the first two and
 * the last two groups.
 *
 * @example
 * ```ts
 * const [first]: readonly AddressGroup[] = groupAddress('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')
 * first // => { text: 'bc1q', strong: true }
 * ```
 */
export interface AddressGroup {
  readonly text: string
  readonly strong: boolean
}

/**
 * Cuts an address into groups of four. Joined without anything in between they are the address, to
 * the character.
 *
 * @example
 * ```ts
 * groupAddress('0x5290849127').map(({ text }) => text) // => ['0x52', '9084', '9127']
 * ```
 */
export function groupAddress(address: string): readonly AddressGroup[] {
  const groups = address.match(/.{1,4}/gs) ?? []
  return groups.map((text, index) => ({ text, strong: index < 2 || index >= groups.length - 2 }))
}
