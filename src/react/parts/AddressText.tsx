/**
 * An address in groups of four. The gaps are margins, so that a selection holds the address and
 * nothing else. A line can break after each group, because each group is an inline block.
 */
import { groupAddress } from '../../checkout/address.ts'

/** An address in groups of four. Its ends, which people compare, are in bold. */
export function AddressText({ address }: { address: string }) {
  return groupAddress(address).map(({ text, strong }, index) => {
    const key = `${index}`
    const Group = strong ? 'b' : 'span'
    return (
      <Group className="pw-group" key={key}>
        {text}
      </Group>
    )
  })
}
