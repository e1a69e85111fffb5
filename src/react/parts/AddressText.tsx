/**
 * An address in groups of four. The gaps are margins, so that what is selected is the address and nothing else; a line may end
 * after each group, because each is a block in it.
 */
import { groupAddress } from '../../checkout/address.ts'

/** An address in groups of four, its ends in bold: what people compare. */
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
