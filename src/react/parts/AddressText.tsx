/**
 * An address in groups of four. The gaps are margins, so that what is selected is the address and nothing else.
 */
import { Fragment } from 'react'
import { groupAddress } from '../../checkout/address.ts'

export function AddressText({ address }: { address: string }) {
  return groupAddress(address).map(({ text, strong }, index) => {
    const key = `${index}`
    return (
      <Fragment key={key}>
        {strong ? <b className="pw-group">{text}</b> : <span className="pw-group">{text}</span>}
        <wbr />
      </Fragment>
    )
  })
}
