/**
 * An address in groups that eyes can compare. People compare the beginning and the end, so these stand out.
 */

/** Four characters of an address (the last group may be shorter). `strong` marks the first two and the last two groups. */
export interface AddressGroup {
  readonly text: string
  readonly strong: boolean
}

/** Cuts an address into groups of four. Joined without anything in between they are the address, to the character. */
export function groupAddress(address: string): readonly AddressGroup[] {
  const groups = address.match(/.{1,4}/gs) ?? []
  return groups.map((text, index) => ({ text, strong: index < 2 || index >= groups.length - 2 }))
}
